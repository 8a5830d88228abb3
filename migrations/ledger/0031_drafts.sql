CREATE TABLE `invoice_draft` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`made_by` text NOT NULL,
	`version` integer NOT NULL,
	`content` text NOT NULL,
	`saved_by` text NOT NULL,
	`saved_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoice_draft_version" CHECK("invoice_draft"."version" >= 1)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_draft_made` ON `invoice_draft` (`account_id`,`made_by`);--> statement-breakpoint
CREATE INDEX `invoice_draft_listed` ON `invoice_draft` (`account_id`,`saved_at`,`id`);--> statement-breakpoint
CREATE INDEX `invoice_draft_aged` ON `invoice_draft` (`saved_at`);--> statement-breakpoint
-- A draft ends in the batch that issues it: no crash leaves one that could be issued again.
CREATE TRIGGER invoice_ends_draft AFTER INSERT ON invoice
WHEN NEW.origin >= 'direct:console:' AND NEW.origin < 'direct:console;'
BEGIN
  DELETE FROM invoice_draft
  WHERE id = substr(NEW.origin, length('direct:console:') + 1) AND account_id = NEW.account_id;
END;
