DROP INDEX `profile_stem`;--> statement-breakpoint
CREATE UNIQUE INDEX `profile_stem` ON `profile` (`connection_id`,`stem`);--> statement-breakpoint
ALTER TABLE `account` ADD `verification` text DEFAULT 'verified' NOT NULL;--> statement-breakpoint
ALTER TABLE `account` ADD `issuing_ends_at` integer;--> statement-breakpoint
ALTER TABLE `account` ADD `heard_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `installation` ADD `trial` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `invoice_entry` ADD `test` integer DEFAULT false NOT NULL;
--> statement-breakpoint
-- An opening that broke off ends as every other: unverified. One that the directory lists hears of it there.
UPDATE account SET verification = 'unverified', heard_seq = -1
WHERE id IN (SELECT account_id FROM account_opening)
  AND NOT EXISTS (SELECT 1 FROM connection WHERE connection.account_id = account.id);
--> statement-breakpoint
-- Whether what is issued is a test, and until when a contested account issues, are settings like the others.
DROP TRIGGER account_settings;
--> statement-breakpoint
CREATE TRIGGER account_settings AFTER UPDATE OF legal_name, nif, address1, postcode, city, registry, time_zone,
  territory, default_regime, multiple_issuers, verification, issuing_ends_at ON account BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER account_opened_verification BEFORE INSERT ON account
WHEN NEW.verification NOT IN ('unverified', 'in_review', 'verified', 'contested') BEGIN
  SELECT RAISE(ABORT, 'unknown: verification');
END;
--> statement-breakpoint
CREATE TRIGGER account_verification BEFORE UPDATE OF verification ON account
WHEN NEW.verification NOT IN ('unverified', 'in_review', 'verified', 'contested') BEGIN
  SELECT RAISE(ABORT, 'unknown: verification');
END;
--> statement-breakpoint
-- An installation for tests stays one: what it has numbered is never mistaken for an invoice.
CREATE TRIGGER installation_trial_update BEFORE UPDATE OF trial ON installation
WHEN NEW.trial IS NOT OLD.trial BEGIN
  SELECT RAISE(ABORT, 'immutable: installation');
END;
--> statement-breakpoint
DROP TRIGGER record_append;
--> statement-breakpoint
-- A record of an installation for tests goes to no authority: nothing waits for it, and nothing becomes of it.
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
  SELECT RAISE(ABORT, 'fence:link') WHERE NEW.state IS NOT (SELECT iif(trial, 'not_submitted', 'pending_submission')
    FROM installation WHERE id = NEW.installation_id);
END;
--> statement-breakpoint
CREATE TRIGGER record_not_submitted BEFORE UPDATE ON record WHEN OLD.state = 'not_submitted' BEGIN
  SELECT RAISE(ABORT, 'immutable: record state');
END;
--> statement-breakpoint
DROP TRIGGER invoice_entry_update;
--> statement-breakpoint
CREATE TRIGGER invoice_entry_update BEFORE UPDATE ON invoice_entry
WHEN NEW.id IS NOT OLD.id OR NEW.account_id IS NOT OLD.account_id OR NEW.connection_id IS NOT OLD.connection_id
  OR NEW.invoice_id IS NOT OLD.invoice_id OR NEW.place IS NOT OLD.place OR NEW.series IS NOT OLD.series
  OR NEW.rectifying IS NOT OLD.rectifying OR NEW.cancelled < OLD.cancelled
  OR NEW.base IS NOT OLD.base OR NEW.tax IS NOT OLD.tax OR NEW.total IS NOT OLD.total
  OR NEW.test IS NOT OLD.test
BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_entry');
END;
--> statement-breakpoint
DROP TRIGGER invoice_entry_counted;
--> statement-breakpoint
-- Tests are counted apart, under states of their own: no sum of invoices has them.
CREATE TRIGGER invoice_entry_counted AFTER INSERT ON invoice_entry BEGIN
  INSERT INTO invoice_total VALUES
    (NEW.account_id, 'day', substr(NEW.place, 1, 10), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total)),
    (NEW.account_id, 'month', substr(NEW.place, 1, 7), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total))
  ON CONFLICT DO UPDATE SET invoices = invoices + excluded.invoices, cancelled = cancelled + excluded.cancelled,
    base = base + excluded.base, tax = tax + excluded.tax, total = total + excluded.total;
END;
--> statement-breakpoint
DROP TRIGGER invoice_entry_counted_anew;
--> statement-breakpoint
CREATE TRIGGER invoice_entry_counted_anew AFTER UPDATE OF state, cancelled ON invoice_entry
WHEN NEW.state IS NOT OLD.state OR NEW.cancelled IS NOT OLD.cancelled
BEGIN
  UPDATE invoice_total SET invoices = invoices - 1, cancelled = cancelled - OLD.cancelled,
    base = base - iif(OLD.cancelled, 0, OLD.base), tax = tax - iif(OLD.cancelled, 0, OLD.tax),
    total = total - iif(OLD.cancelled, 0, OLD.total)
    WHERE account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying AND state = iif(OLD.test, 'test:', '') || OLD.state;
  INSERT INTO invoice_total VALUES
    (NEW.account_id, 'day', substr(NEW.place, 1, 10), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total)),
    (NEW.account_id, 'month', substr(NEW.place, 1, 7), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total))
  ON CONFLICT DO UPDATE SET invoices = invoices + excluded.invoices, cancelled = cancelled + excluded.cancelled,
    base = base + excluded.base, tax = tax + excluded.tax, total = total + excluded.total;
END;
--> statement-breakpoint
DROP TRIGGER invoice_entry_uncounted;
--> statement-breakpoint
CREATE TRIGGER invoice_entry_uncounted AFTER DELETE ON invoice_entry BEGIN
  UPDATE invoice_total SET invoices = invoices - 1, cancelled = cancelled - OLD.cancelled,
    base = base - iif(OLD.cancelled, 0, OLD.base), tax = tax - iif(OLD.cancelled, 0, OLD.tax),
    total = total - iif(OLD.cancelled, 0, OLD.total)
    WHERE account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying AND state = iif(OLD.test, 'test:', '') || OLD.state;
  DELETE FROM invoice_total WHERE invoices = 0
    AND account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying;
END;
