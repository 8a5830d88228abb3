CREATE TABLE `remembered_answer` (
	`connection_id` text NOT NULL,
	`profile_id` text NOT NULL,
	`setting` text NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text NOT NULL,
	`question` text NOT NULL,
	`reason` text,
	`value` text NOT NULL,
	`uses` integer NOT NULL,
	`remembered_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `profile_id`, `setting`),
	FOREIGN KEY (`connection_id`) REFERENCES `connection`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `remembered_answer_account` ON `remembered_answer` (`account_id`,`remembered_at`,`connection_id`,`profile_id`,`setting`);--> statement-breakpoint
ALTER TABLE `review_job` ADD `reason` text;--> statement-breakpoint
-- What was remembered before, as far as it is in force. The newest answer of a setting is the one that counts.
WITH taken AS (
  SELECT job.connection_id, job.account_id, job.user_id, job.question, job.answer, job.ended_at,
    coalesce(of_job.profile_id, '') AS profile_id, count(*) AS uses
  FROM review_job AS job JOIN review_job_order AS of_job
    ON of_job.connection_id = job.connection_id AND of_job.job_id = job.id
  WHERE job.remember = 1 AND job.ended_at IS NOT NULL AND of_job.outcome IN ('issued', 'settled', 'waiting')
  GROUP BY job.connection_id, job.id, of_job.profile_id
), declaring AS (
  SELECT taken.*, CASE taken.profile_id WHEN '' THEN setup.sales ELSE profile.sales END AS sales
  FROM taken LEFT JOIN shop_setup AS setup ON setup.connection_id = taken.connection_id
  LEFT JOIN profile ON profile.id = taken.profile_id AND profile.connection_id = taken.connection_id
), named(word, name, value) AS (VALUES
  ('oss', 'euConsumer', 'oss'), ('intra_community', 'euBusiness', 'intra_community'),
  ('export', 'outsideEu', 'export'), ('export', 'otherSpanish', 'export'),
  ('domestic', 'euConsumer', 'domestic'), ('domestic', 'euBusiness', 'domestic'),
  ('domestic', 'outsideEu', 'domestic'), ('domestic', 'otherSpanish', 'domestic')
), declared AS (
  SELECT declaring.*, 'treatments ' || entry.key AS setting, entry.value AS value
  FROM declaring JOIN json_each(sales, '$.treatments') AS entry
    ON entry.key = question ->> 1 AND entry.value = answer -> '$.treatment'
  WHERE answer ->> '$.answer' = 'declare_treatment'
  UNION ALL
  SELECT declaring.*, 'discounts ' || entry.key, json_quote(entry.value)
  FROM declaring JOIN json_each(sales, '$.discounts') AS entry
    ON entry.key = coalesce(question ->> 1, lower(trim(answer ->> '$.name')))
      AND entry.value = answer ->> '$.as'
  WHERE answer ->> '$.answer' = 'declare_discount'
  UNION ALL
  SELECT declaring.*, entry.key, json_quote(entry.value)
  FROM declaring JOIN json_each(answer, '$.sales') AS entry
    ON entry.key IN ('zeroRateBasis', 'customerCredit', 'article42')
      AND entry.value = sales ->> ('$.' || entry.key)
  WHERE answer ->> '$.answer' = 'declare_sales'
  UNION ALL
  SELECT declaring.*, 'destinations ' || entry.key, json_quote(entry.value)
  FROM declaring JOIN json_each(answer, '$.sales.destinations') AS entry
    ON entry.value = sales ->> ('$.destinations.' || entry.key)
  WHERE answer ->> '$.answer' = 'declare_sales'
  UNION ALL
  SELECT declaring.*, 'destinations ' || named.name, json_quote(named.value)
  FROM declaring JOIN named ON named.word = answer ->> '$.sales.foreignSales'
    AND named.value = sales ->> ('$.destinations.' || named.name)
  WHERE answer ->> '$.answer' = 'declare_sales'
)
INSERT INTO remembered_answer (connection_id, profile_id, setting, account_id, user_id, question, reason, value,
    uses, remembered_at)
  SELECT connection_id, profile_id, setting, account_id, user_id, question, NULL, value, uses, ended_at
  FROM declared WHERE true ORDER BY ended_at
  ON CONFLICT (connection_id, profile_id, setting) DO UPDATE SET user_id = excluded.user_id,
    question = excluded.question, value = excluded.value, uses = excluded.uses,
    remembered_at = excluded.remembered_at;
