import { SIGN_IN_DELAY } from "../../domain/limits.ts";
import type { Try, TryStore } from "./login-stores.ts";
import { numberOf, type Statement, statementsOf } from "./statements.ts";

/** Each try deletes more old rows than it adds, so that the table does not grow for ever. */
const SWEPT = 3;

/** The statement that counts also sets the delay; it doubles with each failure. */
const SENDER_FAILURES = "(CASE WHEN since <= ?3 - ?6 THEN 1 ELSE failures + 1 END)";
const SENDER_DELAY = `(CASE WHEN ${SENDER_FAILURES} < ?7 THEN 0
  ELSE min(?9, ?8 << min(${SENDER_FAILURES} - ?7, 20)) END)`;
const ACCOUNT_FAILURES = "(CASE WHEN since <= ?3 - ?6 THEN 1 ELSE failures + 1 END)";

/** Wrong passwords, counted in the directory. */
export function tryStore(directory: D1Database): TryStore {
  const run = statementsOf(directory);
  return {
    async begin(made) {
      const [, , , found] = await directory.batch<Readonly<Record<string, unknown>>>(counting(run, made));
      const rows = new Map((found?.results ?? []).map((row) => [row.key, row]));
      const [sender, account] = [rows.get(made.senderKey), rows.get(made.accountKey)];
      if (sender?.taken_by === made.id) return { ok: true, failuresInAll: numberOf(account, "failures") };
      const freeAt = Math.max(
        numberOf(sender, "free_at"),
        made.isStranger ? numberOf(account, "free_at") : 0,
      );
      return { ok: false, waitMs: Math.max(1, freeAt - made.now) };
    },
    async succeeded({ senderKey, accountKey }) {
      await directory.batch([
        run("DELETE FROM sign_in_failure WHERE email_sha256 = ?1", senderKey),
        run("UPDATE sign_in_failure SET failures = max(0, failures - 1) WHERE email_sha256 = ?1", accountKey),
      ]);
    },
  };
}

/** Sender and account in one: neither counts a try that the other holds back. */
function counting(
  run: Statement,
  { senderKey, accountKey, accountHash, isStranger, id, now }: Try,
): D1PreparedStatement[] {
  const { free, firstMs, longestMs, forgottenMs, mostFromEverywhere, windowMs, strangeDeviceMs } =
    SIGN_IN_DELAY;
  return [
    run(
      `DELETE FROM sign_in_failure WHERE since <= ?1 AND rowid IN
       (SELECT oldest.rowid FROM sign_in_failure AS oldest ORDER BY oldest.since LIMIT ?2)`,
      ...[now - forgottenMs, SWEPT],
    ),
    run(
      `INSERT INTO sign_in_failure (email_sha256, failures, since, account_hash, free_at, taken_by)
       SELECT ?1, 1, ?3, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM sign_in_failure AS account
         WHERE account.email_sha256 = ?5 AND account.free_at > ?3 AND ?10)
       ON CONFLICT (email_sha256) DO UPDATE SET failures = ${SENDER_FAILURES}, since = ?3,
         free_at = ?3 + ${SENDER_DELAY}, taken_by = ?4 WHERE free_at <= ?3`,
      ...[senderKey, accountHash, now, id, accountKey, forgottenMs, free, firstMs, longestMs],
      isStranger ? 1 : 0,
    ),
    run(
      `INSERT INTO sign_in_failure (email_sha256, failures, since, account_hash)
       SELECT ?1, 1, ?3, ?2 WHERE EXISTS (SELECT 1 FROM sign_in_failure AS sender
         WHERE sender.email_sha256 = ?4 AND sender.taken_by = ?5)
       ON CONFLICT (email_sha256) DO UPDATE SET failures = ${ACCOUNT_FAILURES},
         since = CASE WHEN since <= ?3 - ?6 THEN ?3 ELSE since END,
         free_at = CASE WHEN ?9 AND ${ACCOUNT_FAILURES} > ?7 THEN ?3 + ?8 ELSE free_at END`,
      ...[accountKey, accountHash, now, senderKey, id, windowMs, mostFromEverywhere, strangeDeviceMs],
      isStranger ? 1 : 0,
    ),
    run(
      `SELECT email_sha256 AS key, failures, free_at, taken_by FROM sign_in_failure
       WHERE email_sha256 IN (?1, ?2)`,
      ...[senderKey, accountKey],
    ),
  ];
}
