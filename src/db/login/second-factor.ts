import { SECOND_FACTOR } from "../../domain/limits.ts";
import type { FactorUse, SecondFactorStore } from "./login-stores.ts";
import { changed, numberOf, rowOf, type Statement, statementsOf, textOf } from "./statements.ts";

/**
 * An SQL condition: the person has no confirmed app, or its last code was accepted for this. `?1` is the
 * person, `?2` the session, link or change.
 */
export const FACTOR_ALLOWS = `NOT EXISTS (SELECT 1 FROM second_factor AS factor
  WHERE factor.user_id = ?1 AND factor.confirmed_at IS NOT NULL AND factor.used_by IS NOT ?2)`;

/** Uses up a code for `?2`; of two uses of one code the second changes nothing. */
export function useFactor(
  run: Statement,
  { userId, usedBy }: { readonly userId: string; readonly usedBy: string },
  use: FactorUse | undefined,
): D1PreparedStatement[] {
  if (use === undefined) return [];
  if (use.kind === "app") {
    return [
      run(
        `UPDATE second_factor SET used_by = ?2, last_step = ?3, sealed = coalesce(?4, sealed)
         WHERE user_id = ?1 AND confirmed_at IS NOT NULL AND last_step < ?3`,
        ...[userId, usedBy, use.step, use.resealed ?? null],
      ),
    ];
  }
  return [
    run(
      `UPDATE second_factor SET used_by = ?2 WHERE user_id = ?1 AND confirmed_at IS NOT NULL
       AND EXISTS (SELECT 1 FROM recovery_code WHERE user_id = ?1 AND code_sha256 = ?3)`,
      ...[userId, usedBy, use.codeSha256],
    ),
    run(
      `DELETE FROM recovery_code WHERE user_id = ?1 AND code_sha256 = ?3
       AND EXISTS (SELECT 1 FROM second_factor WHERE user_id = ?1 AND used_by = ?2)`,
      ...[userId, usedBy, use.codeSha256],
    ),
  ];
}

const SESSION = "EXISTS (SELECT 1 FROM session WHERE user_id = ?1 AND id = ?3)";
const IS_OURS = "EXISTS (SELECT 1 FROM second_factor WHERE user_id = ?1 AND used_by = ?2)";

export function secondFactorStore(directory: D1Database): SecondFactorStore {
  const run = statementsOf(directory);
  return {
    ...reading(run),
    ...counting(directory, run),
    async begin({ userId, sessionId, sealed, now }) {
      return changed(
        await run(
          `INSERT INTO second_factor (user_id, sealed, created_at) SELECT ?1, ?2, ?4 WHERE ${SESSION}
           ON CONFLICT (user_id) DO UPDATE SET sealed = ?2, created_at = ?4 WHERE confirmed_at IS NULL`,
          ...[userId, sealed, sessionId, now],
        ).run(),
      );
    },
    async confirm({ id, userId, sessionId, sealed, step, now, codesSha256 }) {
      const [confirmation] = await directory.batch([
        run(
          `UPDATE second_factor SET confirmed_at = ?5, last_step = ?6, used_by = ?2
           WHERE user_id = ?1 AND confirmed_at IS NULL AND sealed = ?4 AND ${SESSION}`,
          ...[userId, id, sessionId, sealed, now, step],
        ),
        run(
          `INSERT INTO recovery_code (user_id, code_sha256)
           SELECT ?1, value FROM json_each(?3) WHERE ${IS_OURS}`,
          ...[userId, id, JSON.stringify(codesSha256)],
        ),
        // They began without a code.
        run(`DELETE FROM session WHERE user_id = ?1 AND id <> ?3 AND ${IS_OURS}`, userId, id, sessionId),
        run(
          `DELETE FROM identity_link WHERE user_id = ?1 AND kind <> 'old_email' AND ${IS_OURS}`,
          userId,
          id,
        ),
      ]);
      return changed(confirmation);
    },
    async end({ id, userId, sessionId, use }) {
      const results = await directory.batch([
        ...useFactor(run, { userId, usedBy: id }, use),
        run(
          `DELETE FROM second_factor WHERE user_id = ?1 AND used_by = ?2 AND ${SESSION}`,
          ...[userId, id, sessionId],
        ),
      ]);
      return changed(results.at(-1));
    },
  };
}

type Reads = "factorOf" | "hasRecoveryCode" | "shownOf" | "pendingOf";

function reading(run: Statement): Pick<SecondFactorStore, Reads> {
  return {
    async hasRecoveryCode(userId, codeSha256) {
      const { results } = await run(
        "SELECT 1 FROM recovery_code WHERE user_id = ?1 AND code_sha256 = ?2",
        ...[userId, codeSha256],
      ).all();
      return results.length > 0;
    },
    async factorOf(userId, devices, now) {
      const row = rowOf(
        await run(
          `SELECT sealed, last_step, (SELECT id_sha256 FROM known_device WHERE user_id = ?1
             AND expires_at > ?3 AND id_sha256 IN (SELECT value FROM json_each(?2)) LIMIT 1) AS device
           FROM second_factor WHERE user_id = ?1 AND confirmed_at IS NOT NULL`,
          ...[userId, JSON.stringify(devices), now],
        ).all(),
      );
      if (!row) return undefined;
      const device = textOf(row, "device") || undefined;
      return { sealed: textOf(row, "sealed"), lastStep: numberOf(row, "last_step"), device };
    },
    async shownOf(userId) {
      const row = rowOf(
        await run(
          `SELECT confirmed_at, (SELECT count(*) FROM recovery_code WHERE user_id = ?1) AS codes
           FROM second_factor WHERE user_id = ?1 AND confirmed_at IS NOT NULL`,
          userId,
        ).all(),
      );
      return row && { confirmedAt: numberOf(row, "confirmed_at"), codesLeft: numberOf(row, "codes") };
    },
    async pendingOf(userId, now) {
      const row = rowOf(
        await run(
          `SELECT sealed FROM second_factor WHERE user_id = ?1 AND confirmed_at IS NULL AND created_at > ?2`,
          ...[userId, now - SECOND_FACTOR.setUpMs],
        ).all(),
      );
      return row && textOf(row, "sealed");
    },
  };
}

/** The time runs from the last try that was made, so that no 15 minutes have more tries than allowed. */
function counting(directory: D1Database, run: Statement): Pick<SecondFactorStore, "beginTry" | "succeeded"> {
  const { tries, triesMs } = SECOND_FACTOR;
  return {
    async beginTry(key, now) {
      const [counted, found] = await directory.batch([
        run(
          `INSERT INTO sign_in_failure (email_sha256, failures, since) VALUES (?1, 1, ?2)
           ON CONFLICT (email_sha256) DO UPDATE SET
             failures = CASE WHEN since <= ?2 - ?3 THEN 1 ELSE failures + 1 END, since = ?2
             WHERE since <= ?2 - ?3 OR failures < ?4
           RETURNING failures`,
          ...[key, now, triesMs, tries],
        ),
        run("SELECT since FROM sign_in_failure WHERE email_sha256 = ?1", key),
      ]);
      const made = rowOf(counted);
      if (made) return { ok: true, failures: numberOf(made, "failures") };
      return { ok: false, waitMs: Math.max(1, numberOf(rowOf(found), "since") + triesMs - now) };
    },
    async succeeded(key) {
      await run(
        "UPDATE sign_in_failure SET failures = max(0, failures - 1) WHERE email_sha256 = ?1",
        key,
      ).run();
    },
  };
}
