ALTER TABLE `shop_backfill_order` ADD `given_up` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `shop_backfill_given_up` ON `shop_backfill_order` (`connection_id`,`place`) WHERE given_up = 1;
--> statement-breakpoint
CREATE TRIGGER shop_backfill_order_given_up AFTER UPDATE OF given_up ON shop_backfill_order
WHEN NEW.given_up = 1 AND OLD.given_up = 0 BEGIN
  INSERT INTO shop_count (connection_id, kind, name, count) VALUES (NEW.connection_id, 'given_up', coalesce(NEW.would, ''), 1)
    ON CONFLICT (connection_id, kind, name) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER shop_backfill_order_given_up_deleted AFTER DELETE ON shop_backfill_order WHEN OLD.given_up = 1 BEGIN
  UPDATE shop_count SET count = count - 1
    WHERE connection_id = OLD.connection_id AND kind = 'given_up' AND name = coalesce(OLD.would, '');
END;
