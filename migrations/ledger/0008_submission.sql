CREATE TABLE `chain_submission` (
	`installation_id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`account_id` text NOT NULL,
	`seq` integer NOT NULL,
	`wait_seconds` integer NOT NULL,
	`due_at` integer NOT NULL,
	`failures` integer NOT NULL,
	`affected_to` integer NOT NULL,
	`incident_since` integer,
	`answered_at` integer,
	`stopped` text,
	`isolation` text,
	FOREIGN KEY (`installation_id`) REFERENCES `installation`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `representation` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`document_sha256` text NOT NULL,
	`signed_by` text NOT NULL,
	`signed_on` text NOT NULL,
	`stored_by` text NOT NULL,
	`stored_at` integer NOT NULL,
	`withdrawn_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `representation_standing` ON `representation` (`account_id`) WHERE withdrawn_at IS NULL;--> statement-breakpoint
CREATE TABLE `submission_attempt` (
	`id` text PRIMARY KEY NOT NULL,
	`installation_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`account_id` text NOT NULL,
	`from_position` integer NOT NULL,
	`to_position` integer NOT NULL,
	`incident` integer NOT NULL,
	`resend` integer NOT NULL,
	`request_sha256` text NOT NULL,
	`started_at` integer NOT NULL,
	`lease_until` integer NOT NULL,
	`ended_at` integer,
	`result` text,
	`csv` text,
	`presented_at` text,
	`answer_sha256` text,
	FOREIGN KEY (`installation_id`) REFERENCES `installation`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `submission_attempt_open` ON `submission_attempt` (`installation_id`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `submission_attempt_started` ON `submission_attempt` (`installation_id`,`started_at`);--> statement-breakpoint
CREATE TABLE `webhook_cursor` (
	`endpoint_id` text NOT NULL,
	`installation_id` text NOT NULL,
	`position` integer NOT NULL,
	`changed_seq` integer NOT NULL,
	`changed_position` integer NOT NULL,
	PRIMARY KEY(`endpoint_id`, `installation_id`),
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoint`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`installation_id`) REFERENCES `installation`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `webhook_delivery` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`event` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`asked_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer,
	`last_at` integer,
	`last_outcome` text,
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoint`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_delivery_attempts" CHECK("webhook_delivery"."attempts" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_delivery_subject` ON `webhook_delivery` (`endpoint_id`,`event`,`subject`);--> statement-breakpoint
CREATE INDEX `webhook_delivery_due` ON `webhook_delivery` (`endpoint_id`,`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_delivery_log` ON `webhook_delivery` (`endpoint_id`,`asked_at`);--> statement-breakpoint
CREATE TABLE `webhook_endpoint` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`account_id` text NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`events` text NOT NULL,
	`created_at` integer NOT NULL,
	`held_seq` integer NOT NULL,
	`ended_at` integer,
	`ended_because` text,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoint_connection` ON `webhook_endpoint` (`connection_id`);--> statement-breakpoint
CREATE INDEX `webhook_endpoint_alive` ON `webhook_endpoint` (`connection_id`) WHERE ended_at IS NULL;--> statement-breakpoint
ALTER TABLE `record` ADD `standing` text;--> statement-breakpoint
ALTER TABLE `record` ADD `changed_seq` integer;--> statement-breakpoint
CREATE INDEX `record_changed` ON `record` (`installation_id`,`changed_seq`,`position`) WHERE changed_seq IS NOT NULL;--> statement-breakpoint
ALTER TABLE `shop_order` ADD `held_seq` integer;--> statement-breakpoint
CREATE INDEX `shop_order_held_seq` ON `shop_order` (`connection_id`,`held_seq`) WHERE held_seq IS NOT NULL;