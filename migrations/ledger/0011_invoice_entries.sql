CREATE TABLE `entry_cursor` (
	`installation_id` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`installation_id`) REFERENCES `installation`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `invoice_entry` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`place` text NOT NULL,
	`series` text NOT NULL,
	`rectifying` integer NOT NULL,
	`cancelled` integer NOT NULL,
	`state` text NOT NULL,
	`installation_id` text NOT NULL,
	`position` integer NOT NULL,
	`base` integer NOT NULL,
	`tax` integer NOT NULL,
	`total` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoice`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`installation_id`) REFERENCES `installation`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoice_entry_place" CHECK("invoice_entry"."place" GLOB '????-??-??:*')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_entry_invoice` ON `invoice_entry` (`invoice_id`);--> statement-breakpoint
CREATE INDEX `invoice_entry_account` ON `invoice_entry` (`account_id`,`state`,`place`);--> statement-breakpoint
CREATE INDEX `invoice_entry_connection` ON `invoice_entry` (`account_id`,`connection_id`,`state`,`place`);--> statement-breakpoint
CREATE INDEX `invoice_entry_series` ON `invoice_entry` (`account_id`,`series`,`state`,`place`);--> statement-breakpoint
CREATE TABLE `invoice_total` (
	`account_id` text NOT NULL,
	`grain` text NOT NULL,
	`period` text NOT NULL,
	`series` text NOT NULL,
	`rectifying` integer NOT NULL,
	`state` text NOT NULL,
	`connection_id` text NOT NULL,
	`invoices` integer NOT NULL,
	`cancelled` integer NOT NULL,
	`base` integer NOT NULL,
	`tax` integer NOT NULL,
	`total` integer NOT NULL,
	PRIMARY KEY(`account_id`, `grain`, `period`, `series`, `rectifying`, `state`),
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoice_total_grain" CHECK("invoice_total"."grain" IN ('day', 'month')),
	CONSTRAINT "invoice_total_invoices" CHECK("invoice_total"."invoices" >= 0)
);
--> statement-breakpoint
CREATE INDEX `submission_attempt_from` ON `submission_attempt` (`installation_id`,`from_position`);--> statement-breakpoint
-- From here on by hand: what no schema in TypeScript can say.
-- One row for each entry, under its id. Each word begins with the id of its account, so that a search walks through
-- the words of one account only. The words come folded and in ASCII where they can.
CREATE VIRTUAL TABLE invoice_search USING fts5(words, content='', columnsize=0, detail=none, tokenize='ascii');
--> statement-breakpoint
-- The cursor of a chain goes on and never back: what it has passed has its entries.
CREATE TRIGGER entry_cursor_update BEFORE UPDATE ON entry_cursor
WHEN NEW.installation_id IS NOT OLD.installation_id OR NEW.position <= OLD.position
BEGIN
  SELECT RAISE(ABORT, 'immutable: entry_cursor');
END;
--> statement-breakpoint
CREATE TRIGGER entry_cursor_delete BEFORE DELETE ON entry_cursor BEGIN
  SELECT RAISE(ABORT, 'immutable: entry_cursor');
END;
--> statement-breakpoint
-- What the authority decides of the newest record shows in the entry at once, whoever writes it.
CREATE TRIGGER record_entry_state AFTER UPDATE OF state ON record WHEN NEW.state IS NOT OLD.state BEGIN
  UPDATE invoice_entry SET state = NEW.state WHERE invoice_id = NEW.invoice_id
    AND installation_id = NEW.installation_id AND position = NEW.position;
END;
--> statement-breakpoint
CREATE TRIGGER invoice_entry_update BEFORE UPDATE ON invoice_entry
WHEN NEW.id IS NOT OLD.id OR NEW.account_id IS NOT OLD.account_id OR NEW.connection_id IS NOT OLD.connection_id
  OR NEW.invoice_id IS NOT OLD.invoice_id OR NEW.place IS NOT OLD.place OR NEW.series IS NOT OLD.series
  OR NEW.rectifying IS NOT OLD.rectifying OR NEW.cancelled < OLD.cancelled
  OR NEW.base IS NOT OLD.base OR NEW.tax IS NOT OLD.tax OR NEW.total IS NOT OLD.total
BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_entry');
END;
--> statement-breakpoint
CREATE TRIGGER invoice_entry_delete BEFORE DELETE ON invoice_entry BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_entry');
END;
--> statement-breakpoint
-- Sums follow entries row by row: whatever writes these, an entry is counted once.
CREATE TRIGGER invoice_entry_counted AFTER INSERT ON invoice_entry BEGIN
  INSERT INTO invoice_total VALUES
    (NEW.account_id, 'day', substr(NEW.place, 1, 10), NEW.series, NEW.rectifying, NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total)),
    (NEW.account_id, 'month', substr(NEW.place, 1, 7), NEW.series, NEW.rectifying, NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total))
  ON CONFLICT DO UPDATE SET invoices = invoices + excluded.invoices, cancelled = cancelled + excluded.cancelled,
    base = base + excluded.base, tax = tax + excluded.tax, total = total + excluded.total;
END;
--> statement-breakpoint
CREATE TRIGGER invoice_entry_counted_anew AFTER UPDATE OF state, cancelled ON invoice_entry
WHEN NEW.state IS NOT OLD.state OR NEW.cancelled IS NOT OLD.cancelled
BEGIN
  UPDATE invoice_total SET invoices = invoices - 1, cancelled = cancelled - OLD.cancelled,
    base = base - iif(OLD.cancelled, 0, OLD.base), tax = tax - iif(OLD.cancelled, 0, OLD.tax),
    total = total - iif(OLD.cancelled, 0, OLD.total)
    WHERE account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying AND state = OLD.state;
  INSERT INTO invoice_total VALUES
    (NEW.account_id, 'day', substr(NEW.place, 1, 10), NEW.series, NEW.rectifying, NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total)),
    (NEW.account_id, 'month', substr(NEW.place, 1, 7), NEW.series, NEW.rectifying, NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total))
  ON CONFLICT DO UPDATE SET invoices = invoices + excluded.invoices, cancelled = cancelled + excluded.cancelled,
    base = base + excluded.base, tax = tax + excluded.tax, total = total + excluded.total;
END;
