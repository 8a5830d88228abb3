ALTER TABLE `account` ADD `footer` text;--> statement-breakpoint
ALTER TABLE `account` ADD `look` text;
--> statement-breakpoint
-- The text at the foot is part of new invoices, the look is that of the day.
DROP TRIGGER account_settings;
--> statement-breakpoint
CREATE TRIGGER account_settings AFTER UPDATE OF legal_name, nif, address1, postcode, city, registry, time_zone,
  territory, default_regime, multiple_issuers, verification, issuing_ends_at, email, phone, province, first_name,
  surname_1, surname_2, terms, footer ON account BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.id;
END;
