-- What an owner declares decides issuances, so it raises the settings version; what a shop tells does not.
CREATE TRIGGER shop_setup_insert_settings AFTER INSERT ON shop_setup BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER shop_setup_update_settings AFTER UPDATE ON shop_setup BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_append BEFORE INSERT ON audit_log BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM audit_log WHERE rowid = NEW.rowid)
    OR EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_update BEFORE UPDATE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'immutable: audit_log');
END;
--> statement-breakpoint
CREATE TRIGGER audit_log_delete BEFORE DELETE ON audit_log BEGIN
  SELECT RAISE(ABORT, 'immutable: audit_log');
END;
