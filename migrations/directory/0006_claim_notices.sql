CREATE TABLE `claim_notice` (
	`claim_id` text NOT NULL,
	`notice` text NOT NULL,
	`user_id` text NOT NULL,
	`event_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`claim_id`, `notice`, `user_id`),
	FOREIGN KEY (`claim_id`) REFERENCES `claim`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `claim_notice_due` ON `claim_notice` (`due_at`);