CREATE TABLE `shop` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`platform` text NOT NULL,
	`url` text,
	`nonce` text NOT NULL,
	`previous_nonce` text,
	`previous_until` integer,
	`secret` text,
	`previous_secret` text,
	`credentials` text,
	`settings` text NOT NULL,
	`settings_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer,
	`tables` text,
	`tables_at` integer,
	`tested` text,
	`tested_at` integer,
	`delivered_at` integer,
	`fetched_at` integer,
	`failing_since` integer,
	`failure` text,
	`credentials_refused_at` integer,
	`reconciled_at` integer,
	`reconcile_failures` integer NOT NULL,
	`seen_until` integer,
	`forged` integer NOT NULL,
	`forged_at` integer,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shop_platform" CHECK("shop"."platform" IN ('woocommerce', 'shopify', 'prestashop', 'magento'))
);
--> statement-breakpoint
CREATE INDEX `shop_due` ON `shop` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `shop_backfill` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`since` text NOT NULL,
	`page` text,
	`listed` integer NOT NULL,
	`decided` integer NOT NULL,
	`has_more` integer NOT NULL,
	`begun_at` integer NOT NULL,
	`confirmed_at` integer,
	`failure` text,
	`attempts` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shop_backfill_state" CHECK("shop_backfill"."state" IN ('listing', 'listed', 'confirmed', 'done'))
);
--> statement-breakpoint
CREATE TABLE `shop_backfill_order` (
	`connection_id` text NOT NULL,
	`native_id` text NOT NULL,
	`place` integer NOT NULL,
	`outlook` text,
	`confirmed` integer NOT NULL,
	`decided_at` integer,
	PRIMARY KEY(`connection_id`, `native_id`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shop_backfill_place` ON `shop_backfill_order` (`connection_id`,`place`);--> statement-breakpoint
CREATE INDEX `shop_backfill_unseen` ON `shop_backfill_order` (`connection_id`,`place`) WHERE outlook IS NULL;--> statement-breakpoint
CREATE INDEX `shop_backfill_open` ON `shop_backfill_order` (`connection_id`,`place`) WHERE confirmed = 1 AND decided_at IS NULL;--> statement-breakpoint
CREATE TABLE `shop_delivery` (
	`connection_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`topic` text NOT NULL,
	`sha256` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`outcome` text NOT NULL,
	`why` text,
	`order_id` text,
	`body` text,
	`body_key` text,
	`received_at` integer NOT NULL,
	`repeats` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `delivery_id`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shop_delivery_outcome" CHECK("shop_delivery"."outcome" IN ('accepted', 'decided', 'ignored', 'unreadable'))
);
--> statement-breakpoint
CREATE INDEX `shop_delivery_log` ON `shop_delivery` (`connection_id`,`received_at`,`delivery_id`);--> statement-breakpoint
CREATE INDEX `shop_delivery_aged` ON `shop_delivery` (`received_at`);--> statement-breakpoint
CREATE INDEX `shop_delivery_body` ON `shop_delivery` (`received_at`) WHERE outcome <> 'decided' AND (body IS NOT NULL OR body_key IS NOT NULL);--> statement-breakpoint
CREATE INDEX `shop_delivery_order` ON `shop_delivery` (`connection_id`,`order_id`) WHERE order_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `shop_document` (
	`connection_id` text NOT NULL,
	`id_external` text NOT NULL,
	`status` text,
	`documents` text,
	`body_key` text,
	`sha256` text NOT NULL,
	`source` text NOT NULL,
	`modified_at` integer,
	`received_at` integer NOT NULL,
	`settings_version` integer NOT NULL,
	`missing` text NOT NULL,
	PRIMARY KEY(`connection_id`, `id_external`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shop_document_mapped` ON `shop_document` (`connection_id`,`settings_version`,`id_external`);--> statement-breakpoint
CREATE INDEX `shop_document_status` ON `shop_document` (`connection_id`,`status`);--> statement-breakpoint
CREATE INDEX `shop_document_received` ON `shop_document` (`connection_id`,`received_at`);--> statement-breakpoint
CREATE TABLE `shop_dropped_body` (
	`key` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `shop_fetch` (
	`connection_id` text NOT NULL,
	`native_id` text NOT NULL,
	`because` text NOT NULL,
	`due_at` integer NOT NULL,
	`hints` integer NOT NULL,
	`attempts` integer NOT NULL,
	`failing_since` integer,
	`failure` text,
	PRIMARY KEY(`connection_id`, `native_id`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shop_fetch_due` ON `shop_fetch` (`connection_id`,`due_at`);--> statement-breakpoint
CREATE INDEX `shop_fetch_overdue` ON `shop_fetch` (`due_at`);
--> statement-breakpoint
-- A row that loses its body in R2 leaves the key behind, until cron has erased the object.
CREATE TRIGGER shop_delivery_body_dropped AFTER UPDATE OF body_key ON shop_delivery
WHEN OLD.body_key IS NOT NULL AND NEW.body_key IS NOT OLD.body_key BEGIN
  INSERT INTO shop_dropped_body (key) VALUES (OLD.body_key) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER shop_delivery_deleted AFTER DELETE ON shop_delivery WHEN OLD.body_key IS NOT NULL BEGIN
  INSERT INTO shop_dropped_body (key) VALUES (OLD.body_key) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER shop_document_body_dropped AFTER UPDATE OF body_key ON shop_document
WHEN OLD.body_key IS NOT NULL AND NEW.body_key IS NOT OLD.body_key BEGIN
  INSERT INTO shop_dropped_body (key) VALUES (OLD.body_key) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER shop_document_deleted AFTER DELETE ON shop_document WHEN OLD.body_key IS NOT NULL BEGIN
  INSERT INTO shop_dropped_body (key) VALUES (OLD.body_key) ON CONFLICT DO NOTHING;
END;
