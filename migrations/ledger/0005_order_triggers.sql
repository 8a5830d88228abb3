-- What an owner declares decides issuances, so it raises the settings version; orders and callbacks do not.
CREATE TRIGGER profile_insert_settings AFTER INSERT ON profile BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER profile_update_settings AFTER UPDATE ON profile BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER profile_delete_settings AFTER DELETE ON profile BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = OLD.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER tag_rule_insert_settings AFTER INSERT ON tag_rule BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER tag_rule_update_settings AFTER UPDATE ON tag_rule BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER tag_rule_delete_settings AFTER DELETE ON tag_rule BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = OLD.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER series_stem_append BEFORE INSERT ON series_stem BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM series_stem WHERE rowid = NEW.rowid)
    OR EXISTS (SELECT 1 FROM series_stem WHERE account_id = NEW.account_id AND code = NEW.code);
  -- A code that numbered for another connection is never given again.
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM series WHERE account_id = NEW.account_id
    AND code > NEW.code || '-' AND code < NEW.code || '.' AND code GLOB NEW.code || '-[0-9][0-9][0-9][0-9]'
    AND connection_id <> NEW.connection_id);
END;
--> statement-breakpoint
CREATE TRIGGER series_stem_update BEFORE UPDATE ON series_stem BEGIN
  SELECT RAISE(ABORT, 'immutable: series_stem');
END;
--> statement-breakpoint
-- A stem may be given up until its first number.
CREATE TRIGGER series_stem_delete BEFORE DELETE ON series_stem
WHEN EXISTS (SELECT 1 FROM series WHERE account_id = OLD.account_id
  AND code > OLD.code || '-' AND code < OLD.code || '.' AND code GLOB OLD.code || '-[0-9][0-9][0-9][0-9]')
BEGIN
  SELECT RAISE(ABORT, 'immutable: series_stem');
END;
--> statement-breakpoint
-- One order, one row: a REPLACE would erase what was decided of it.
CREATE TRIGGER shop_order_append BEFORE INSERT ON shop_order BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM shop_order
    WHERE rowid = NEW.rowid AND (connection_id <> NEW.connection_id OR id_external <> NEW.id_external));
END;
--> statement-breakpoint
-- What the first invoice was made from is known for ever: nothing else tells a change from a repeat.
CREATE TRIGGER shop_order_update BEFORE UPDATE ON shop_order
WHEN OLD.sold_fingerprint IS NOT NULL AND NEW.sold_fingerprint IS NOT OLD.sold_fingerprint
  OR NEW.connection_id IS NOT OLD.connection_id OR NEW.id_external IS NOT OLD.id_external
  OR NEW.rowid IS NOT OLD.rowid
BEGIN
  SELECT RAISE(ABORT, 'immutable: shop_order');
END;
