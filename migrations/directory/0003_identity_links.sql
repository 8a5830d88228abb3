CREATE TABLE `identity_event` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`event` text NOT NULL,
	`at` integer NOT NULL,
	`count` integer DEFAULT 1 NOT NULL,
	`device` text,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `identity_event_user` ON `identity_event` (`user_id`,`at`);--> statement-breakpoint
CREATE INDEX `identity_event_at` ON `identity_event` (`at`);--> statement-breakpoint
CREATE TABLE `identity_link` (
	`token_sha256` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`user_id` text,
	`name` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "identity_link_kind" CHECK("identity_link"."kind" IN ('sign_up', 'password', 'new_email', 'old_email')),
	CONSTRAINT "identity_link_whose" CHECK(("identity_link"."kind" = 'sign_up') = ("identity_link"."user_id" IS NULL))
);
--> statement-breakpoint
CREATE INDEX `identity_link_email` ON `identity_link` (`email`);--> statement-breakpoint
CREATE INDEX `identity_link_user` ON `identity_link` (`user_id`);--> statement-breakpoint
CREATE INDEX `identity_link_expires` ON `identity_link` (`expires_at`);--> statement-breakpoint
CREATE TABLE `known_device` (
	`id_sha256` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `known_device_user` ON `known_device` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `known_device_expires` ON `known_device` (`expires_at`);--> statement-breakpoint
ALTER TABLE `sign_in_failure` ADD `account_hash` text;--> statement-breakpoint
ALTER TABLE `sign_in_failure` ADD `free_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sign_in_failure` ADD `taken_by` text;--> statement-breakpoint
CREATE INDEX `sign_in_failure_account` ON `sign_in_failure` (`account_hash`);--> statement-breakpoint
ALTER TABLE `user` ADD `language` text;
--> statement-breakpoint
-- Who signed in before addresses were proven counts as proven.
UPDATE `user` SET `email_verified` = 1;
