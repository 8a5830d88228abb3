CREATE TABLE `chain_start` (
	`installation_id` text NOT NULL,
	`position` integer NOT NULL,
	`run_id` text NOT NULL,
	`hash` text NOT NULL,
	`issuer_nif` text NOT NULL,
	`number` text NOT NULL,
	`date` text NOT NULL,
	`generated_at` text NOT NULL,
	PRIMARY KEY(`installation_id`, `position`),
	FOREIGN KEY (`installation_id`) REFERENCES `installation`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`run_id`) REFERENCES `retention_run`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `chain_start_run` ON `chain_start` (`run_id`);--> statement-breakpoint
CREATE TABLE `erased_order` (
	`connection_id` text NOT NULL,
	`id_external` text NOT NULL,
	`because` text NOT NULL,
	`erased_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `id_external`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "erased_order_because" CHECK("erased_order"."because" IN ('asked', 'aged', 'retention'))
);
--> statement-breakpoint
CREATE TABLE `retention_run` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`year` integer NOT NULL,
	`reason` text NOT NULL,
	`begun_by` text NOT NULL,
	`begun_at` integer NOT NULL,
	`ended_at` integer,
	`invoices` integer DEFAULT 0 NOT NULL,
	`records` integer DEFAULT 0 NOT NULL,
	`orders` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`audit_lines` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `retention_run_year` ON `retention_run` (`account_id`,`year`);--> statement-breakpoint
CREATE UNIQUE INDEX `retention_run_open` ON `retention_run` (`account_id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE TABLE `spent_origin` (
	`connection_id` text NOT NULL,
	`origin` text NOT NULL,
	`run_id` text NOT NULL,
	PRIMARY KEY(`connection_id`, `origin`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`run_id`) REFERENCES `retention_run`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `shop_order` ADD `client_id` text GENERATED ALWAYS AS ((facts ->> '$.client.idExternal')) VIRTUAL;--> statement-breakpoint
CREATE INDEX `shop_order_client` ON `shop_order` (`connection_id`,`client_id`) WHERE client_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `shop_order_settled` ON `shop_order` (`changed_at`) WHERE state IN ('stored', 'before_cutoff', 'store_not_selected', 'cancelled') AND sold_fingerprint IS NULL;--> statement-breakpoint
CREATE INDEX `shop_client_received` ON `shop_client` (`received_at`);
--> statement-breakpoint
-- From here on by hand.
-- A year leaves when the duty of keeping its invoices is over: six years after its end (article 30 of the Codigo
-- de Comercio; the four of articles 66 and 70 of the Ley General Tributaria end before), ten where it has sales of
-- the one-stop shop (article 369 of Directive 2006/112/EC). It is the database's clock that counts, in UTC, whose
-- new year comes before that of no issuer. Nothing leaves, begins to or ends while the account is frozen.
CREATE TRIGGER retention_run_begin BEFORE INSERT ON retention_run BEGIN
  SELECT RAISE(ABORT, 'retention:exists') WHERE EXISTS (SELECT 1 FROM retention_run
    WHERE rowid = NEW.rowid OR id = NEW.id
      OR (account_id = NEW.account_id AND (year >= NEW.year OR ended_at IS NULL)));
  SELECT RAISE(ABORT, 'retention:unsigned') WHERE trim(NEW.begun_by) = '' OR trim(NEW.reason) = ''
    OR NEW.ended_at IS NOT NULL
    OR NEW.invoices + NEW.records + NEW.orders + NEW.attempts + NEW.audit_lines <> 0;
  SELECT RAISE(ABORT, 'retention:frozen') WHERE (SELECT frozen FROM account WHERE id = NEW.account_id) <> 0;
  SELECT RAISE(ABORT, 'retention:too_young') WHERE NEW.year > CAST(strftime('%Y', 'now') AS INTEGER) - 7;
  SELECT RAISE(ABORT, 'retention:earlier_year') WHERE EXISTS (SELECT 1 FROM invoice_total
    WHERE account_id = NEW.account_id AND grain = 'month' AND period < CAST(NEW.year AS TEXT));
END;
--> statement-breakpoint
-- Counts go up, and the end comes once nothing of the year is left.
CREATE TRIGGER retention_run_update BEFORE UPDATE ON retention_run BEGIN
  SELECT RAISE(ABORT, 'immutable: retention_run') WHERE OLD.ended_at IS NOT NULL
    OR NEW.rowid IS NOT OLD.rowid OR NEW.id IS NOT OLD.id OR NEW.account_id IS NOT OLD.account_id
    OR NEW.year IS NOT OLD.year OR NEW.reason IS NOT OLD.reason OR NEW.begun_by IS NOT OLD.begun_by
    OR NEW.begun_at IS NOT OLD.begun_at OR NEW.invoices < OLD.invoices OR NEW.records < OLD.records
    OR NEW.orders < OLD.orders OR NEW.attempts < OLD.attempts OR NEW.audit_lines < OLD.audit_lines;
  SELECT RAISE(ABORT, 'retention:frozen') WHERE (SELECT frozen FROM account WHERE id = OLD.account_id) <> 0;
  SELECT RAISE(ABORT, 'retention:unfinished') WHERE NEW.ended_at IS NOT NULL AND (
    EXISTS (SELECT 1 FROM series CROSS JOIN invoice
      ON invoice.account_id = series.account_id AND invoice.series = series.code
      WHERE series.account_id = OLD.account_id AND substr(series.code, -4) = CAST(OLD.year AS TEXT))
    OR EXISTS (SELECT 1 FROM chain_start CROSS JOIN record
      ON record.installation_id = chain_start.installation_id AND record.position <= chain_start.position
      WHERE chain_start.run_id = OLD.id)
    OR EXISTS (SELECT 1 FROM chain_start CROSS JOIN submission_attempt
      ON submission_attempt.installation_id = chain_start.installation_id
        AND submission_attempt.from_position <= chain_start.position
        AND submission_attempt.to_position <= chain_start.position
      WHERE chain_start.run_id = OLD.id));
END;
--> statement-breakpoint
CREATE TRIGGER retention_run_delete BEFORE DELETE ON retention_run BEGIN
  SELECT RAISE(ABORT, 'immutable: retention_run');
END;
--> statement-breakpoint
-- The last record that leaves: of the year or before, the next one of a later year, and all up to it done with.
CREATE TRIGGER chain_start_append BEFORE INSERT ON chain_start BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM chain_start WHERE rowid = NEW.rowid
    OR (installation_id = NEW.installation_id AND position >= NEW.position));
  SELECT RAISE(ABORT, 'retention:no_run') WHERE NOT EXISTS (SELECT 1 FROM retention_run
    JOIN installation ON installation.account_id = retention_run.account_id
    WHERE retention_run.id = NEW.run_id AND ended_at IS NULL AND installation.id = NEW.installation_id);
  SELECT RAISE(ABORT, 'retention:cut') WHERE NOT EXISTS (SELECT 1 FROM record
      JOIN retention_run ON retention_run.id = NEW.run_id
      WHERE installation_id = NEW.installation_id AND position = NEW.position AND hash = NEW.hash
        AND content ->> '$.key.issuerNif' IS NEW.issuer_nif AND content ->> '$.key.number' IS NEW.number
        AND content ->> '$.key.date' IS NEW.date AND content ->> '$.generatedAt' IS NEW.generated_at
        AND CAST(substr(NEW.generated_at, 1, 4) AS INTEGER) <= year
        AND CAST(substr(NEW.date, 7, 4) AS INTEGER) <= year)
    OR EXISTS (SELECT 1 FROM record JOIN retention_run ON retention_run.id = NEW.run_id
      WHERE installation_id = NEW.installation_id AND position = NEW.position + 1
        AND CAST(substr(content ->> '$.generatedAt', 1, 4) AS INTEGER) <= year
        AND CAST(substr(content ->> '$.key.date', 7, 4) AS INTEGER) <= year);
  SELECT RAISE(ABORT, 'retention:unsubmitted') WHERE EXISTS (SELECT 1 FROM record
      WHERE installation_id = NEW.installation_id AND position <= NEW.position
        AND state IN ('pending_submission', 'submitted'))
    OR EXISTS (SELECT 1 FROM submission_attempt WHERE installation_id = NEW.installation_id
      AND ended_at IS NULL AND from_position <= NEW.position);
  SELECT RAISE(ABORT, 'retention:not_entered') WHERE NEW.position >
    coalesce((SELECT position FROM entry_cursor WHERE installation_id = NEW.installation_id), 0);
  SELECT RAISE(ABORT, 'retention:one_stop_shop') WHERE
    (SELECT year FROM retention_run WHERE id = NEW.run_id) > CAST(strftime('%Y', 'now') AS INTEGER) - 11
    AND EXISTS (SELECT 1 FROM record WHERE installation_id = NEW.installation_id AND position <= NEW.position
      AND instr(content, '"17"') > 0 AND EXISTS (SELECT 1 FROM json_each(content, '$.breakdown')
        WHERE value ->> '$.tax' = '01' AND value ->> '$.regime' = '17'));
END;
--> statement-breakpoint
CREATE TRIGGER chain_start_update BEFORE UPDATE ON chain_start BEGIN
  SELECT RAISE(ABORT, 'immutable: chain_start');
END;
--> statement-breakpoint
CREATE TRIGGER chain_start_delete BEFORE DELETE ON chain_start BEGIN
  SELECT RAISE(ABORT, 'immutable: chain_start');
END;
--> statement-breakpoint
CREATE TRIGGER spent_origin_append BEFORE INSERT ON spent_origin BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM spent_origin WHERE rowid = NEW.rowid
    OR (connection_id = NEW.connection_id AND origin = NEW.origin));
  SELECT RAISE(ABORT, 'retention:no_run') WHERE NOT EXISTS (SELECT 1 FROM invoice JOIN retention_run
    ON retention_run.account_id = invoice.account_id AND year = CAST(substr(issue_date, 1, 4) AS INTEGER)
    WHERE connection_id = NEW.connection_id AND origin = NEW.origin
      AND retention_run.id = NEW.run_id AND ended_at IS NULL);
END;
--> statement-breakpoint
CREATE TRIGGER spent_origin_update BEFORE UPDATE ON spent_origin BEGIN
  SELECT RAISE(ABORT, 'immutable: spent_origin');
END;
--> statement-breakpoint
CREATE TRIGGER spent_origin_delete BEFORE DELETE ON spent_origin BEGIN
  SELECT RAISE(ABORT, 'immutable: spent_origin');
END;
--> statement-breakpoint
-- An order goes because nobody needs it, which its invoice does as long as the law has it kept, or because that
-- leaves.
CREATE TRIGGER erased_order_append BEFORE INSERT ON erased_order BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM erased_order WHERE rowid = NEW.rowid
    OR (connection_id = NEW.connection_id AND id_external = NEW.id_external));
  SELECT RAISE(ABORT, 'immutable: shop_order') WHERE NEW.because <> 'retention' AND (
    EXISTS (SELECT 1 FROM invoice
      WHERE connection_id = NEW.connection_id AND origin = 'order:' || NEW.id_external)
    OR EXISTS (SELECT 1 FROM shop_order WHERE connection_id = NEW.connection_id
      AND id_external = NEW.id_external AND sold_fingerprint IS NOT NULL));
  SELECT RAISE(ABORT, 'retention:no_run') WHERE NEW.because = 'retention' AND NOT EXISTS (SELECT 1
    FROM invoice JOIN retention_run ON retention_run.account_id = invoice.account_id
      AND ended_at IS NULL AND year = CAST(substr(issue_date, 1, 4) AS INTEGER)
    WHERE connection_id = NEW.connection_id AND origin = 'order:' || NEW.id_external);
END;
--> statement-breakpoint
CREATE TRIGGER erased_order_update BEFORE UPDATE ON erased_order BEGIN
  SELECT RAISE(ABORT, 'immutable: erased_order');
END;
--> statement-breakpoint
-- Its owner may take an order up again that never had an invoice.
CREATE TRIGGER erased_order_delete BEFORE DELETE ON erased_order WHEN OLD.because = 'retention' BEGIN
  SELECT RAISE(ABORT, 'immutable: erased_order');
END;
--> statement-breakpoint
-- No order goes without a trace, and none that an invoice was made from.
CREATE TRIGGER shop_order_delete BEFORE DELETE ON shop_order
WHEN NOT EXISTS (SELECT 1 FROM erased_order WHERE connection_id = OLD.connection_id
  AND id_external = OLD.id_external AND (because = 'retention' OR OLD.sold_fingerprint IS NULL))
BEGIN
  SELECT RAISE(ABORT, 'immutable: shop_order');
END;
--> statement-breakpoint
CREATE TRIGGER shop_order_sent_delete BEFORE DELETE ON shop_order_sent
WHEN NOT EXISTS (SELECT 1 FROM erased_order
  WHERE connection_id = OLD.connection_id AND id_external = OLD.id_external)
BEGIN
  SELECT RAISE(ABORT, 'immutable: shop_order_sent');
END;
--> statement-breakpoint
CREATE TRIGGER order_release_erased AFTER DELETE ON shop_order WHEN OLD.state = 'deferred' BEGIN
  UPDATE order_release SET settled = settled + 1 WHERE connection_id = OLD.connection_id;
END;
--> statement-breakpoint
DROP TRIGGER shop_order_append;
--> statement-breakpoint
-- One order, one row: a REPLACE would erase what was decided of it. One that is gone does not come back.
CREATE TRIGGER shop_order_append BEFORE INSERT ON shop_order BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM shop_order
    WHERE rowid = NEW.rowid AND (connection_id <> NEW.connection_id OR id_external <> NEW.id_external));
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM erased_order
    WHERE connection_id = NEW.connection_id AND id_external = NEW.id_external);
END;
--> statement-breakpoint
DROP TRIGGER invoice_append;
--> statement-breakpoint
CREATE TRIGGER invoice_append BEFORE INSERT ON invoice BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM invoice WHERE rowid = NEW.rowid)
    OR EXISTS (SELECT 1 FROM invoice WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM invoice WHERE connection_id = NEW.connection_id AND origin = NEW.origin)
    OR EXISTS (SELECT 1 FROM spent_origin WHERE connection_id = NEW.connection_id AND origin = NEW.origin)
    OR EXISTS (SELECT 1 FROM invoice
      WHERE account_id = NEW.account_id AND series = NEW.series AND number = NEW.number);
  SELECT RAISE(ABORT, 'fence:link') WHERE NEW.number <> 1 AND NOT EXISTS (SELECT 1 FROM invoice
    WHERE account_id = NEW.account_id AND series = NEW.series AND number = NEW.number - 1
      AND issue_date <= NEW.issue_date);
  SELECT RAISE(ABORT, 'fence:link') WHERE NOT EXISTS (SELECT 1 FROM series
    WHERE account_id = NEW.account_id AND code = NEW.series AND connection_id = NEW.connection_id);
  -- Numbers of a year that left were given: none is given again.
  SELECT RAISE(ABORT, 'fence:link') WHERE EXISTS (SELECT 1 FROM retention_run
    WHERE account_id = NEW.account_id AND (year >= CAST(substr(NEW.issue_date, 1, 4) AS INTEGER)
      OR substr(NEW.series, -4) = CAST(year AS TEXT)));
END;
--> statement-breakpoint
DROP TRIGGER record_append;
--> statement-breakpoint
-- Behind the last record that left a chain goes on as behind one that is there.
CREATE TRIGGER record_append BEFORE INSERT ON record BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM record WHERE rowid = NEW.rowid)
    OR EXISTS (SELECT 1 FROM record
      WHERE installation_id = NEW.installation_id AND position = NEW.position)
    OR EXISTS (SELECT 1 FROM record WHERE connection_id = NEW.connection_id AND origin = NEW.origin)
    OR EXISTS (SELECT 1 FROM chain_start
      WHERE installation_id = NEW.installation_id AND position >= NEW.position);
  SELECT RAISE(ABORT, 'fence:link') WHERE NEW.previous_hash IS NOT
    CASE WHEN NEW.position = 1 THEN '' ELSE coalesce((SELECT hash FROM record
      WHERE installation_id = NEW.installation_id AND position = NEW.position - 1), (SELECT hash FROM chain_start
      WHERE installation_id = NEW.installation_id AND position = NEW.position - 1)) END;
  SELECT RAISE(ABORT, 'fence:link') WHERE NOT EXISTS (SELECT 1 FROM installation
    WHERE id = NEW.installation_id AND connection_id = NEW.connection_id AND account_id = NEW.account_id
      AND closed_at IS NULL);
  SELECT RAISE(ABORT, 'fence:link') WHERE NOT EXISTS (SELECT 1 FROM invoice
    WHERE id = NEW.invoice_id AND connection_id = NEW.connection_id);
  SELECT RAISE(ABORT, 'fence:link') WHERE NEW.state <> 'pending_submission';
END;
--> statement-breakpoint
DROP TRIGGER invoice_delete;
--> statement-breakpoint
-- With its registration, in the run of its year, known to have been here, and with no correction under way: what
-- is sent of that, and what lists make of it, is read from the invoice.
CREATE TRIGGER invoice_delete BEFORE DELETE ON invoice
WHEN NOT EXISTS (SELECT 1 FROM retention_run WHERE account_id = OLD.account_id AND ended_at IS NULL
    AND year = CAST(substr(OLD.issue_date, 1, 4) AS INTEGER))
  OR EXISTS (SELECT 1 FROM record WHERE connection_id = OLD.connection_id AND origin = OLD.origin
    AND position > coalesce((SELECT max(chain_start.position) FROM chain_start
      WHERE chain_start.installation_id = record.installation_id), 0))
  OR EXISTS (SELECT 1 FROM json_each('["amend:","cancel:"]') AS sort CROSS JOIN record
    ON record.connection_id = OLD.connection_id
      AND origin >= sort.value || OLD.id || ':' AND origin < sort.value || OLD.id || ';'
    WHERE state IN ('pending_submission', 'submitted') OR position > coalesce((SELECT entry_cursor.position
      FROM entry_cursor WHERE entry_cursor.installation_id = record.installation_id), 0))
  OR (OLD.origin >= 'direct:' AND OLD.origin < 'direct;' AND NOT EXISTS (SELECT 1 FROM spent_origin
    WHERE connection_id = OLD.connection_id AND origin = OLD.origin))
  OR (OLD.origin >= 'order:' AND OLD.origin < 'order;' AND NOT EXISTS (SELECT 1 FROM erased_order
    WHERE connection_id = OLD.connection_id AND id_external = substr(OLD.origin, length('order:') + 1)))
BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice');
END;
--> statement-breakpoint
DROP TRIGGER invoice_document_delete;
--> statement-breakpoint
CREATE TRIGGER invoice_document_delete BEFORE DELETE ON invoice_document
WHEN NOT EXISTS (SELECT 1 FROM invoice JOIN retention_run ON retention_run.account_id = invoice.account_id
  AND ended_at IS NULL AND year = CAST(substr(issue_date, 1, 4) AS INTEGER) WHERE invoice.id = OLD.invoice_id)
BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_document');
END;
--> statement-breakpoint
DROP TRIGGER invoice_link_delete;
--> statement-breakpoint
-- With either of its invoices; the document of the one that stays says what it corrects.
CREATE TRIGGER invoice_link_delete BEFORE DELETE ON invoice_link
WHEN NOT EXISTS (SELECT 1 FROM invoice JOIN retention_run ON retention_run.account_id = invoice.account_id
  AND ended_at IS NULL AND year = CAST(substr(issue_date, 1, 4) AS INTEGER)
  WHERE invoice.id IN (OLD.invoice_id, OLD.target_id))
BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_link');
END;
--> statement-breakpoint
DROP TRIGGER record_delete;
--> statement-breakpoint
-- Behind its invoice, which it proves.
CREATE TRIGGER record_delete BEFORE DELETE ON record
WHEN NOT EXISTS (SELECT 1 FROM chain_start JOIN retention_run ON retention_run.id = run_id AND ended_at IS NULL
  WHERE installation_id = OLD.installation_id AND position >= OLD.position)
  OR EXISTS (SELECT 1 FROM invoice WHERE connection_id = OLD.connection_id AND origin = OLD.origin)
BEGIN
  SELECT RAISE(ABORT, 'immutable: record');
END;
--> statement-breakpoint
DROP TRIGGER submission_attempt_delete;
--> statement-breakpoint
CREATE TRIGGER submission_attempt_delete BEFORE DELETE ON submission_attempt
WHEN OLD.ended_at IS NULL
  OR NOT EXISTS (SELECT 1 FROM chain_start JOIN retention_run ON retention_run.id = run_id
    AND retention_run.ended_at IS NULL
    WHERE installation_id = OLD.installation_id AND position >= OLD.to_position)
BEGIN
  SELECT RAISE(ABORT, 'immutable: submission_attempt');
END;
--> statement-breakpoint
DROP TRIGGER invoice_entry_delete;
--> statement-breakpoint
CREATE TRIGGER invoice_entry_delete BEFORE DELETE ON invoice_entry
WHEN NOT EXISTS (SELECT 1 FROM retention_run WHERE account_id = OLD.account_id AND ended_at IS NULL
  AND year = CAST(substr(OLD.place, 1, 4) AS INTEGER))
BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_entry');
END;
--> statement-breakpoint
-- Sums follow what leaves as they follow what comes; a sum of nothing is none.
CREATE TRIGGER invoice_entry_uncounted AFTER DELETE ON invoice_entry BEGIN
  UPDATE invoice_total SET invoices = invoices - 1, cancelled = cancelled - OLD.cancelled,
    base = base - iif(OLD.cancelled, 0, OLD.base), tax = tax - iif(OLD.cancelled, 0, OLD.tax),
    total = total - iif(OLD.cancelled, 0, OLD.total)
    WHERE account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying AND state = OLD.state;
  DELETE FROM invoice_total WHERE invoices = 0
    AND account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying;
END;
--> statement-breakpoint
DROP TRIGGER audit_log_delete;
--> statement-breakpoint
CREATE TRIGGER audit_log_delete BEFORE DELETE ON audit_log
WHEN NOT EXISTS (SELECT 1 FROM retention_run WHERE account_id = OLD.account_id AND ended_at IS NULL
  AND OLD.at < unixepoch((year + 1) || '-01-01') * 1000)
BEGIN
  SELECT RAISE(ABORT, 'immutable: audit_log');
END;
