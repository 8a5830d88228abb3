import type { LinkStore, NewPassword, NewSession } from "../../usecases/identity/ports.ts";
import { countMail, HAS_EMAIL, MAY_MAIL, mailWait, PERSON, personIn } from "./people.ts";
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
    async askToJoin({ email, name, tokenSha256, now, expiresAt, mails }) {
      const [counted, known] = await directory.batch([
        countMail(run, mails, now),
        run(`SELECT ${PERSON} FROM user WHERE ${HAS_EMAIL("?1", "?2")} LIMIT 1`, email, now),
        run(
          `INSERT INTO identity_link (token_sha256, kind, email, name, created_at, expires_at)
           SELECT ?1, 'sign_up', ?2, ?3, ?4, ?5 WHERE ${MAY_MAIL("?6", "?7")}`,
          ...[tokenSha256, email, name, now, expiresAt, mails.key, mails.most],
        ),
      ]);
      const waitMs = mailWait(rowOf(counted), mails, now);
      if (waitMs !== undefined) return { ok: false, waitMs };
      const person = rowOf(known);
      return { ok: true, found: person && personIn(person) };
    },
    async askForPassword({ email, tokenSha256, now, expiresAt, mails, signedUpSince }) {
      const values = [tokenSha256, email, now, expiresAt, mails.key, mails.most] as const;
      const [counted, known, , pending] = await directory.batch([
        countMail(run, mails, now),
        run(`SELECT ${PERSON} FROM user WHERE user.email = ?1`, email),
        run(
          `INSERT INTO identity_link (token_sha256, kind, email, user_id, created_at, expires_at)
           SELECT ?1, 'password', ?2, user.id, ?3, ?4 FROM user
           WHERE user.email = ?2 AND ${MAY_MAIL("?5", "?6")}`,
          ...values,
        ),
        run(
          `INSERT INTO identity_link (token_sha256, kind, email, name, created_at, expires_at)
           SELECT ?1, 'sign_up', ?2, pending.name, ?3, ?4 FROM identity_link AS pending
           WHERE pending.email = ?2 AND pending.kind = 'sign_up' AND pending.created_at > ?7
             AND NOT EXISTS (SELECT 1 FROM user WHERE ${HAS_EMAIL("?2", "?3")}) AND ${MAY_MAIL("?5", "?6")}
           ORDER BY pending.created_at DESC LIMIT 1`,
          ...[...values, signedUpSince],
        ),
      ]);
      const waitMs = mailWait(rowOf(counted), mails, now);
      if (waitMs !== undefined) return { ok: false, waitMs };
      const person = rowOf(known);
      if (person) return { ok: true, found: { person: personIn(person) } };
      return { ok: true, found: changed(pending) ? { person: undefined } : undefined };
    },
  };
}

/** Everything behind the first statement stands only where that made the person. */
function joining(
  run: Statement,
  chosen: NewPassword & { readonly userId: string; readonly session: NewSession },
): D1PreparedStatement[] {
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
      `DELETE FROM identity_link WHERE ${isMade}
       AND email = (SELECT email FROM user WHERE id = ?1) AND kind = 'sign_up'`,
      userId,
    ),
  ];
}

/** The link itself goes last: until then it is what every statement asks for. */
function recovering(
  run: Statement,
  {
    tokenSha256,
    passwordHash,
    now,
    language,
    userId,
    device,
    accountHash,
  }: NewPassword & { readonly userId: string },
): D1PreparedStatement[] {
  const isOpen = `EXISTS (SELECT 1 FROM identity_link AS link WHERE link.token_sha256 = ?2
    AND link.user_id = ?1 AND link.kind = 'password' AND link.expires_at > ?3)`;
  const ended = ["session", "passkey", "known_device", "credential"].map((table) =>
    run(`DELETE FROM ${table} WHERE user_id = ?1 AND ${isOpen}`, userId, tokenSha256, now),
  );
  return [
    ...ended,
    run(
      `INSERT INTO credential (id, account_id, provider_id, user_id, password, created_at, updated_at)
       SELECT ?1, ?1, 'credential', ?1, ?4, ?3, ?3 WHERE ${isOpen}`,
      ...[userId, tokenSha256, now, passwordHash],
    ),
    run(
      `UPDATE user SET email_verified = 1, language = ?4, updated_at = ?3 WHERE id = ?1 AND ${isOpen}`,
      ...[userId, tokenSha256, now, language],
    ),
    run(
      `INSERT INTO known_device (id_sha256, user_id, created_at, expires_at)
       SELECT ?4, ?1, ?3, ?5 WHERE ${isOpen}`,
      ...[userId, tokenSha256, now, device.idSha256, device.expiresAt],
    ),
    run(
      `DELETE FROM sign_in_failure WHERE account_hash = ?4 AND ${isOpen}`,
      ...[userId, tokenSha256, now, accountHash],
    ),
    run(
      `DELETE FROM identity_link WHERE ${isOpen} AND kind <> 'old_email'
       AND (user_id = ?1 OR email = (SELECT email FROM user WHERE id = ?1))`,
      ...[userId, tokenSha256, now],
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
