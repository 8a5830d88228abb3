CREATE TABLE `claim` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`nif` text NOT NULL,
	`claimant_id` text NOT NULL,
	`claimant_account_id` text NOT NULL,
	`proof_id` text NOT NULL,
	`made_at` integer NOT NULL,
	`contested_at` integer,
	`settled_at` integer,
	`outcome` text,
	`former_owners` text,
	`handed_at` integer,
	`owners_told_at` integer,
	`claimant_told_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account_directory`(`account_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`proof_id`) REFERENCES `proof`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "claim_outcome" CHECK("claim"."outcome" IS NULL OR "claim"."outcome" IN ('granted', 'rejected'))
);
--> statement-breakpoint
CREATE INDEX `claim_account` ON `claim` (`account_id`,`made_at`);--> statement-breakpoint
CREATE INDEX `claim_proof` ON `claim` (`proof_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `claim_open` ON `claim` (`claimant_account_id`) WHERE settled_at IS NULL;--> statement-breakpoint
CREATE INDEX `claim_unsettled` ON `claim` (`made_at`) WHERE settled_at IS NULL;--> statement-breakpoint
CREATE TABLE `proof` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`nif` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`nonce` text,
	`sha256` text,
	`facts` text DEFAULT '{}' NOT NULL,
	`made_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account_directory`(`account_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`nonce`) REFERENCES `proof_text`(`nonce`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "proof_kind" CHECK("proof"."kind" IN ('certificate', 'document', 'operator'))
);
--> statement-breakpoint
CREATE INDEX `proof_account` ON `proof` (`account_id`,`made_at`);--> statement-breakpoint
CREATE INDEX `proof_made` ON `proof` (`made_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `proof_nonce` ON `proof` (`nonce`);--> statement-breakpoint
CREATE TABLE `proof_text` (
	`nonce` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`nif` text NOT NULL,
	`user_id` text NOT NULL,
	`made_at` integer NOT NULL,
	`sha256` text,
	`settled_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account_directory`(`account_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `proof_text_person` ON `proof_text` (`user_id`,`made_at`);--> statement-breakpoint
CREATE INDEX `proof_text_kept` ON `proof_text` (`made_at`) WHERE sha256 IS NOT NULL AND settled_at IS NULL;--> statement-breakpoint
CREATE INDEX `proof_text_unused` ON `proof_text` (`made_at`) WHERE sha256 IS NULL;--> statement-breakpoint
CREATE TABLE `verification_change` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`seq` integer NOT NULL,
	`from_state` text NOT NULL,
	`to_state` text NOT NULL,
	`changed_by` text NOT NULL,
	`proof_id` text,
	`claim_id` text,
	`facts` text DEFAULT '{}' NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account_directory`(`account_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`proof_id`) REFERENCES `proof`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `verification_change_account` ON `verification_change` (`account_id`,`seq`);--> statement-breakpoint
DROP INDEX `account_directory_nif`;--> statement-breakpoint
ALTER TABLE `account_directory` ADD `opened_by` text;--> statement-breakpoint
ALTER TABLE `account_directory` ADD `verification` text DEFAULT 'verified' NOT NULL;--> statement-breakpoint
ALTER TABLE `account_directory` ADD `contested_at` integer;--> statement-breakpoint
ALTER TABLE `account_directory` ADD `change_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account_directory` ADD `heard_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account_directory` ADD `told_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account_directory` ADD `of_several` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `account_directory_verified_nif` ON `account_directory` (`nif`) WHERE verification IN ('verified', 'contested');--> statement-breakpoint
CREATE INDEX `account_directory_opener` ON `account_directory` (`opened_by`,`opened_at`);--> statement-breakpoint
CREATE INDEX `account_directory_unheard` ON `account_directory` (`told_at`) WHERE heard_seq < change_seq;--> statement-breakpoint
ALTER TABLE `account_owner` ADD `offered_by` text;--> statement-breakpoint
CREATE INDEX `invitation_inviter` ON `invitation` (`invited_by`,`created_at`);--> statement-breakpoint
CREATE INDEX `invitation_receiver` ON `invitation` (lower(email),`created_at`);
--> statement-breakpoint
-- What was shown of a NIF, and what was decided on it, is never changed and never goes.
CREATE TRIGGER proof_text_append BEFORE INSERT ON proof_text BEGIN
  SELECT RAISE(ABORT, 'immutable: proof_text') WHERE EXISTS (SELECT 1 FROM proof_text WHERE nonce = NEW.nonce)
    OR EXISTS (SELECT 1 FROM proof_text WHERE rowid = NEW.rowid);
END;
--> statement-breakpoint
-- It is shown with one document or signature, and settled once; one that nobody used is forgotten.
CREATE TRIGGER proof_text_update BEFORE UPDATE ON proof_text
WHEN NEW.rowid IS NOT OLD.rowid OR NEW.nonce IS NOT OLD.nonce OR NEW.account_id IS NOT OLD.account_id
  OR NEW.nif IS NOT OLD.nif OR NEW.user_id IS NOT OLD.user_id OR NEW.made_at IS NOT OLD.made_at
  OR (OLD.sha256 IS NOT NULL AND NEW.sha256 IS NOT OLD.sha256)
  OR (OLD.settled_at IS NOT NULL AND NEW.settled_at IS NOT OLD.settled_at)
  OR (NEW.settled_at IS NOT NULL AND NEW.sha256 IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'immutable: proof_text');
END;
--> statement-breakpoint
CREATE TRIGGER proof_text_delete BEFORE DELETE ON proof_text
WHEN EXISTS (SELECT 1 FROM proof WHERE proof.nonce = OLD.nonce) BEGIN
  SELECT RAISE(ABORT, 'immutable: proof_text');
END;
--> statement-breakpoint
CREATE TRIGGER proof_append BEFORE INSERT ON proof BEGIN
  SELECT RAISE(ABORT, 'immutable: proof') WHERE EXISTS (SELECT 1 FROM proof WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM proof WHERE rowid = NEW.rowid);
END;
--> statement-breakpoint
CREATE TRIGGER proof_update BEFORE UPDATE ON proof BEGIN
  SELECT RAISE(ABORT, 'immutable: proof');
END;
--> statement-breakpoint
CREATE TRIGGER proof_delete BEFORE DELETE ON proof BEGIN
  SELECT RAISE(ABORT, 'immutable: proof');
END;
--> statement-breakpoint
CREATE TRIGGER verification_change_append BEFORE INSERT ON verification_change BEGIN
  SELECT RAISE(ABORT, 'immutable: verification_change')
    WHERE EXISTS (SELECT 1 FROM verification_change WHERE id = NEW.id)
      OR EXISTS (SELECT 1 FROM verification_change WHERE rowid = NEW.rowid);
END;
--> statement-breakpoint
CREATE TRIGGER verification_change_update BEFORE UPDATE ON verification_change BEGIN
  SELECT RAISE(ABORT, 'immutable: verification_change');
END;
--> statement-breakpoint
CREATE TRIGGER verification_change_delete BEFORE DELETE ON verification_change BEGIN
  SELECT RAISE(ABORT, 'immutable: verification_change');
END;
--> statement-breakpoint
CREATE TRIGGER claim_append BEFORE INSERT ON claim BEGIN
  SELECT RAISE(ABORT, 'immutable: claim') WHERE EXISTS (SELECT 1 FROM claim WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM claim WHERE rowid = NEW.rowid);
END;
--> statement-breakpoint
-- A claim goes on: it is contested, settled and told of once.
CREATE TRIGGER claim_update BEFORE UPDATE ON claim
WHEN NEW.rowid IS NOT OLD.rowid OR NEW.id IS NOT OLD.id OR NEW.account_id IS NOT OLD.account_id
  OR NEW.nif IS NOT OLD.nif OR NEW.claimant_id IS NOT OLD.claimant_id
  OR NEW.claimant_account_id IS NOT OLD.claimant_account_id OR NEW.proof_id IS NOT OLD.proof_id
  OR NEW.made_at IS NOT OLD.made_at
  OR (OLD.settled_at IS NOT NULL AND (NEW.settled_at IS NOT OLD.settled_at
    OR NEW.outcome IS NOT OLD.outcome OR NEW.former_owners IS NOT OLD.former_owners))
  OR (OLD.handed_at IS NOT NULL AND NEW.handed_at IS NOT OLD.handed_at)
  OR (OLD.contested_at IS NOT NULL AND NEW.contested_at IS NOT OLD.contested_at)
  OR (OLD.owners_told_at IS NOT NULL AND NEW.owners_told_at IS NOT OLD.owners_told_at)
  OR (OLD.claimant_told_at IS NOT NULL AND NEW.claimant_told_at IS NOT OLD.claimant_told_at)
  OR (NEW.settled_at IS NULL) <> (NEW.outcome IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'immutable: claim');
END;
--> statement-breakpoint
CREATE TRIGGER claim_delete BEFORE DELETE ON claim BEGIN
  SELECT RAISE(ABORT, 'immutable: claim');
END;
--> statement-breakpoint
CREATE TRIGGER account_directory_listed BEFORE INSERT ON account_directory
WHEN NEW.verification NOT IN ('unverified', 'in_review', 'verified', 'contested') BEGIN
  SELECT RAISE(ABORT, 'unknown: verification');
END;
--> statement-breakpoint
CREATE TRIGGER account_directory_verification BEFORE UPDATE OF verification ON account_directory
WHEN NEW.verification NOT IN ('unverified', 'in_review', 'verified', 'contested') BEGIN
  SELECT RAISE(ABORT, 'unknown: verification');
END;
