CREATE TABLE `account_opening` (
	`account_id` text PRIMARY KEY NOT NULL,
	`tried_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `account_opening_tried` ON `account_opening` (`tried_at`);
--> statement-breakpoint
-- What had broken off before is finished too: of the last day, as until now. The others are in the directory.
INSERT INTO account_opening (account_id, tried_at)
SELECT id, opened_at FROM account WHERE opened_at > (unixepoch() - 86400) * 1000;
