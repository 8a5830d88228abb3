CREATE TABLE `recovery_code` (
	`user_id` text NOT NULL,
	`code_sha256` text NOT NULL,
	PRIMARY KEY(`user_id`, `code_sha256`),
	FOREIGN KEY (`user_id`) REFERENCES `second_factor`(`user_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `second_factor` (
	`user_id` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	`used_by` text,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `second_factor_pending` ON `second_factor` (`created_at`) WHERE confirmed_at IS NULL;