ALTER TABLE `consent` ADD `evidence` text DEFAULT '{}' NOT NULL;
