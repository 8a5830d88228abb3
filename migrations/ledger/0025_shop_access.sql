ALTER TABLE `shop` ADD `access` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `tables_due_at` integer;--> statement-breakpoint
ALTER TABLE `shop` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `paused_until` integer;--> statement-breakpoint
ALTER TABLE `shop` ADD `counted_day` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `day_deliveries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `shop` ADD `day_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `shop_dropped_body` ADD `due_at` integer DEFAULT 0 NOT NULL;