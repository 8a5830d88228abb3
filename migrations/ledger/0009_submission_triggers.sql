-- Submission moves the state of records; each chain has one attempt at a time, and one writer at a time.

-- What the authority has decided stays decided.
CREATE TRIGGER record_final BEFORE UPDATE ON record
WHEN OLD.state IN ('accepted', 'accepted_with_errors', 'rejected')
  AND (NEW.state IS NOT OLD.state OR NEW.standing IS NOT OLD.standing OR NEW.changed_seq IS NOT OLD.changed_seq)
BEGIN
  SELECT RAISE(ABORT, 'immutable: record state');
END;
--> statement-breakpoint
-- A final state has its place among the changes of its chain, an open one has none.
CREATE TRIGGER record_changed_seq BEFORE UPDATE OF state, changed_seq ON record
WHEN (NEW.state IN ('pending_submission', 'submitted')) <> (NEW.changed_seq IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'immutable: record state');
END;
--> statement-breakpoint
CREATE TRIGGER record_unsubmitted_append BEFORE INSERT ON record
WHEN NEW.standing IS NOT NULL OR NEW.changed_seq IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'fence:link');
END;
--> statement-breakpoint
-- Fires for the upsert too: a batch decided on an older standing fails whole.
CREATE TRIGGER chain_submission_fence BEFORE INSERT ON chain_submission BEGIN
  SELECT RAISE(ABORT, 'fence:stale_chain') WHERE NEW.seq <> 1 +
    coalesce((SELECT seq FROM chain_submission WHERE installation_id = NEW.installation_id), 0);
  SELECT RAISE(ABORT, 'fence:link') WHERE NOT EXISTS (SELECT 1 FROM installation
    WHERE id = NEW.installation_id AND connection_id = NEW.connection_id AND account_id = NEW.account_id);
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM chain_submission
    WHERE rowid = NEW.rowid AND installation_id <> NEW.installation_id);
END;
--> statement-breakpoint
CREATE TRIGGER chain_submission_update BEFORE UPDATE ON chain_submission
WHEN NEW.seq <> OLD.seq + 1 OR NEW.rowid IS NOT OLD.rowid OR NEW.installation_id IS NOT OLD.installation_id
  OR NEW.connection_id IS NOT OLD.connection_id OR NEW.account_id IS NOT OLD.account_id
BEGIN
  SELECT RAISE(ABORT, 'fence:stale_chain');
END;
--> statement-breakpoint
CREATE TRIGGER chain_submission_delete BEFORE DELETE ON chain_submission BEGIN
  SELECT RAISE(ABORT, 'immutable: chain_submission');
END;
--> statement-breakpoint
CREATE TRIGGER submission_attempt_append BEFORE INSERT ON submission_attempt BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM submission_attempt
    WHERE rowid = NEW.rowid OR id = NEW.id);
  SELECT RAISE(ABORT, 'fence:attempt_open') WHERE EXISTS (SELECT 1 FROM submission_attempt
    WHERE installation_id = NEW.installation_id AND ended_at IS NULL);
  SELECT RAISE(ABORT, 'fence:link') WHERE NEW.ended_at IS NOT NULL OR NEW.from_position > NEW.to_position
    OR NOT EXISTS (SELECT 1 FROM record
      WHERE installation_id = NEW.installation_id AND position = NEW.from_position
        AND connection_id = NEW.connection_id AND account_id = NEW.account_id)
    OR NOT EXISTS (SELECT 1 FROM record
      WHERE installation_id = NEW.installation_id AND position = NEW.to_position);
END;
--> statement-breakpoint
-- It ends once: whoever comes second, its owner or who has taken over, fails whole. Nobody takes over a lease.
CREATE TRIGGER submission_attempt_update BEFORE UPDATE ON submission_attempt BEGIN
  SELECT RAISE(ABORT, 'immutable: submission_attempt') WHERE NEW.rowid IS NOT OLD.rowid OR NEW.id IS NOT OLD.id
    OR NEW.installation_id IS NOT OLD.installation_id OR NEW.connection_id IS NOT OLD.connection_id
    OR NEW.account_id IS NOT OLD.account_id OR NEW.from_position IS NOT OLD.from_position
    OR NEW.to_position IS NOT OLD.to_position OR NEW.incident IS NOT OLD.incident
    OR NEW.resend IS NOT OLD.resend OR NEW.request_sha256 IS NOT OLD.request_sha256
    OR NEW.started_at IS NOT OLD.started_at OR NEW.lease_until IS NOT OLD.lease_until
    OR (OLD.answer_sha256 IS NOT NULL AND NEW.answer_sha256 IS NOT OLD.answer_sha256);
  SELECT RAISE(ABORT, 'fence:attempt_ended') WHERE OLD.ended_at IS NOT NULL
    AND (NEW.ended_at IS NOT OLD.ended_at OR NEW.result IS NOT OLD.result
      OR NEW.csv IS NOT OLD.csv OR NEW.presented_at IS NOT OLD.presented_at OR OLD.answer_sha256 IS NOT NULL);
  SELECT RAISE(ABORT, 'fence:attempt_open') WHERE OLD.ended_at IS NULL
    AND json_extract(NEW.result, '$.result') IS 'abandoned' AND NEW.ended_at < OLD.lease_until;
END;
--> statement-breakpoint
CREATE TRIGGER submission_attempt_delete BEFORE DELETE ON submission_attempt BEGIN
  SELECT RAISE(ABORT, 'immutable: submission_attempt');
END;
--> statement-breakpoint
CREATE TRIGGER representation_append BEFORE INSERT ON representation BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM representation
    WHERE rowid = NEW.rowid OR id = NEW.id
      OR (account_id = NEW.account_id AND withdrawn_at IS NULL AND NEW.withdrawn_at IS NULL));
END;
--> statement-breakpoint
CREATE TRIGGER representation_update BEFORE UPDATE ON representation
WHEN NEW.rowid IS NOT OLD.rowid OR NEW.id IS NOT OLD.id OR NEW.account_id IS NOT OLD.account_id
  OR NEW.document_sha256 IS NOT OLD.document_sha256 OR NEW.signed_by IS NOT OLD.signed_by
  OR NEW.signed_on IS NOT OLD.signed_on OR NEW.stored_by IS NOT OLD.stored_by
  OR NEW.stored_at IS NOT OLD.stored_at OR OLD.withdrawn_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'immutable: representation');
END;
--> statement-breakpoint
CREATE TRIGGER representation_delete BEFORE DELETE ON representation BEGIN
  SELECT RAISE(ABORT, 'immutable: representation');
END;
--> statement-breakpoint
-- An endpoint hears of each event once, in the words of the moment: retries send the same body.
CREATE TRIGGER webhook_delivery_append BEFORE INSERT ON webhook_delivery BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM webhook_delivery WHERE rowid = NEW.rowid
    OR id = NEW.id OR (endpoint_id = NEW.endpoint_id AND event = NEW.event AND subject = NEW.subject));
END;
--> statement-breakpoint
CREATE TRIGGER webhook_delivery_update BEFORE UPDATE ON webhook_delivery
WHEN NEW.rowid IS NOT OLD.rowid OR NEW.id IS NOT OLD.id OR NEW.endpoint_id IS NOT OLD.endpoint_id
  OR NEW.connection_id IS NOT OLD.connection_id OR NEW.event IS NOT OLD.event
  OR NEW.subject IS NOT OLD.subject OR NEW.body IS NOT OLD.body OR NEW.asked_at IS NOT OLD.asked_at
  OR NEW.attempts < OLD.attempts
BEGIN
  SELECT RAISE(ABORT, 'immutable: webhook_delivery');
END;
