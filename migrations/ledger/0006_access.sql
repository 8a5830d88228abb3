CREATE TABLE `allowed_origin` (
	`connection_id` text NOT NULL,
	`account_id` text NOT NULL,
	`origin` text NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `origin`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `customer_access` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`is_on` integer NOT NULL,
	`epoch` integer NOT NULL,
	`switched_at` integer,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "customer_access_is_on" CHECK("customer_access"."is_on" IN (0, 1)),
	CONSTRAINT "customer_access_epoch" CHECK("customer_access"."epoch" >= 0)
);
