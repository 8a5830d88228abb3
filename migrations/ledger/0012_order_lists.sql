CREATE TABLE `order_release` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`consent_id` text NOT NULL,
	`total` integer NOT NULL,
	`invoiced` integer NOT NULL,
	`held` integer NOT NULL,
	`settled` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `audit_log` ADD `order_id` text GENERATED ALWAYS AS ((facts ->> '$.order')) VIRTUAL;--> statement-breakpoint
CREATE INDEX `audit_log_order` ON `audit_log` (`connection_id`,`order_id`,`at`) WHERE order_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `shop_order` ADD `currency` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `shop_order` ADD `total` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `shop_order` ADD `reference` text GENERATED ALWAYS AS ((facts ->> '$.reference')) VIRTUAL;--> statement-breakpoint
ALTER TABLE `shop_order` ADD `store_id` text GENERATED ALWAYS AS ((facts ->> '$.storeId')) VIRTUAL;--> statement-breakpoint
ALTER TABLE `shop_order` ADD `held_for` text GENERATED ALWAYS AS ((reasons ->> '$[0].code')) VIRTUAL;--> statement-breakpoint
CREATE INDEX `shop_order_listed` ON `shop_order` (`connection_id`,`state`,`ordered_at`,`id_external`);--> statement-breakpoint
CREATE INDEX `shop_order_store` ON `shop_order` (`connection_id`,`store_id`,`state`,`ordered_at`,`id_external`) WHERE store_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `shop_order_reference` ON `shop_order` (`connection_id`,`reference`) WHERE reference IS NOT NULL;--> statement-breakpoint
CREATE INDEX `shop_order_held_for` ON `shop_order` (`connection_id`,`held_for`,`due_date`,`id_external`) WHERE state = 'held';--> statement-breakpoint
CREATE INDEX `shop_order_waiting` ON `shop_order` (`connection_id`,`state`,`order_day`,`currency`,`rate_day`,`total`,`sold_fingerprint`) WHERE state IN ('deferred', 'before_cutoff', 'held') AND sold_fingerprint IS NULL;--> statement-breakpoint
UPDATE shop_order SET currency = facts ->> '$.currency', total = facts ->> '$.total';
--> statement-breakpoint
-- Consent counts what waits for it; every order that is decided after it counts itself.
CREATE TRIGGER order_release_begin AFTER INSERT ON consent BEGIN
  INSERT INTO order_release (connection_id, account_id, consent_id, total, invoiced, held, settled, changed_at)
  SELECT NEW.connection_id, NEW.account_id, NEW.id, count(*), 0, 0, 0, NEW.granted_at FROM shop_order
    WHERE connection_id = NEW.connection_id AND state = 'deferred'
  ON CONFLICT (connection_id) DO UPDATE SET consent_id = excluded.consent_id, total = excluded.total,
    invoiced = 0, held = 0, settled = 0, changed_at = excluded.changed_at;
END;
--> statement-breakpoint
CREATE TRIGGER order_release_count AFTER UPDATE OF state ON shop_order
WHEN OLD.state = 'deferred' AND NEW.state <> 'deferred' BEGIN
  UPDATE order_release SET invoiced = invoiced + (NEW.state = 'invoiced'), held = held + (NEW.state = 'held'),
    settled = settled + (NEW.state NOT IN ('invoiced', 'held')), changed_at = NEW.changed_at
  WHERE connection_id = NEW.connection_id;
END;
