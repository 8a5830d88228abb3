CREATE TABLE `invoice_delivery` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`account_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`channel` text NOT NULL,
	`address` text NOT NULL,
	`language` text NOT NULL,
	`formats` text NOT NULL,
	`cause` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer,
	`queued_at` integer NOT NULL,
	`sent_at` integer,
	`error` text,
	`request_id` text NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoice_delivery_channel" CHECK("invoice_delivery"."channel" IN ('email')),
	CONSTRAINT "invoice_delivery_state" CHECK("invoice_delivery"."state" IN ('queued', 'sent', 'failed')),
	CONSTRAINT "invoice_delivery_due_state" CHECK(("invoice_delivery"."due_at" IS NOT NULL) = ("invoice_delivery"."state" = 'queued')),
	CONSTRAINT "invoice_delivery_cause" CHECK("invoice_delivery"."cause" IN ('call', 'owner', 'issued')),
	CONSTRAINT "invoice_delivery_language" CHECK("invoice_delivery"."language" IN ('es', 'en'))
);
--> statement-breakpoint
CREATE INDEX `invoice_delivery_invoice` ON `invoice_delivery` (`invoice_id`,`queued_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_delivery_queued` ON `invoice_delivery` (`invoice_id`,`channel`,`address`) WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX `invoice_delivery_due` ON `invoice_delivery` (`connection_id`,`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invoice_delivery_overdue` ON `invoice_delivery` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `mail_count` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`minute` integer NOT NULL,
	`in_minute` integer NOT NULL,
	`day` integer NOT NULL,
	`in_day` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `connection` ADD `mailing` text;--> statement-breakpoint
ALTER TABLE `profile` ADD `mailing` text;--> statement-breakpoint
ALTER TABLE `shop_order` ADD `unmailed` text;--> statement-breakpoint
-- A mail that was sent, or has failed, stays so; only its address may still be masked.
CREATE TRIGGER invoice_delivery_final BEFORE UPDATE ON invoice_delivery
WHEN NEW.id IS NOT OLD.id OR NEW.connection_id IS NOT OLD.connection_id OR NEW.account_id IS NOT OLD.account_id
  OR NEW.invoice_id IS NOT OLD.invoice_id OR NEW.channel IS NOT OLD.channel
  OR NEW.queued_at IS NOT OLD.queued_at OR NEW.cause IS NOT OLD.cause
  OR (OLD.state <> 'queued' AND (NEW.state IS NOT OLD.state OR NEW.sent_at IS NOT OLD.sent_at
    OR NEW.attempts IS NOT OLD.attempts OR NEW.error IS NOT OLD.error))
BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_delivery');
END;
