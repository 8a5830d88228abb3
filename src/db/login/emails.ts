import { askingByMail, byOpenLink, MAY_MAIL, makeLink } from "./mailed-links.ts";
import { HAS_EMAIL, languageIn, personOf, whoHas } from "./people.ts";
import type { ChangedEmail, EmailStore } from "./ports.ts";
import { changed, rowOf, type Statement, statementsOf, textOf } from "./statements.ts";

/** Changing the address of a login, taking it back, and its end. */
export function emailStore(directory: D1Database): EmailStore {
  const run = statementsOf(directory);
  return {
    async askToChange({ userId, sessionId, ...asked }) {
      const { email, now, ofPerson } = asked;
      const link = makeLink(run, asked, {
        ...{ kind: "new_email", userId: "?7", values: [userId, sessionId, JSON.stringify(ofPerson)] },
        // A recovery meanwhile ends the session that asked for this.
        where: `EXISTS (SELECT 1 FROM session WHERE user_id = ?7 AND id = ?8) AND ${MAY_MAIL("?9")}`,
      });
      const told = await askingByMail(directory, run, { asked, statements: [whoHas(run, email, now), link] });
      return told.ok ? { ok: true, found: personOf(told.found[0]) } : told;
    },
    async changeEmail({ tokenSha256, now, undo }) {
      const found = await change(run, tokenSha256, "new_email", now);
      if (!found) return undefined;
      const { userId, becomes, was } = found;
      const results = await directory.batch([
        run(
          `INSERT INTO identity_link (token_sha256, kind, email, user_id, created_at, expires_at)
           SELECT ?1, 'old_email', ?2, ?3, ?4, ?5 FROM identity_link AS link
           WHERE link.token_sha256 = ?6 AND link.expires_at > ?4
             AND EXISTS (SELECT 1 FROM user WHERE id = ?3 AND email = ?2)
             AND NOT EXISTS (SELECT 1 FROM user WHERE ${HAS_EMAIL("?7", "?4")} AND user.id <> ?3)`,
          ...[undo.tokenSha256, was, userId, now, undo.expiresAt, tokenSha256, becomes],
        ),
        run(
          `UPDATE user SET email = ?3, updated_at = ?4 WHERE id = ?1
           AND EXISTS (SELECT 1 FROM identity_link WHERE token_sha256 = ?2)`,
          ...[userId, undo.tokenSha256, becomes, now],
        ),
        // Links mailed to the old address end, and so do other people's links for the new one.
        run(
          `DELETE FROM identity_link WHERE EXISTS (SELECT 1 FROM identity_link AS made
             WHERE made.token_sha256 = ?2)
           AND ((user_id = ?1 AND kind <> 'old_email') OR (kind = 'sign_up' AND email = ?3))`,
          ...[userId, undo.tokenSha256, becomes],
        ),
      ]);
      return changed(results[1]) ? found : undefined;
    },
    async restoreEmail({ tokenSha256, now }) {
      const found = await change(run, tokenSha256, "old_email", now);
      if (!found) return undefined;
      const results = await directory.batch(restoring(run, found, tokenSha256, now));
      return changed(results.at(-1)) ? found : undefined;
    },
    async deleteLogin(userId, now) {
      const isGone = "NOT EXISTS (SELECT 1 FROM user WHERE id = ?1)";
      const [alone, deletion] = await directory.batch([
        run(`SELECT company.nif FROM ${SOLELY_OWNED} LIMIT 1`, userId),
        run(`DELETE FROM user WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM ${SOLELY_OWNED})`, userId),
        run(
          `UPDATE invitation SET ended_at = ?2 WHERE invited_by = ?1 AND ended_at IS NULL AND ${isGone}`,
          userId,
          now,
        ),
        run(`DELETE FROM account_owner WHERE owner_id = ?1 AND ${isGone}`, userId),
        run(`UPDATE login_mailbox SET ended_at = ?2 WHERE user_id = ?1 AND ${isGone}`, userId, now),
        run(`UPDATE account_owner SET offered_by = NULL WHERE offered_by = ?1 AND ${isGone}`, userId),
      ]);
      const row = rowOf(alone);
      return changed(deletion) || !row ? undefined : { soleOwnerOf: textOf(row, "nif") };
    },
  };
}

/** Open companies with no other owner who can sign in. */
const SOLELY_OWNED = `account_owner AS own
  JOIN account_directory AS company ON company.account_id = own.account_id AND company.closed_at IS NULL
  WHERE own.owner_id = ?1 AND own.role = 'owner' AND NOT EXISTS (SELECT 1 FROM account_owner AS other
    JOIN user AS them ON them.id = other.owner_id
    WHERE other.account_id = own.account_id AND other.owner_id <> ?1 AND other.role = 'owner')`;

async function change(
  run: Statement,
  tokenSha256: string,
  kind: "new_email" | "old_email",
  now: number,
): Promise<ChangedEmail | undefined> {
  const row = rowOf(
    await run(
      `SELECT user.id, user.name, user.language, user.email AS was, link.email AS becomes
       FROM identity_link AS link JOIN user ON user.id = link.user_id
       WHERE link.token_sha256 = ?1 AND link.kind = ?2 AND link.expires_at > ?3`,
      ...[tokenSha256, kind, now],
    ).all(),
  );
  if (!row) return undefined;
  return {
    ...{ userId: textOf(row, "id"), name: textOf(row, "name"), language: languageIn(row) },
    ...{ was: textOf(row, "was"), becomes: textOf(row, "becomes") },
  };
}

/** The address may have been changed by a thief with the password and a passkey: all sign-in methods end. */
function restoring(
  run: Statement,
  { userId, becomes }: ChangedEmail,
  tokenSha256: string,
  now: number,
): D1PreparedStatement[] {
  const { whileOpen, endWaysIn } = byOpenLink(run, { kind: "old_email", userId, tokenSha256, now });
  return [
    ...endWaysIn(),
    whileOpen("UPDATE user SET email = ?4, updated_at = ?3 WHERE id = ?1", becomes),
    // An address that was taken back before this change can still be.
    whileOpen(
      `DELETE FROM identity_link WHERE user_id = ?1 AND (kind <> 'old_email' OR created_at >=
         (SELECT made.created_at FROM identity_link AS made WHERE made.token_sha256 = ?2))`,
    ),
  ];
}
