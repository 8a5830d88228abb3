CREATE TABLE `audit_log` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`connection_id` text,
	`user_id` text NOT NULL,
	`at` integer NOT NULL,
	`verb` text NOT NULL,
	`facts` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `audit_log_account` ON `audit_log` (`account_id`,`at`);--> statement-breakpoint
CREATE TABLE `exchange_rate` (
	`day` text NOT NULL,
	`currency` text NOT NULL,
	`rate` text NOT NULL,
	PRIMARY KEY(`day`, `currency`)
);
--> statement-breakpoint
CREATE TABLE `shop_client` (
	`connection_id` text NOT NULL,
	`id_external` text NOT NULL,
	`facts` text NOT NULL,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `id_external`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shop_inventory` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`orders_total` integer,
	`received_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shop_module` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`platform` text,
	`module_version` text,
	`contract_version` text,
	`seen_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shop_setup` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`state` text NOT NULL,
	`store_ids` text,
	`sales` text NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shop_status` (
	`connection_id` text NOT NULL,
	`id_external` text NOT NULL,
	`name` text NOT NULL,
	`paid` integer NOT NULL,
	`cancelled` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `id_external`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shop_store` (
	`connection_id` text NOT NULL,
	`store_id` text NOT NULL,
	`name` text,
	`url` text,
	`orders_count` integer,
	`ordinal` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `store_id`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
