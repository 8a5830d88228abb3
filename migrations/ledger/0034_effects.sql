CREATE TABLE `entry_fill` (
	`account_id` text PRIMARY KEY NOT NULL,
	`place` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `shop_order` ADD `customer` text GENERATED ALWAYS AS (nullif(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(lower(trim(coalesce(nullif(trim(facts ->> '$.client.company'), ''), coalesce(facts ->> '$.client.firstName', '') || ' ' || coalesce(facts ->> '$.client.lastName', '')))), 'á', 'a'), 'à', 'a'), 'Á', 'a'), 'À', 'a'), 'é', 'e'), 'è', 'e'), 'É', 'e'), 'È', 'e'), 'í', 'i'), 'Í', 'i'), 'ó', 'o'), 'ò', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'ú', 'u'), 'ü', 'u'), 'Ú', 'u'), 'Ü', 'u'), 'ñ', 'n'), 'Ñ', 'n'), 'ç', 'c'), 'Ç', 'c'), '')) VIRTUAL;--> statement-breakpoint
ALTER TABLE `shop_order` ADD `surname` text GENERATED ALWAYS AS (nullif(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(lower(trim(facts ->> '$.client.lastName')), 'á', 'a'), 'à', 'a'), 'Á', 'a'), 'À', 'a'), 'é', 'e'), 'è', 'e'), 'É', 'e'), 'È', 'e'), 'í', 'i'), 'Í', 'i'), 'ó', 'o'), 'ò', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'ú', 'u'), 'ü', 'u'), 'Ú', 'u'), 'Ü', 'u'), 'ñ', 'n'), 'Ñ', 'n'), 'ç', 'c'), 'Ç', 'c'), '')) VIRTUAL;--> statement-breakpoint
CREATE INDEX `shop_order_customer` ON `shop_order` (`connection_id`,`customer`) WHERE customer IS NOT NULL;--> statement-breakpoint
CREATE INDEX `shop_order_surname` ON `shop_order` (`connection_id`,`surname`) WHERE surname IS NOT NULL;--> statement-breakpoint
ALTER TABLE `invoice_entry` ADD `counted_base` integer;--> statement-breakpoint
ALTER TABLE `invoice_entry` ADD `counted_tax` integer;--> statement-breakpoint
ALTER TABLE `invoice_entry` ADD `counted_total` integer;--> statement-breakpoint
ALTER TABLE `invoice_entry` ADD `order_customer` text;--> statement-breakpoint
-- From here on by hand. Entries so far lack words, customers and effects: cron fills them, the newest first.
INSERT INTO entry_fill (account_id, place) SELECT DISTINCT account_id, '~' FROM invoice_entry;
--> statement-breakpoint
-- The fill goes from the newest to the oldest entry and never back.
CREATE TRIGGER entry_fill_update BEFORE UPDATE ON entry_fill
WHEN NEW.account_id IS NOT OLD.account_id OR NEW.place >= OLD.place
BEGIN
  SELECT RAISE(ABORT, 'immutable: entry_fill');
END;
--> statement-breakpoint
DROP TRIGGER invoice_entry_update;
--> statement-breakpoint
-- What the fill writes, it writes once.
CREATE TRIGGER invoice_entry_update BEFORE UPDATE ON invoice_entry
WHEN NEW.id IS NOT OLD.id OR NEW.account_id IS NOT OLD.account_id OR NEW.connection_id IS NOT OLD.connection_id
  OR NEW.invoice_id IS NOT OLD.invoice_id OR NEW.place IS NOT OLD.place OR NEW.series IS NOT OLD.series
  OR NEW.rectifying IS NOT OLD.rectifying OR NEW.cancelled < OLD.cancelled
  OR NEW.base IS NOT OLD.base OR NEW.tax IS NOT OLD.tax OR NEW.total IS NOT OLD.total
  OR NEW.test IS NOT OLD.test OR NEW.replacing IS NOT OLD.replacing
  OR (OLD.counted_base IS NOT NULL AND NEW.counted_base IS NOT OLD.counted_base)
  OR (OLD.counted_tax IS NOT NULL AND NEW.counted_tax IS NOT OLD.counted_tax)
  OR (OLD.counted_total IS NOT NULL AND NEW.counted_total IS NOT OLD.counted_total)
  OR (OLD.order_customer IS NOT NULL AND NEW.order_customer IS NOT OLD.order_customer)
BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_entry');
END;
--> statement-breakpoint
DROP TRIGGER invoice_entry_counted;
--> statement-breakpoint
-- Sums count the effect of an invoice: what it states, unless it stands in the place of counted ones.
CREATE TRIGGER invoice_entry_counted AFTER INSERT ON invoice_entry BEGIN
  INSERT INTO invoice_total VALUES
    (NEW.account_id, 'day', substr(NEW.place, 1, 10), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled,
      iif(NEW.cancelled, 0, coalesce(NEW.counted_base, NEW.base)),
      iif(NEW.cancelled, 0, coalesce(NEW.counted_tax, NEW.tax)),
      iif(NEW.cancelled, 0, coalesce(NEW.counted_total, NEW.total)),
      iif(NEW.document = 'replacing', 1, 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_base, NEW.base), 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_tax, NEW.tax), 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_total, NEW.total), 0)),
    (NEW.account_id, 'month', substr(NEW.place, 1, 7), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled,
      iif(NEW.cancelled, 0, coalesce(NEW.counted_base, NEW.base)),
      iif(NEW.cancelled, 0, coalesce(NEW.counted_tax, NEW.tax)),
      iif(NEW.cancelled, 0, coalesce(NEW.counted_total, NEW.total)),
      iif(NEW.document = 'replacing', 1, 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_base, NEW.base), 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_tax, NEW.tax), 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_total, NEW.total), 0))
  ON CONFLICT DO UPDATE SET invoices = invoices + excluded.invoices, cancelled = cancelled + excluded.cancelled,
    base = base + excluded.base, tax = tax + excluded.tax, total = total + excluded.total,
    replacing = replacing + excluded.replacing, replacing_base = replacing_base + excluded.replacing_base,
    replacing_tax = replacing_tax + excluded.replacing_tax,
    replacing_total = replacing_total + excluded.replacing_total;
END;
--> statement-breakpoint
DROP TRIGGER invoice_entry_counted_anew;
--> statement-breakpoint
CREATE TRIGGER invoice_entry_counted_anew
AFTER UPDATE OF state, cancelled, counted_base, counted_tax, counted_total ON invoice_entry
WHEN NEW.state IS NOT OLD.state OR NEW.cancelled IS NOT OLD.cancelled
  OR NEW.counted_base IS NOT OLD.counted_base OR NEW.counted_tax IS NOT OLD.counted_tax
  OR NEW.counted_total IS NOT OLD.counted_total
BEGIN
  UPDATE invoice_total SET invoices = invoices - 1, cancelled = cancelled - OLD.cancelled,
    base = base - iif(OLD.cancelled, 0, coalesce(OLD.counted_base, OLD.base)),
    tax = tax - iif(OLD.cancelled, 0, coalesce(OLD.counted_tax, OLD.tax)),
    total = total - iif(OLD.cancelled, 0, coalesce(OLD.counted_total, OLD.total)),
    replacing = replacing - iif(OLD.document = 'replacing', 1, 0),
    replacing_base = replacing_base - iif(OLD.document = 'replacing', coalesce(OLD.counted_base, OLD.base), 0),
    replacing_tax = replacing_tax - iif(OLD.document = 'replacing', coalesce(OLD.counted_tax, OLD.tax), 0),
    replacing_total = replacing_total - iif(OLD.document = 'replacing', coalesce(OLD.counted_total, OLD.total), 0)
    WHERE account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying AND state = iif(OLD.test, 'test:', '') || OLD.state;
  INSERT INTO invoice_total VALUES
    (NEW.account_id, 'day', substr(NEW.place, 1, 10), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled,
      iif(NEW.cancelled, 0, coalesce(NEW.counted_base, NEW.base)),
      iif(NEW.cancelled, 0, coalesce(NEW.counted_tax, NEW.tax)),
      iif(NEW.cancelled, 0, coalesce(NEW.counted_total, NEW.total)),
      iif(NEW.document = 'replacing', 1, 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_base, NEW.base), 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_tax, NEW.tax), 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_total, NEW.total), 0)),
    (NEW.account_id, 'month', substr(NEW.place, 1, 7), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled,
      iif(NEW.cancelled, 0, coalesce(NEW.counted_base, NEW.base)),
      iif(NEW.cancelled, 0, coalesce(NEW.counted_tax, NEW.tax)),
      iif(NEW.cancelled, 0, coalesce(NEW.counted_total, NEW.total)),
      iif(NEW.document = 'replacing', 1, 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_base, NEW.base), 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_tax, NEW.tax), 0),
      iif(NEW.document = 'replacing', coalesce(NEW.counted_total, NEW.total), 0))
  ON CONFLICT DO UPDATE SET invoices = invoices + excluded.invoices, cancelled = cancelled + excluded.cancelled,
    base = base + excluded.base, tax = tax + excluded.tax, total = total + excluded.total,
    replacing = replacing + excluded.replacing, replacing_base = replacing_base + excluded.replacing_base,
    replacing_tax = replacing_tax + excluded.replacing_tax,
    replacing_total = replacing_total + excluded.replacing_total;
END;
--> statement-breakpoint
DROP TRIGGER invoice_entry_uncounted;
--> statement-breakpoint
CREATE TRIGGER invoice_entry_uncounted AFTER DELETE ON invoice_entry BEGIN
  UPDATE invoice_total SET invoices = invoices - 1, cancelled = cancelled - OLD.cancelled,
    base = base - iif(OLD.cancelled, 0, coalesce(OLD.counted_base, OLD.base)),
    tax = tax - iif(OLD.cancelled, 0, coalesce(OLD.counted_tax, OLD.tax)),
    total = total - iif(OLD.cancelled, 0, coalesce(OLD.counted_total, OLD.total)),
    replacing = replacing - iif(OLD.document = 'replacing', 1, 0),
    replacing_base = replacing_base - iif(OLD.document = 'replacing', coalesce(OLD.counted_base, OLD.base), 0),
    replacing_tax = replacing_tax - iif(OLD.document = 'replacing', coalesce(OLD.counted_tax, OLD.tax), 0),
    replacing_total = replacing_total - iif(OLD.document = 'replacing', coalesce(OLD.counted_total, OLD.total), 0)
    WHERE account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying AND state = iif(OLD.test, 'test:', '') || OLD.state;
  DELETE FROM invoice_total WHERE invoices = 0
    AND account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying;
END;
