-- The database itself keeps the books: one writer per head, no gap, no fork, nothing changed, nothing erased.
-- REPLACE does not fire DELETE triggers in SQLite, so every rule stands in a BEFORE INSERT trigger too; NEW.rowid
-- is -1 unless the statement names one, which a REPLACE could use to erase a row.

CREATE TRIGGER ledger_head_fence BEFORE INSERT ON ledger_head BEGIN
  SELECT RAISE(ABORT, 'fence:stale_head') WHERE NEW.seq <> 1 +
    coalesce((SELECT seq FROM ledger_head WHERE connection_id = NEW.connection_id), 0);
  SELECT RAISE(ABORT, 'fence:stale_settings') WHERE NEW.settings_version IS NOT
    (SELECT settings_version FROM account WHERE id = NEW.account_id AND frozen = 0);
  -- Nobody passes the fence with the settings of another account, or over the head of another connection.
  SELECT RAISE(ABORT, 'fence:link') WHERE NOT EXISTS (SELECT 1 FROM connection
    WHERE id = NEW.connection_id AND account_id = NEW.account_id);
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM ledger_head
    WHERE rowid = NEW.rowid AND connection_id <> NEW.connection_id);
END;
--> statement-breakpoint
CREATE TRIGGER ledger_head_update BEFORE UPDATE ON ledger_head BEGIN
  SELECT RAISE(ABORT, 'fence:stale_head') WHERE NEW.seq <> OLD.seq + 1
    OR NEW.rowid IS NOT OLD.rowid
    OR NEW.connection_id <> OLD.connection_id OR NEW.account_id <> OLD.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER ledger_head_delete BEFORE DELETE ON ledger_head BEGIN
  SELECT RAISE(ABORT, 'immutable: ledger_head');
END;
--> statement-breakpoint
CREATE TRIGGER series_append BEFORE INSERT ON series BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM series WHERE rowid = NEW.rowid)
    OR EXISTS (SELECT 1 FROM series WHERE account_id = NEW.account_id AND code = NEW.code);
  SELECT RAISE(ABORT, 'fence:link') WHERE NOT EXISTS (SELECT 1 FROM installation
    WHERE id = NEW.installation_id AND connection_id = NEW.connection_id AND account_id = NEW.account_id);
END;
--> statement-breakpoint
CREATE TRIGGER series_update BEFORE UPDATE ON series BEGIN
  SELECT RAISE(ABORT, 'immutable: series');
END;
--> statement-breakpoint
CREATE TRIGGER series_delete BEFORE DELETE ON series BEGIN
  SELECT RAISE(ABORT, 'immutable: series');
END;
--> statement-breakpoint
CREATE TRIGGER invoice_append BEFORE INSERT ON invoice BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM invoice WHERE rowid = NEW.rowid)
    OR EXISTS (SELECT 1 FROM invoice WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM invoice WHERE connection_id = NEW.connection_id AND origin = NEW.origin)
    OR EXISTS (SELECT 1 FROM invoice
      WHERE account_id = NEW.account_id AND series = NEW.series AND number = NEW.number);
  SELECT RAISE(ABORT, 'fence:link') WHERE NEW.number <> 1 AND NOT EXISTS (SELECT 1 FROM invoice
    WHERE account_id = NEW.account_id AND series = NEW.series AND number = NEW.number - 1
      AND issue_date <= NEW.issue_date);
  SELECT RAISE(ABORT, 'fence:link') WHERE NOT EXISTS (SELECT 1 FROM series
    WHERE account_id = NEW.account_id AND code = NEW.series AND connection_id = NEW.connection_id);
END;
--> statement-breakpoint
CREATE TRIGGER invoice_update BEFORE UPDATE ON invoice BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice');
END;
--> statement-breakpoint
CREATE TRIGGER invoice_delete BEFORE DELETE ON invoice BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice');
END;
--> statement-breakpoint
CREATE TRIGGER invoice_document_append BEFORE INSERT ON invoice_document BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM invoice_document WHERE rowid = NEW.rowid)
    OR EXISTS (SELECT 1 FROM invoice_document WHERE invoice_id = NEW.invoice_id);
END;
--> statement-breakpoint
CREATE TRIGGER invoice_document_update BEFORE UPDATE ON invoice_document BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_document');
END;
--> statement-breakpoint
CREATE TRIGGER invoice_document_delete BEFORE DELETE ON invoice_document BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_document');
END;
--> statement-breakpoint
CREATE TRIGGER invoice_link_append BEFORE INSERT ON invoice_link BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM invoice_link WHERE rowid = NEW.rowid)
    OR EXISTS (SELECT 1 FROM invoice_link WHERE target_id = NEW.target_id AND invoice_id = NEW.invoice_id);
END;
--> statement-breakpoint
CREATE TRIGGER invoice_link_update BEFORE UPDATE ON invoice_link BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_link');
END;
--> statement-breakpoint
CREATE TRIGGER invoice_link_delete BEFORE DELETE ON invoice_link BEGIN
  SELECT RAISE(ABORT, 'immutable: invoice_link');
END;
--> statement-breakpoint
CREATE TRIGGER record_append BEFORE INSERT ON record BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM record WHERE rowid = NEW.rowid)
    OR EXISTS (SELECT 1 FROM record
      WHERE installation_id = NEW.installation_id AND position = NEW.position)
    OR EXISTS (SELECT 1 FROM record WHERE connection_id = NEW.connection_id AND origin = NEW.origin);
  SELECT RAISE(ABORT, 'fence:link') WHERE NEW.previous_hash IS NOT
    CASE WHEN NEW.position = 1 THEN '' ELSE (SELECT hash FROM record
      WHERE installation_id = NEW.installation_id AND position = NEW.position - 1) END;
  SELECT RAISE(ABORT, 'fence:link') WHERE NOT EXISTS (SELECT 1 FROM installation
    WHERE id = NEW.installation_id AND connection_id = NEW.connection_id AND account_id = NEW.account_id
      AND closed_at IS NULL);
  SELECT RAISE(ABORT, 'fence:link') WHERE NOT EXISTS (SELECT 1 FROM invoice
    WHERE id = NEW.invoice_id AND connection_id = NEW.connection_id);
  SELECT RAISE(ABORT, 'fence:link') WHERE NEW.state <> 'pending_submission';
END;
--> statement-breakpoint
CREATE TRIGGER record_update BEFORE UPDATE ON record
WHEN NEW.rowid IS NOT OLD.rowid
  OR NEW.installation_id IS NOT OLD.installation_id OR NEW.position IS NOT OLD.position
  OR NEW.connection_id IS NOT OLD.connection_id OR NEW.account_id IS NOT OLD.account_id
  OR NEW.origin IS NOT OLD.origin OR NEW.invoice_id IS NOT OLD.invoice_id OR NEW.kind IS NOT OLD.kind
  OR NEW.previous_hash IS NOT OLD.previous_hash OR NEW.hash IS NOT OLD.hash
  OR NEW.content IS NOT OLD.content OR NEW.reason IS NOT OLD.reason
  OR NEW.request_id IS NOT OLD.request_id
  OR NEW.state NOT IN ('pending_submission', 'submitted', 'accepted', 'accepted_with_errors', 'rejected')
BEGIN
  SELECT RAISE(ABORT, 'immutable: record');
END;
--> statement-breakpoint
CREATE TRIGGER record_delete BEFORE DELETE ON record BEGIN
  SELECT RAISE(ABORT, 'immutable: record');
END;
--> statement-breakpoint
CREATE TRIGGER installation_append BEFORE INSERT ON installation BEGIN
  SELECT RAISE(ABORT, 'fence:exists') WHERE EXISTS (SELECT 1 FROM installation WHERE rowid = NEW.rowid)
    OR EXISTS (SELECT 1 FROM installation WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM installation WHERE number = NEW.number)
    OR EXISTS (SELECT 1 FROM installation WHERE connection_id = NEW.connection_id
      AND (ordinal = NEW.ordinal OR (closed_at IS NULL AND NEW.closed_at IS NULL)));
END;
--> statement-breakpoint
CREATE TRIGGER installation_update BEFORE UPDATE ON installation
WHEN NEW.rowid IS NOT OLD.rowid OR NEW.id IS NOT OLD.id OR NEW.number IS NOT OLD.number
  OR NEW.connection_id IS NOT OLD.connection_id OR NEW.account_id IS NOT OLD.account_id OR NEW.ordinal IS NOT OLD.ordinal
  OR NEW.environment IS NOT OLD.environment OR OLD.closed_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'immutable: installation');
END;
--> statement-breakpoint
CREATE TRIGGER installation_delete BEFORE DELETE ON installation BEGIN
  SELECT RAISE(ABORT, 'immutable: installation');
END;
--> statement-breakpoint
-- Settings: whoever changes what an issuance is decided under raises the version, and the fence proves it.
CREATE TRIGGER account_settings AFTER UPDATE OF legal_name, nif, address1, postcode, city, time_zone, territory,
  default_regime, multiple_issuers ON account BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER connection_settings AFTER UPDATE ON connection BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER consent_insert_settings AFTER INSERT ON consent BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER consent_update_settings AFTER UPDATE ON consent BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER consent_delete_settings AFTER DELETE ON consent BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = OLD.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER authorisation_insert_settings AFTER INSERT ON authorisation BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER authorisation_update_settings AFTER UPDATE ON authorisation BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER authorisation_delete_settings AFTER DELETE ON authorisation BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = OLD.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER installation_insert_settings AFTER INSERT ON installation BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
--> statement-breakpoint
CREATE TRIGGER installation_update_settings AFTER UPDATE ON installation BEGIN
  UPDATE account SET settings_version = settings_version + 1 WHERE id = NEW.account_id;
END;
