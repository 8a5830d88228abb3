ALTER TABLE `invoice_entry` ADD `replacing` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `invoice_entry` ADD `document` text GENERATED ALWAYS AS (iif(cancelled, 'cancelled', iif(rectifying, 'rectifying', iif(replacing, 'replacing', 'issued')))) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `invoice_total` ADD `replacing` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `invoice_total` ADD `replacing_base` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `invoice_total` ADD `replacing_tax` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `invoice_total` ADD `replacing_total` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE invoice_entry SET replacing = 1 WHERE invoice_id IN (SELECT id FROM invoice WHERE invoice_type = 'F3');
--> statement-breakpoint
UPDATE invoice_total SET replacing = made.replacing, replacing_base = made.base, replacing_tax = made.tax,
  replacing_total = made.total
FROM (SELECT account_id, grain, substr(place, 1, length) AS period, series,
    iif(test, 'test:', '') || state AS state, count(*) AS replacing, sum(base) AS base, sum(tax) AS tax,
    sum(total) AS total
  FROM invoice_entry CROSS JOIN (SELECT 'day' AS grain, 10 AS length UNION ALL SELECT 'month', 7)
  WHERE document = 'replacing' GROUP BY 1, 2, 3, 4, 5) AS made
WHERE invoice_total.account_id = made.account_id AND invoice_total.grain = made.grain
  AND invoice_total.period = made.period AND invoice_total.series = made.series
  AND invoice_total.rectifying = 0 AND invoice_total.state = made.state;
--> statement-breakpoint
CREATE INDEX `invoice_entry_document` ON `invoice_entry` (`account_id`,`document`,`state`,`place`);
--> statement-breakpoint
CREATE INDEX `invoice_entry_document_connection` ON `invoice_entry` (`account_id`,`connection_id`,`document`,`state`,`place`);
--> statement-breakpoint
CREATE INDEX `invoice_entry_document_series` ON `invoice_entry` (`account_id`,`series`,`document`,`state`,`place`);
--> statement-breakpoint
DROP TRIGGER invoice_entry_update;
--> statement-breakpoint
CREATE TRIGGER invoice_entry_update BEFORE UPDATE ON invoice_entry
WHEN NEW.id IS NOT OLD.id OR NEW.account_id IS NOT OLD.account_id OR NEW.connection_id IS NOT OLD.connection_id
  OR NEW.invoice_id IS NOT OLD.invoice_id OR NEW.place IS NOT OLD.place OR NEW.series IS NOT OLD.series
  OR NEW.rectifying IS NOT OLD.rectifying OR NEW.cancelled < OLD.cancelled
  OR NEW.base IS NOT OLD.base OR NEW.tax IS NOT OLD.tax OR NEW.total IS NOT OLD.total
  OR NEW.test IS NOT OLD.test OR NEW.replacing IS NOT OLD.replacing
BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_entry');
END;
--> statement-breakpoint
DROP TRIGGER invoice_entry_counted;
--> statement-breakpoint
-- The F3 of a sum are told apart too, so that the list of each kind of document has its own.
CREATE TRIGGER invoice_entry_counted AFTER INSERT ON invoice_entry BEGIN
  INSERT INTO invoice_total VALUES
    (NEW.account_id, 'day', substr(NEW.place, 1, 10), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total),
      iif(NEW.document = 'replacing', 1, 0), iif(NEW.document = 'replacing', NEW.base, 0),
      iif(NEW.document = 'replacing', NEW.tax, 0), iif(NEW.document = 'replacing', NEW.total, 0)),
    (NEW.account_id, 'month', substr(NEW.place, 1, 7), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total),
      iif(NEW.document = 'replacing', 1, 0), iif(NEW.document = 'replacing', NEW.base, 0),
      iif(NEW.document = 'replacing', NEW.tax, 0), iif(NEW.document = 'replacing', NEW.total, 0))
  ON CONFLICT DO UPDATE SET invoices = invoices + excluded.invoices, cancelled = cancelled + excluded.cancelled,
    base = base + excluded.base, tax = tax + excluded.tax, total = total + excluded.total,
    replacing = replacing + excluded.replacing, replacing_base = replacing_base + excluded.replacing_base,
    replacing_tax = replacing_tax + excluded.replacing_tax,
    replacing_total = replacing_total + excluded.replacing_total;
END;
--> statement-breakpoint
DROP TRIGGER invoice_entry_counted_anew;
--> statement-breakpoint
CREATE TRIGGER invoice_entry_counted_anew AFTER UPDATE OF state, cancelled ON invoice_entry
WHEN NEW.state IS NOT OLD.state OR NEW.cancelled IS NOT OLD.cancelled
BEGIN
  UPDATE invoice_total SET invoices = invoices - 1, cancelled = cancelled - OLD.cancelled,
    base = base - iif(OLD.cancelled, 0, OLD.base), tax = tax - iif(OLD.cancelled, 0, OLD.tax),
    total = total - iif(OLD.cancelled, 0, OLD.total),
    replacing = replacing - iif(OLD.document = 'replacing', 1, 0),
    replacing_base = replacing_base - iif(OLD.document = 'replacing', OLD.base, 0),
    replacing_tax = replacing_tax - iif(OLD.document = 'replacing', OLD.tax, 0),
    replacing_total = replacing_total - iif(OLD.document = 'replacing', OLD.total, 0)
    WHERE account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying AND state = iif(OLD.test, 'test:', '') || OLD.state;
  INSERT INTO invoice_total VALUES
    (NEW.account_id, 'day', substr(NEW.place, 1, 10), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total),
      iif(NEW.document = 'replacing', 1, 0), iif(NEW.document = 'replacing', NEW.base, 0),
      iif(NEW.document = 'replacing', NEW.tax, 0), iif(NEW.document = 'replacing', NEW.total, 0)),
    (NEW.account_id, 'month', substr(NEW.place, 1, 7), NEW.series, NEW.rectifying,
      iif(NEW.test, 'test:', '') || NEW.state, NEW.connection_id, 1,
      NEW.cancelled, iif(NEW.cancelled, 0, NEW.base), iif(NEW.cancelled, 0, NEW.tax), iif(NEW.cancelled, 0, NEW.total),
      iif(NEW.document = 'replacing', 1, 0), iif(NEW.document = 'replacing', NEW.base, 0),
      iif(NEW.document = 'replacing', NEW.tax, 0), iif(NEW.document = 'replacing', NEW.total, 0))
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
    base = base - iif(OLD.cancelled, 0, OLD.base), tax = tax - iif(OLD.cancelled, 0, OLD.tax),
    total = total - iif(OLD.cancelled, 0, OLD.total),
    replacing = replacing - iif(OLD.document = 'replacing', 1, 0),
    replacing_base = replacing_base - iif(OLD.document = 'replacing', OLD.base, 0),
    replacing_tax = replacing_tax - iif(OLD.document = 'replacing', OLD.tax, 0),
    replacing_total = replacing_total - iif(OLD.document = 'replacing', OLD.total, 0)
    WHERE account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying AND state = iif(OLD.test, 'test:', '') || OLD.state;
  DELETE FROM invoice_total WHERE invoices = 0
    AND account_id = OLD.account_id AND (grain, period) IN
      (VALUES ('day', substr(OLD.place, 1, 10)), ('month', substr(OLD.place, 1, 7)))
      AND series = OLD.series AND rectifying = OLD.rectifying;
END;
