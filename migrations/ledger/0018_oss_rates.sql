CREATE TABLE `oss_rate` (
	`account_id` text NOT NULL,
	`area` text NOT NULL,
	`rate` text NOT NULL,
	`from_date` text NOT NULL,
	`kept_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `area`, `rate`),
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
-- A setting of the account: whoever decided without it decides again.
CREATE TRIGGER oss_rate_insert_settings AFTER INSERT ON oss_rate BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER oss_rate_update_settings AFTER UPDATE ON oss_rate BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER oss_rate_delete_settings AFTER DELETE ON oss_rate BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = OLD.account_id;
END;
