-- What the authority has decided stays decided. Beside it may come, of a duplicate that waits for a person, what its
-- owner found: once that it is ours, or before that that it is another's.
DROP TRIGGER record_final;
--> statement-breakpoint
CREATE TRIGGER record_final BEFORE UPDATE ON record
WHEN OLD.state IN ('accepted', 'accepted_with_errors', 'rejected')
  AND (NEW.state IS NOT OLD.state OR NEW.changed_seq IS NOT OLD.changed_seq
    OR (NEW.standing IS NOT OLD.standing AND NOT (
      json_extract(OLD.standing, '$.hold') IS NOT NULL
      AND json_extract(OLD.standing, '$.found') IS NOT 'ours'
      AND coalesce(json_extract(NEW.standing, '$.found'), '') IN ('ours', 'foreign')
      AND json_remove(NEW.standing, '$.found') IS json_remove(OLD.standing, '$.found'))))
BEGIN
  SELECT RAISE(ABORT, 'immutable: record state');
END;
