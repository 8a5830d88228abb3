CREATE TABLE `shop_count` (
	`connection_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `kind`, `name`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `shop_webhook_task` (
	`connection_id` text NOT NULL,
	`nonce` text NOT NULL,
	`api_url` text,
	`removed` text,
	`due_at` integer,
	`requests` integer NOT NULL,
	`begun_at` integer NOT NULL,
	`made_at` integer,
	`attempts` integer NOT NULL,
	`failure` text,
	PRIMARY KEY(`connection_id`, `nonce`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `shop_webhook_task_due` ON `shop_webhook_task` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
DROP INDEX `shop_backfill_open`;--> statement-breakpoint
ALTER TABLE `shop_backfill_order` ADD `would` text;--> statement-breakpoint
ALTER TABLE `shop_backfill_order` ADD `handed_at` integer;--> statement-breakpoint
CREATE INDEX `shop_backfill_would` ON `shop_backfill_order` (`connection_id`,`would`,`place`);--> statement-breakpoint
CREATE INDEX `shop_backfill_confirmed` ON `shop_backfill_order` (`connection_id`,`place`) WHERE confirmed = 1 AND handed_at IS NULL;--> statement-breakpoint
CREATE INDEX `shop_backfill_handed` ON `shop_backfill_order` (`connection_id`,`native_id`) WHERE handed_at IS NOT NULL AND decided_at IS NULL;--> statement-breakpoint
CREATE INDEX `shop_document_lacking` ON `shop_document` (`connection_id`,`received_at`) WHERE missing <> '[]';--> statement-breakpoint
ALTER TABLE `shop_backfill` DROP COLUMN `listed`;--> statement-breakpoint
ALTER TABLE `shop_backfill` DROP COLUMN `decided`;--> statement-breakpoint
ALTER TABLE `shop_backfill` ADD `is_listed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `shop_backfill` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `shop_backfill_due` ON `shop_backfill` (`due_at`) WHERE due_at IS NOT NULL;
--> statement-breakpoint
-- Counted row by row, so that no page counts them: the statuses of stored documents.
CREATE TRIGGER shop_document_counted AFTER INSERT ON shop_document WHEN NEW.status IS NOT NULL BEGIN
  INSERT INTO shop_count (connection_id, kind, name, count) VALUES (NEW.connection_id, 'status', NEW.status, 1)
    ON CONFLICT (connection_id, kind, name) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER shop_document_uncounted AFTER DELETE ON shop_document WHEN OLD.status IS NOT NULL BEGIN
  UPDATE shop_count SET count = count - 1
    WHERE connection_id = OLD.connection_id AND kind = 'status' AND name = OLD.status;
END;
--> statement-breakpoint
CREATE TRIGGER shop_document_status_left AFTER UPDATE OF status ON shop_document
WHEN OLD.status IS NOT NULL AND NEW.status IS NOT OLD.status BEGIN
  UPDATE shop_count SET count = count - 1
    WHERE connection_id = OLD.connection_id AND kind = 'status' AND name = OLD.status;
END;
--> statement-breakpoint
CREATE TRIGGER shop_document_status_reached AFTER UPDATE OF status ON shop_document
WHEN NEW.status IS NOT NULL AND NEW.status IS NOT OLD.status BEGIN
  INSERT INTO shop_count (connection_id, kind, name, count) VALUES (NEW.connection_id, 'status', NEW.status, 1)
    ON CONFLICT (connection_id, kind, name) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
INSERT INTO shop_count (connection_id, kind, name, count)
  SELECT connection_id, 'status', status, count(*) FROM shop_document WHERE status IS NOT NULL
  GROUP BY connection_id, status;
--> statement-breakpoint
-- The orders of a backfill: found, confirmed and decided, by what they would become.
CREATE TRIGGER shop_backfill_order_found AFTER INSERT ON shop_backfill_order BEGIN
  INSERT INTO shop_count (connection_id, kind, name, count) VALUES (NEW.connection_id, 'found', coalesce(NEW.would, ''), 1)
    ON CONFLICT (connection_id, kind, name) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER shop_backfill_order_seen AFTER UPDATE OF would ON shop_backfill_order WHEN NEW.would IS NOT OLD.would BEGIN
  UPDATE shop_count SET count = count - 1
    WHERE connection_id = OLD.connection_id AND kind = 'found' AND name = coalesce(OLD.would, '');
  INSERT INTO shop_count (connection_id, kind, name, count) VALUES (NEW.connection_id, 'found', coalesce(NEW.would, ''), 1)
    ON CONFLICT (connection_id, kind, name) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER shop_backfill_order_confirmed AFTER UPDATE OF confirmed ON shop_backfill_order
WHEN NEW.confirmed = 1 AND OLD.confirmed = 0 BEGIN
  INSERT INTO shop_count (connection_id, kind, name, count) VALUES (NEW.connection_id, 'confirmed', coalesce(NEW.would, ''), 1)
    ON CONFLICT (connection_id, kind, name) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER shop_backfill_order_decided AFTER UPDATE OF decided_at ON shop_backfill_order
WHEN NEW.decided_at IS NOT NULL AND OLD.decided_at IS NULL BEGIN
  INSERT INTO shop_count (connection_id, kind, name, count) VALUES (NEW.connection_id, 'decided', coalesce(NEW.would, ''), 1)
    ON CONFLICT (connection_id, kind, name) DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER shop_backfill_order_deleted AFTER DELETE ON shop_backfill_order BEGIN
  UPDATE shop_count SET count = count - 1
    WHERE connection_id = OLD.connection_id AND kind = 'found' AND name = coalesce(OLD.would, '');
  UPDATE shop_count SET count = count - OLD.confirmed
    WHERE connection_id = OLD.connection_id AND kind = 'confirmed' AND name = coalesce(OLD.would, '');
  UPDATE shop_count SET count = count - (OLD.decided_at IS NOT NULL)
    WHERE connection_id = OLD.connection_id AND kind = 'decided' AND name = coalesce(OLD.would, '');
END;
