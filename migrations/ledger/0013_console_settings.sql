ALTER TABLE `api_key` ADD `tail` text;--> statement-breakpoint
ALTER TABLE `shop_setup` ADD `chosen_at` integer;--> statement-breakpoint
ALTER TABLE `shop_store` ADD `seen_at` integer;--> statement-breakpoint
CREATE INDEX `authorisation_account` ON `authorisation` (`account_id`,`active_from`);--> statement-breakpoint
CREATE INDEX `audit_log_verb` ON `audit_log` (`account_id`,`verb`,`at`);--> statement-breakpoint
CREATE INDEX `audit_log_person` ON `audit_log` (`account_id`,`user_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_log_person_verb` ON `audit_log` (`account_id`,`user_id`,`verb`,`at`);--> statement-breakpoint
CREATE INDEX `representation_account` ON `representation` (`account_id`,`stored_at`);