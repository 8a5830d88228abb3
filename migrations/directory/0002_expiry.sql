CREATE INDEX `invitation_expires` ON `invitation` (`expires_at`);--> statement-breakpoint
CREATE INDEX `session_expires` ON `session` (`expires_at`);--> statement-breakpoint
CREATE INDEX `sign_in_failure_since` ON `sign_in_failure` (`since`);--> statement-breakpoint
CREATE INDEX `verification_expires` ON `verification` (`expires_at`);