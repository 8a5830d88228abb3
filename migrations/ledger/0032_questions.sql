CREATE TABLE `review_job` (
	`connection_id` text NOT NULL,
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text NOT NULL,
	`question` text NOT NULL,
	`answer` text NOT NULL,
	`remember` integer NOT NULL,
	`orders` integer NOT NULL,
	`done` integer NOT NULL,
	`issued` integer NOT NULL,
	`begun_at` integer NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`connection_id`, `id`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `review_job_open` ON `review_job` (`connection_id`,`begun_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `review_job_overdue` ON `review_job` (`begun_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE TABLE `review_job_order` (
	`connection_id` text NOT NULL,
	`job_id` text NOT NULL,
	`id_external` text NOT NULL,
	`apart` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`outcome` text,
	`detail` text,
	`profile_id` text,
	PRIMARY KEY(`connection_id`, `job_id`, `id_external`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`,`job_id`) REFERENCES `review_job`(`connection_id`,`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "review_job_order_outcome" CHECK("review_job_order"."outcome" IN ('issued', 'settled', 'waiting', 'refused', 'changed', 'apart', 'failed'))
);
--> statement-breakpoint
CREATE INDEX `review_job_order_open` ON `review_job_order` (`connection_id`,`job_id`) WHERE outcome IS NULL;--> statement-breakpoint
CREATE TABLE `review_question` (
	`connection_id` text NOT NULL,
	`question` text NOT NULL,
	`code` text NOT NULL,
	`orders` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `question`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `review_question_orders` ON `review_question` (`connection_id`,`orders`,`question`);--> statement-breakpoint
CREATE INDEX `review_question_code` ON `review_question` (`connection_id`,`code`,`orders`,`question`);--> statement-breakpoint
ALTER TABLE `shop_order` ADD `question` text;--> statement-breakpoint
CREATE INDEX `shop_order_question` ON `shop_order` (`connection_id`,`question`,`due_date`,`id_external`) WHERE question IS NOT NULL;--> statement-breakpoint
-- As `domain/order/question.ts` writes it; a name with capitals outside ASCII follows with its next decision.
UPDATE shop_order SET question = CASE
  WHEN held_for IN ('profile_not_matched', 'profile_ambiguous')
    THEN json_array(held_for, coalesce(facts ->> '$.sourceChannel', ''), coalesce(facts ->> '$.storeId', ''))
  WHEN held_for IN ('exchange_rate_unavailable', 'currency_not_quoted')
    THEN json_array(held_for, currency, rate_day)
  WHEN held_for = 'foreign_customer' THEN json_array(held_for,
    coalesce(reasons ->> '$[0].facts.country.country', reasons ->> '$[0].facts.country.phrase',
      reasons ->> '$[0].facts.country'))
  WHEN held_for = 'territory_review' THEN json_array(held_for, reasons ->> '$[0].facts.from.phrase',
    coalesce(reasons ->> '$[0].facts.to.country', reasons ->> '$[0].facts.to.phrase'))
  WHEN held_for = 'country_unknown' AND reasons ->> '$[0].facts.code' IS NOT NULL
    THEN json_array(held_for, reasons ->> '$[0].facts.code')
  WHEN reasons ->> '$[0].about' IS NULL THEN json_array(held_for)
  WHEN held_for IN ('tag_hold', 'untreated_total', 'treatment_hold', 'treatment_sign', 'discount_kind_unknown',
    'customer_credit_review', 'voucher_kind_conflict')
    THEN json_array(held_for, lower(trim(reasons ->> '$[0].about')))
  ELSE json_array(held_for, reasons ->> '$[0].about') END
WHERE state = 'held' AND held_for IS NOT NULL;
--> statement-breakpoint
INSERT INTO review_question (connection_id, question, code, orders)
  SELECT connection_id, question, held_for, count(*) FROM shop_order
  WHERE question IS NOT NULL GROUP BY connection_id, question, held_for;
--> statement-breakpoint
-- The list of questions reads counts, however many orders ask them.
CREATE TRIGGER review_question_insert AFTER INSERT ON shop_order WHEN NEW.question IS NOT NULL BEGIN
  INSERT INTO review_question (connection_id, question, code, orders)
    VALUES (NEW.connection_id, NEW.question, NEW.question ->> 0, 1)
    ON CONFLICT (connection_id, question) DO UPDATE SET orders = orders + 1;
END;
--> statement-breakpoint
CREATE TRIGGER review_question_update AFTER UPDATE OF question ON shop_order
WHEN NEW.question IS NOT OLD.question BEGIN
  UPDATE review_question SET orders = orders - 1
    WHERE connection_id = OLD.connection_id AND question = OLD.question;
  DELETE FROM review_question
    WHERE connection_id = OLD.connection_id AND question = OLD.question AND orders <= 0;
  INSERT INTO review_question (connection_id, question, code, orders)
    SELECT NEW.connection_id, NEW.question, NEW.question ->> 0, 1 WHERE NEW.question IS NOT NULL
    ON CONFLICT (connection_id, question) DO UPDATE SET orders = orders + 1;
END;
--> statement-breakpoint
CREATE TRIGGER review_question_delete AFTER DELETE ON shop_order WHEN OLD.question IS NOT NULL BEGIN
  UPDATE review_question SET orders = orders - 1
    WHERE connection_id = OLD.connection_id AND question = OLD.question;
  DELETE FROM review_question
    WHERE connection_id = OLD.connection_id AND question = OLD.question AND orders <= 0;
END;
--> statement-breakpoint
CREATE TRIGGER review_job_order_insert AFTER INSERT ON review_job_order BEGIN
  UPDATE review_job SET orders = orders + (NEW.apart = 0),
      done = done + (NEW.apart = 0 AND NEW.outcome IS NOT NULL)
    WHERE connection_id = NEW.connection_id AND id = NEW.job_id;
END;
--> statement-breakpoint
-- An outcome is written once.
CREATE TRIGGER review_job_order_final BEFORE UPDATE ON review_job_order
WHEN OLD.outcome IS NOT NULL OR NEW.job_id IS NOT OLD.job_id OR NEW.id_external IS NOT OLD.id_external
BEGIN
  SELECT RAISE(ABORT, 'immutable: review_job_order');
END;
--> statement-breakpoint
CREATE TRIGGER review_job_order_outcome AFTER UPDATE OF outcome ON review_job_order
WHEN OLD.outcome IS NULL AND NEW.outcome IS NOT NULL BEGIN
  UPDATE review_job SET done = done + (NEW.apart = 0), issued = issued + (NEW.outcome = 'issued')
    WHERE connection_id = NEW.connection_id AND id = NEW.job_id;
END;
