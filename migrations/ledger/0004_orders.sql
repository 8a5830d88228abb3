CREATE TABLE `profile` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`name` text NOT NULL,
	`channel` text,
	`store_id` text,
	`stem` text NOT NULL,
	`sales` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `profile_connection` ON `profile` (`connection_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `profile_stem` ON `profile` (`account_id`,`stem`);--> statement-breakpoint
CREATE TABLE `series_stem` (
	`account_id` text NOT NULL,
	`code` text NOT NULL,
	`stem` text NOT NULL,
	`connection_id` text NOT NULL,
	PRIMARY KEY(`account_id`, `code`),
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shop_callback` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`delivery_id` text,
	`asked_at` integer,
	`attempts` integer NOT NULL,
	`due_at` integer,
	`last_at` integer,
	`last_outcome` text,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shop_callback_due` ON `shop_callback` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `shop_order` (
	`connection_id` text NOT NULL,
	`id_external` text NOT NULL,
	`state` text NOT NULL,
	`ordered_at` integer NOT NULL,
	`order_day` text NOT NULL,
	`due_date` text NOT NULL,
	`status` text,
	`rate_day` text,
	`rate_currency` text,
	`waits_for_rate` integer NOT NULL,
	`decide_from` text,
	`undecided` integer NOT NULL,
	`was_candidate` integer NOT NULL,
	`facts` text NOT NULL,
	`sent_sha256` text NOT NULL,
	`reasons` text NOT NULL,
	`warnings` text NOT NULL,
	`answers` text NOT NULL,
	`acted` text NOT NULL,
	`sold_fingerprint` text,
	`created_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`request_id` text NOT NULL,
	PRIMARY KEY(`connection_id`, `id_external`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shop_order_state" CHECK("shop_order"."state" IN ('stored', 'deferred', 'before_cutoff', 'store_not_selected', 'held', 'invoiced',
        'partially_rectified', 'rectified', 'cancelled'))
);
--> statement-breakpoint
CREATE INDEX `shop_order_deferred` ON `shop_order` (`connection_id`,`ordered_at`,`id_external`) WHERE state = 'deferred';--> statement-breakpoint
CREATE INDEX `shop_order_before_cutoff` ON `shop_order` (`connection_id`,`order_day`) WHERE state = 'before_cutoff';--> statement-breakpoint
CREATE INDEX `shop_order_held` ON `shop_order` (`connection_id`,`due_date`,`id_external`) WHERE state = 'held';--> statement-breakpoint
CREATE INDEX `shop_order_undecided` ON `shop_order` (`connection_id`,`ordered_at`) WHERE undecided = 1;--> statement-breakpoint
CREATE INDEX `shop_order_unselected` ON `shop_order` (`connection_id`) WHERE state = 'store_not_selected';--> statement-breakpoint
CREATE INDEX `shop_order_dated` ON `shop_order` (`connection_id`,`decide_from`) WHERE decide_from IS NOT NULL;--> statement-breakpoint
CREATE INDEX `shop_order_rate` ON `shop_order` (`connection_id`,`rate_day`,`rate_currency`) WHERE waits_for_rate = 1;--> statement-breakpoint
CREATE TABLE `shop_order_sent` (
	`connection_id` text NOT NULL,
	`id_external` text NOT NULL,
	`sent` text NOT NULL,
	PRIMARY KEY(`connection_id`, `id_external`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `tag_rule` (
	`connection_id` text NOT NULL,
	`account_id` text NOT NULL,
	`tag` text NOT NULL,
	`action` text NOT NULL,
	PRIMARY KEY(`connection_id`, `tag`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "tag_rule_action" CHECK("tag_rule"."action" IN ('hold', 'ignore'))
);
--> statement-breakpoint
ALTER TABLE `consent` ADD `declaration` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `shop_setup` ADD `order_stem` text;