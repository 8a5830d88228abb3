import { askingByMail, byOpenLink, makeLink } from "./mailed-links.ts";
import { HAS_EMAIL, PERSON, personOf, whoHas } from "./people.ts";
import type { LinkStore, NewPassword, NewSession } from "./ports.ts";
import { changed, rowOf, type Statement, statementsOf, textOf } from "./statements.ts";

/** Links that were mailed, in the directory. */
export function linkStore(directory: D1Database): LinkStore {
  const run = statementsOf(directory);
  return {
    ...asking(directory, run),
    async linkBy(tokenSha256, now) {
      const row = rowOf(
        await run(
          `SELECT link.kind, link.user_id, coalesce(user.email, link.email) AS email,
             coalesce(user.name, link.name) AS name
           FROM identity_link AS link LEFT JOIN user ON user.id = link.user_id
           WHERE link.token_sha256 = ?1 AND link.expires_at > ?2 AND link.kind IN ('sign_up', 'password')`,
          ...[tokenSha256, now],
        ).all(),
      );
      if (!row) return undefined;
      const kind = row.kind === "password" ? "password" : "sign_up";
      const userId = kind === "password" ? textOf(row, "user_id") : undefined;
      return { kind, userId, email: textOf(row, "email"), name: textOf(row, "name") };
    },
    async signUp(chosen) {
      const [joined] = await directory.batch(joining(run, chosen));
      return changed(joined);
    },
    async recover(chosen) {
      const results = await directory.batch(recovering(run, chosen));
      return changed(results.at(-1));
    },
  };
}

function asking(directory: D1Database, run: Statement): Pick<LinkStore, "askToJoin" | "askForPassword"> {
  return {
    async askToJoin({ name, ...asked }) {
      const { email, now } = asked;
      const link = makeLink(run, asked, { kind: "sign_up", name: "?7", where: "TRUE", values: [name] });
      const told = await askingByMail(directory, run, { asked, statements: [whoHas(run, email, now), link] });
      return told.ok ? { ok: true, found: personOf(told.found[0]) } : told;
    },
    async askForPassword({ signedUpSince, ...asked }) {
      const told = await askingByMail(directory, run, {
        asked,
        statements: [
          run(`SELECT ${PERSON} FROM user WHERE user.email = ?1`, asked.email),
          makeLink(run, asked, {
            ...{ kind: "password", userId: "user.id", from: "user", where: "user.email = ?2" },
          }),
          // Another request does not extend the week.
          makeLink(run, asked, {
            ...{ kind: "sign_up", name: "pending.name", createdAt: "pending.created_at" },
            from: "identity_link AS pending",
            where: `pending.email = ?2 AND pending.kind = 'sign_up' AND pending.created_at > ?7
              AND NOT EXISTS (SELECT 1 FROM user WHERE ${HAS_EMAIL("?2", "?3")})
              ORDER BY pending.created_at DESC, pending.expires_at DESC LIMIT 1`,
            values: [signedUpSince],
          }),
        ],
      });
      if (!told.ok) return told;
      const [known, , pending] = told.found;
      const person = personOf(known);
      if (person) return { ok: true, found: { person } };
      return { ok: true, found: changed(pending) ? { person: undefined } : undefined };
    },
  };
}

/** The later statements write only if the first has created the person. */
function joining(run: Statement, chosen: Parameters<LinkStore["signUp"]>[0]): D1PreparedStatement[] {
  const { tokenSha256, passwordHash, now, language, userId } = chosen;
  const isMade = "EXISTS (SELECT 1 FROM user WHERE id = ?1)";
  return [
    run(
      `INSERT INTO user (id, name, email, email_verified, created_at, updated_at, language)
       SELECT ?1, link.name, link.email, 1, ?2, ?2, ?3 FROM identity_link AS link
       WHERE link.token_sha256 = ?4 AND link.kind = 'sign_up' AND link.expires_at > ?2
         AND NOT EXISTS (SELECT 1 FROM user WHERE ${HAS_EMAIL("link.email", "?2")})`,
      ...[userId, now, language, tokenSha256],
    ),
    run(
      `INSERT INTO credential (id, account_id, provider_id, user_id, password, created_at, updated_at)
       SELECT ?1, ?1, 'credential', ?1, ?2, ?3, ?3 WHERE ${isMade}`,
      ...[userId, passwordHash, now],
    ),
    insertSession(run, chosen.session, { text: isMade, values: [] }),
    insertDevice(run, chosen, isMade),
    run(
      `INSERT INTO login_mailbox (user_id, mailbox_hash) SELECT ?1, ?2 WHERE ${isMade}`,
      ...[userId, chosen.mailboxHash],
    ),
    run(
      `DELETE FROM identity_link WHERE ${isMade}
       AND email = (SELECT email FROM user WHERE id = ?1) AND kind = 'sign_up'`,
      userId,
    ),
  ];
}

function recovering(
  run: Statement,
  chosen: NewPassword & { readonly userId: string },
): D1PreparedStatement[] {
  const { passwordHash, language, device, accountHash } = chosen;
  const { whileOpen, endWaysIn } = byOpenLink(run, { kind: "password", ...chosen });
  return [
    ...endWaysIn(),
    whileOpen(
      `INSERT INTO credential (id, account_id, provider_id, user_id, password, created_at, updated_at)
       SELECT id, id, 'credential', id, ?4, ?3, ?3 FROM user WHERE id = ?1`,
      passwordHash,
    ),
    whileOpen("UPDATE user SET email_verified = 1, language = ?4, updated_at = ?3 WHERE id = ?1", language),
    whileOpen(
      `INSERT INTO known_device (id_sha256, user_id, created_at, expires_at)
       SELECT ?4, id, ?3, ?5 FROM user WHERE id = ?1`,
      ...[device.idSha256, device.expiresAt],
    ),
    whileOpen("DELETE FROM sign_in_failure WHERE account_hash = ?4", accountHash),
    whileOpen(
      `DELETE FROM identity_link WHERE kind <> 'old_email'
       AND (user_id = ?1 OR email = (SELECT email FROM user WHERE id = ?1))`,
    ),
  ];
}

/** `where` counts its values from 8, and may name the person as `?1`. */
export function insertSession(
  run: Statement,
  { id, token, userId, device, now, expiresAt }: NewSession,
  where: { readonly text: string; readonly values: readonly (string | number)[] },
): D1PreparedStatement {
  return run(
    `INSERT INTO session (user_id, id, token, user_agent, created_at, updated_at, expires_at)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ${where.text}`,
    ...[userId, id, token, device ?? null, now, now, expiresAt, ...where.values],
  );
}

function insertDevice(
  run: Statement,
  { userId, device, now }: { readonly userId: string } & Pick<NewPassword, "device" | "now">,
  where: string,
): D1PreparedStatement {
  return run(
    `INSERT INTO known_device (user_id, id_sha256, created_at, expires_at) 
     SELECT ?1, ?2, ?3, ?4 WHERE ${where}`,
    ...[userId, device.idSha256, now, device.expiresAt],
  );
}
