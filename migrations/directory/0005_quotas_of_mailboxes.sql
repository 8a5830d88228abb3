CREATE TABLE `login_mailbox` (
	`user_id` text PRIMARY KEY NOT NULL,
	`mailbox_hash` text NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `login_mailbox_hash` ON `login_mailbox` (`mailbox_hash`);--> statement-breakpoint
CREATE INDEX `login_mailbox_ended` ON `login_mailbox` (`ended_at`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
DROP INDEX `invitation_receiver`;--> statement-breakpoint
ALTER TABLE `invitation` ADD `mailbox` text;--> statement-breakpoint
CREATE INDEX `invitation_receiver` ON `invitation` (`mailbox`,`created_at`);