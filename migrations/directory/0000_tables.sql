CREATE TABLE `account_directory` (
	`account_id` text PRIMARY KEY NOT NULL,
	`nif` text NOT NULL,
	`ledger` text NOT NULL,
	`opened_at` integer NOT NULL,
	`closed_at` integer,
	CONSTRAINT "account_directory_ledger" CHECK(length("account_directory"."ledger") = 3)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_directory_nif` ON `account_directory` (`nif`);--> statement-breakpoint
CREATE TABLE `account_owner` (
	`account_id` text NOT NULL,
	`owner_id` text NOT NULL,
	PRIMARY KEY(`account_id`, `owner_id`),
	FOREIGN KEY (`account_id`) REFERENCES `account_directory`(`account_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `account_owner_owner` ON `account_owner` (`owner_id`);