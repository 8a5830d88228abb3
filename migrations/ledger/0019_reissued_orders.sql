DROP TRIGGER shop_order_update;
--> statement-breakpoint
-- What an invoice was made from is known for ever: nothing else tells a change from a repeat. An order that came
-- back has a new invoice, whose generation stands before the colon: 2:..., which follows a fingerprint without one.
CREATE TRIGGER shop_order_update BEFORE UPDATE ON shop_order
WHEN OLD.sold_fingerprint IS NOT NULL AND NEW.sold_fingerprint IS NOT OLD.sold_fingerprint AND NOT EXISTS (
    SELECT 1 FROM invoice WHERE connection_id = NEW.connection_id
      AND origin = 'reissue:' || substr(NEW.sold_fingerprint, 1, instr(NEW.sold_fingerprint, ':')) || NEW.id_external
      AND CAST(substr(NEW.sold_fingerprint, 1, instr(NEW.sold_fingerprint, ':')) AS INTEGER)
        > CAST(substr(OLD.sold_fingerprint, 1, instr(OLD.sold_fingerprint, ':')) AS INTEGER))
  OR NEW.connection_id IS NOT OLD.connection_id OR NEW.id_external IS NOT OLD.id_external
  OR NEW.rowid IS NOT OLD.rowid
BEGIN
  SELECT RAISE(ABORT, 'immutable: shop_order');
END;
