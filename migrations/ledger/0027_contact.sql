ALTER TABLE `account` ADD `email` text;--> statement-breakpoint
ALTER TABLE `account` ADD `phone` text;--> statement-breakpoint
ALTER TABLE `account` ADD `province` text;--> statement-breakpoint
ALTER TABLE `account` ADD `first_name` text;--> statement-breakpoint
ALTER TABLE `account` ADD `surname_1` text;--> statement-breakpoint
ALTER TABLE `account` ADD `surname_2` text;--> statement-breakpoint
ALTER TABLE `account` ADD `terms` text;
--> statement-breakpoint
-- Contact and terms are part of new invoices: a change of them raises the version, like the other settings.
DROP TRIGGER account_settings;
--> statement-breakpoint
CREATE TRIGGER account_settings AFTER UPDATE OF legal_name, nif, address1, postcode, city, registry, time_zone,
  territory, default_regime, multiple_issuers, verification, issuing_ends_at, email, phone, province, first_name,
  surname_1, surname_2, terms ON account BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.id;
END;
