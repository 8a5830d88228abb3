DROP INDEX `profile_stem`;--> statement-breakpoint
CREATE UNIQUE INDEX `profile_stem` ON `profile` (`connection_id`,`stem`);--> statement-breakpoint
ALTER TABLE `account` ADD `verification` text DEFAULT 'verified' NOT NULL;--> statement-breakpoint
ALTER TABLE `account` ADD `issuing_ends_at` integer;--> statement-breakpoint
ALTER TABLE `account` ADD `heard_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `installation` ADD `trial` integer DEFAULT false NOT NULL;
--> statement-breakpoint
-- An opening that broke off ends as every other: unverified. One that the directory lists hears of it there.
UPDATE account SET verification = 'unverified', heard_seq = -1
WHERE id IN (SELECT account_id FROM account_opening)
  AND NOT EXISTS (SELECT 1 FROM connection WHERE connection.account_id = account.id);
--> statement-breakpoint
-- Whether what is issued is a test, and until when a contested account issues, are settings like the others.
DROP TRIGGER account_settings;
--> statement-breakpoint
CREATE TRIGGER account_settings AFTER UPDATE OF legal_name, nif, address1, postcode, city, registry, time_zone,
  territory, default_regime, multiple_issuers, verification, issuing_ends_at ON account BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER account_opened_verification BEFORE INSERT ON account
WHEN NEW.verification NOT IN ('unverified', 'in_review', 'verified', 'contested') BEGIN
  SELECT RAISE(ABORT, 'unknown: verification');
END;
--> statement-breakpoint
CREATE TRIGGER account_verification BEFORE UPDATE OF verification ON account
WHEN NEW.verification NOT IN ('unverified', 'in_review', 'verified', 'contested') BEGIN
  SELECT RAISE(ABORT, 'unknown: verification');
END;
--> statement-breakpoint
-- An installation for tests stays one: what it has numbered is never mistaken for an invoice.
CREATE TRIGGER installation_trial_update BEFORE UPDATE OF trial ON installation
WHEN NEW.trial IS NOT OLD.trial BEGIN
  SELECT RAISE(ABORT, 'immutable: installation');
END;
