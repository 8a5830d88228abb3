-- A viewer URL carries the epoch of its connection, so an epoch never comes back and its row never goes.
CREATE TRIGGER customer_access_append BEFORE INSERT ON customer_access BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM customer_access
    WHERE rowid = NEW.rowid AND connection_id <> NEW.connection_id);
END;
--> statement-breakpoint
CREATE TRIGGER customer_access_update BEFORE UPDATE ON customer_access
WHEN NEW.epoch < OLD.epoch OR (OLD.is_on = 1 AND NEW.is_on = 0 AND NEW.epoch = OLD.epoch)
  OR NEW.connection_id IS NOT OLD.connection_id OR NEW.rowid IS NOT OLD.rowid
BEGIN
  SELECT RAISE(ABORT, 'immutable: customer_access');
END;
--> statement-breakpoint
CREATE TRIGGER customer_access_delete BEFORE DELETE ON customer_access BEGIN
  SELECT RAISE(ABORT, 'immutable: customer_access');
END;
--> statement-breakpoint
-- With the last key of a connection every URL that was minted with one ends, whoever revoked it.
CREATE TRIGGER api_key_last_access AFTER UPDATE OF revoked_at ON api_key
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM api_key WHERE connection_id = NEW.connection_id AND revoked_at IS NULL)
BEGIN
  INSERT INTO customer_access (connection_id, account_id, is_on, epoch)
    SELECT id, account_id, 1, 1 FROM connection WHERE id = NEW.connection_id
    ON CONFLICT (connection_id) DO UPDATE SET epoch = epoch + 1;
END;
