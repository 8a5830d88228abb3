CREATE TABLE `account` (
	`id` text PRIMARY KEY NOT NULL,
	`legal_name` text NOT NULL,
	`nif` text NOT NULL,
	`address1` text NOT NULL,
	`postcode` text NOT NULL,
	`city` text NOT NULL,
	`time_zone` text NOT NULL,
	`territory` text NOT NULL,
	`default_regime` text DEFAULT '01' NOT NULL,
	`multiple_issuers` integer DEFAULT false NOT NULL,
	`frozen` integer DEFAULT 0 NOT NULL,
	`settings_version` integer DEFAULT 1 NOT NULL,
	`opened_at` integer NOT NULL,
	`opened_by` text NOT NULL,
	CONSTRAINT "account_territory" CHECK("account"."territory" IN ('peninsula', 'canarias', 'ceuta_melilla')),
	CONSTRAINT "account_time_zone" CHECK("account"."time_zone" IN ('Europe/Madrid', 'Atlantic/Canary')),
	CONSTRAINT "account_frozen" CHECK("account"."frozen" IN (0, 1))
);
--> statement-breakpoint
CREATE INDEX `account_opened` ON `account` (`opened_at`);--> statement-breakpoint
CREATE TABLE `api_key` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `api_key_connection` ON `api_key` (`connection_id`);--> statement-breakpoint
CREATE TABLE `authorisation` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`number` text NOT NULL,
	`limit_eur` text NOT NULL,
	`agreement_number` text,
	`active_from` integer NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `authorisation_active` ON `authorisation` (`account_id`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE TABLE `connection` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`ordinal` integer NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`rate_limit` integer,
	`opened_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `connection_ordinal` ON `connection` (`account_id`,`ordinal`);--> statement-breakpoint
CREATE TABLE `consent` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`granted_by` text NOT NULL,
	`granted_at` integer NOT NULL,
	`text_version` text NOT NULL,
	`cutoff_date` text NOT NULL,
	`withdrawn_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `consent_connection` ON `consent` (`connection_id`,`granted_at`);--> statement-breakpoint
CREATE TABLE `installation` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`ordinal` integer NOT NULL,
	`number` text NOT NULL,
	`environment` text NOT NULL,
	`opened_at` integer NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "installation_environment" CHECK("installation"."environment" IN ('test', 'production'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `installation_number` ON `installation` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `installation_ordinal` ON `installation` (`connection_id`,`ordinal`);--> statement-breakpoint
CREATE UNIQUE INDEX `installation_open` ON `installation` (`connection_id`) WHERE closed_at IS NULL;--> statement-breakpoint
CREATE TABLE `invoice` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`origin` text NOT NULL,
	`series` text NOT NULL,
	`number` integer NOT NULL,
	`full_number` text NOT NULL,
	`issue_date` text NOT NULL,
	`invoice_type` text NOT NULL,
	`total_eur` text NOT NULL,
	`document_sha256` text NOT NULL,
	`request_id` text NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`,`series`) REFERENCES `series`(`account_id`,`code`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoice_full_number" CHECK("invoice"."full_number" = "invoice"."series" || '-' || printf('%06d', "invoice"."number")),
	CONSTRAINT "invoice_number_positive" CHECK("invoice"."number" >= 1),
	CONSTRAINT "invoice_issue_date" CHECK("invoice"."issue_date" IS date("invoice"."issue_date"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_origin` ON `invoice` (`connection_id`,`origin`);--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_number` ON `invoice` (`account_id`,`series`,`number`);--> statement-breakpoint
CREATE TABLE `invoice_document` (
	`invoice_id` text PRIMARY KEY NOT NULL,
	`document` text NOT NULL,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoice`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `invoice_link` (
	`invoice_id` text NOT NULL,
	`target_id` text NOT NULL,
	`kind` text NOT NULL,
	`taken` text NOT NULL,
	PRIMARY KEY(`target_id`, `invoice_id`),
	FOREIGN KEY (`invoice_id`) REFERENCES `invoice`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`target_id`) REFERENCES `invoice`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoice_link_kind" CHECK("invoice_link"."kind" IN ('difference', 'substitution', 'replacement'))
);
--> statement-breakpoint
CREATE INDEX `invoice_link_invoice` ON `invoice_link` (`invoice_id`);--> statement-breakpoint
CREATE TABLE `ledger_head` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`seq` integer NOT NULL,
	`settings_version` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `record` (
	`installation_id` text NOT NULL,
	`position` integer NOT NULL,
	`connection_id` text NOT NULL,
	`account_id` text NOT NULL,
	`origin` text NOT NULL,
	`invoice_id` text NOT NULL,
	`kind` text NOT NULL,
	`previous_hash` text NOT NULL,
	`hash` text NOT NULL,
	`content` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`request_id` text NOT NULL,
	`state` text DEFAULT 'pending_submission' NOT NULL,
	PRIMARY KEY(`installation_id`, `position`),
	FOREIGN KEY (`installation_id`) REFERENCES `installation`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "record_kind" CHECK("record"."kind" IN ('ALTA', 'ANULACION')),
	CONSTRAINT "record_position" CHECK("record"."position" >= 1),
	CONSTRAINT "record_hash" CHECK(length("record"."hash") = 64 AND "record"."hash" NOT GLOB '*[^0-9A-F]*')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `record_origin` ON `record` (`connection_id`,`origin`);--> statement-breakpoint
CREATE INDEX `record_unsubmitted` ON `record` (`installation_id`,`position`) WHERE state IN ('pending_submission', 'submitted');--> statement-breakpoint
CREATE TABLE `series` (
	`account_id` text NOT NULL,
	`code` text NOT NULL,
	`connection_id` text NOT NULL,
	`installation_id` text NOT NULL,
	PRIMARY KEY(`account_id`, `code`),
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`installation_id`) REFERENCES `installation`(`id`) ON UPDATE no action ON DELETE no action
);
