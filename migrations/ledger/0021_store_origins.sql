CREATE TABLE `store_origin` (
	`connection_id` text NOT NULL,
	`account_id` text NOT NULL,
	`origin` text NOT NULL,
	`store_id` text NOT NULL,
	`seen_at` integer NOT NULL,
	`refused_at` integer,
	PRIMARY KEY(`connection_id`, `origin`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
-- Whose origin came once is known for good: no row goes, and what its owner refused stays refused.
CREATE TRIGGER store_origin_append BEFORE INSERT ON store_origin BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM store_origin WHERE rowid = NEW.rowid
    AND (connection_id <> NEW.connection_id OR origin <> NEW.origin));
END;
--> statement-breakpoint
CREATE TRIGGER store_origin_update BEFORE UPDATE ON store_origin
WHEN (OLD.refused_at IS NOT NULL AND NEW.refused_at IS NULL)
  OR NEW.connection_id IS NOT OLD.connection_id OR NEW.account_id IS NOT OLD.account_id
  OR NEW.origin IS NOT OLD.origin OR NEW.rowid IS NOT OLD.rowid
BEGIN
  SELECT RAISE(ABORT, 'immutable: store_origin');
END;
--> statement-breakpoint
CREATE TRIGGER store_origin_delete BEFORE DELETE ON store_origin BEGIN
  SELECT RAISE(ABORT, 'immutable: store_origin');
END;
