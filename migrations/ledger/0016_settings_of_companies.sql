ALTER TABLE `account` ADD `registry` text;--> statement-breakpoint
-- What prints on an invoice is a setting like the others: a change of it raises the version.
DROP TRIGGER account_settings;
--> statement-breakpoint
CREATE TRIGGER account_settings AFTER UPDATE OF legal_name, nif, address1, postcode, city, registry, time_zone,
  territory, default_regime, multiple_issuers ON account BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
-- One key that is used, and one that takes its place: a third is never alive beside them.
CREATE TRIGGER api_key_overlap BEFORE INSERT ON api_key
WHEN (SELECT count(*) FROM api_key WHERE connection_id = NEW.connection_id AND revoked_at IS NULL) >= 2 BEGIN
  SELECT RAISE(ABORT, 'overlap: api_key');
END;
