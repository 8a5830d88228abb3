import { IDENTITY } from "../../domain/limits.ts";
import type {
  ChangedEmail,
  EmailStore,
  LinkRequest,
  LinkStore,
  Mailable,
  MailboxHashes,
  MailCount,
  NewPassword,
  NewSession,
} from "./login-stores.ts";
import { FACTOR_ALLOWS, useFactor } from "./second-factor.ts";
import {
  changed,
  HAS_EMAIL,
  languageIn,
  numberOf,
  PERSON,
  personOf,
  rowOf,
  type Statement,
  statementsOf,
  textOf,
  whoHas,
} from "./statements.ts";

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
    async askToJoin({ name, ...request }) {
      const { email, now } = request;
      const link = makeLink(run, request, { kind: "sign_up", name: "?7", where: "TRUE", values: [name] });
      const outcome = await askingByMail(directory, run, {
        request,
        statements: [whoHas(run, email, now), link],
      });
      return outcome.ok ? { ok: true, found: personOf(outcome.found[0]) } : outcome;
    },
    async askForPassword({ signedUpSince, ...request }) {
      const outcome = await askingByMail(directory, run, {
        request,
        statements: [
          run(`SELECT ${PERSON} FROM user WHERE user.email = ?1`, request.email),
          makeLink(run, request, {
            ...{ kind: "password", userId: "user.id", from: "user", where: "user.email = ?2" },
          }),
          // Another request does not extend the week.
          makeLink(run, request, {
            ...{ kind: "sign_up", name: "pending.name", createdAt: "pending.created_at" },
            from: "identity_link AS pending",
            where: `pending.email = ?2 AND pending.kind = 'sign_up' AND pending.created_at > ?7
              AND NOT EXISTS (SELECT 1 FROM user WHERE ${HAS_EMAIL("?2", "?3")})
              ORDER BY pending.created_at DESC, pending.expires_at DESC LIMIT 1`,
            values: [signedUpSince],
          }),
        ],
      });
      if (!outcome.ok) return outcome;
      const [known, , pending] = outcome.found;
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
    ...keepMailbox(chosen.mailbox, (text, ...values) =>
      run(`${text} AND ${isMade}`, userId, tokenSha256, now, ...values),
    ),
    run(
      `DELETE FROM identity_link WHERE ${isMade}
       AND email = (SELECT email FROM user WHERE id = ?1) AND kind = 'sign_up'`,
      userId,
    ),
  ];
}

function recovering(run: Statement, chosen: Parameters<LinkStore["recover"]>[0]): D1PreparedStatement[] {
  const { passwordHash, language, device, accountHash, userId, tokenSha256 } = chosen;
  const { whileOpen, endWaysIn } = byOpenLink(run, { kind: "password", ...chosen });
  return [
    ...useFactor(run, { userId, usedBy: tokenSha256 }, chosen.use),
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
    ...keepMailbox(chosen.mailbox, whileOpen),
    whileOpen(
      `DELETE FROM identity_link WHERE kind <> 'old_email'
       AND (user_id = ?1 OR email = (SELECT email FROM user WHERE id = ?1))`,
    ),
  ];
}

/**
 * Keeps the mailbox of a login that has none yet. Rows and counters of the mailbox move from the hashes of
 * secrets that are being replaced to the current one, so that its quotas go on counting. `put` adds a
 * condition to a text, and has three values of its own, the person as `?1`.
 */
export function keepMailbox(
  { current, older }: MailboxHashes,
  put: (text: string, ...values: readonly string[]) => D1PreparedStatement,
): D1PreparedStatement[] {
  const before = JSON.stringify(older);
  return [
    put(
      `UPDATE login_mailbox SET mailbox_hash = ?4
       WHERE mailbox_hash IN (SELECT value FROM json_each(?5))`,
      ...[current, before],
    ),
    put("INSERT OR IGNORE INTO login_mailbox (user_id, mailbox_hash) SELECT ?1, ?4 WHERE TRUE", current),
    put(
      `UPDATE OR IGNORE sign_in_failure SET email_sha256 = 'proofs of ' || ?4
       WHERE (email_sha256 = 'proofs of ' || ?1
         OR email_sha256 IN (SELECT 'proofs of ' || value FROM json_each(?5)))`,
      ...[current, before],
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

type LinkKind = "sign_up" | "password" | "new_email" | "old_email";

interface MailRequest {
  readonly request: LinkRequest & { readonly ofPerson?: readonly MailCount[] };
  readonly statements: readonly D1PreparedStatement[];
}

/** Requests a mailed link: one batch counts the mail and reads the address. */
async function askingByMail(
  directory: D1Database,
  run: Statement,
  { request, statements }: MailRequest,
): Promise<Mailable<readonly D1Result[]>> {
  const { mails, ofPerson = [], now } = request;
  const counts = [mails, ...ofPerson];
  const answers = await directory.batch([...counts.map((one) => countMail(run, one, now)), ...statements]);
  const waits = counts.map(({ most, windowMs }, index) => {
    const row = rowOf(answers[index]);
    return numberOf(row, "failures") > most ? numberOf(row, "since") + windowMs - now : 0;
  });
  const waitMs = Math.max(...waits);
  return waitMs > 0 ? { ok: false, waitMs } : { ok: true, found: answers.slice(counts.length) };
}

/** An SQL condition on counts as JSON: all of these mails may still be sent. */
const MAY_MAIL = (counts: string) => `NOT EXISTS (SELECT 1 FROM json_each(${counts}) AS counted
  JOIN sign_in_failure AS sent ON sent.email_sha256 = counted.value ->> 'key'
  WHERE sent.failures > counted.value ->> 'most')`;

/** Counts one more mail and returns the number. */
function countMail(run: Statement, { key, windowMs }: MailCount, now: number): D1PreparedStatement {
  return run(
    `INSERT INTO sign_in_failure (email_sha256, failures, since) VALUES (?1, 1, ?2)
     ON CONFLICT (email_sha256) DO UPDATE SET
       failures = CASE WHEN since <= ?2 - ?3 THEN 1 ELSE failures + 1 END,
       since = CASE WHEN since <= ?2 - ?3 THEN ?2 ELSE since END
     RETURNING failures, since`,
    ...[key, now, windowMs],
  );
}

interface LinkMade {
  readonly kind: LinkKind;
  /** Expressions of the row in `from`, or of values: these count from 7, `?2` is the address, `?3` now. */
  readonly userId?: string;
  readonly name?: string;
  readonly createdAt?: string;
  readonly from?: string;
  readonly where: string;
  readonly values?: readonly (string | number)[];
}

/** Keeps a link, where the address may be mailed. */
function makeLink(
  run: Statement,
  { tokenSha256, email, now, expiresAt, mails }: LinkRequest,
  { kind, userId = "NULL", name = "NULL", createdAt = "?3", from, where, values = [] }: LinkMade,
): D1PreparedStatement {
  return run(
    `INSERT INTO identity_link (token_sha256, kind, email, user_id, name, created_at, expires_at)
     SELECT ?1, '${kind}', ?2, ${userId}, ${name}, ${createdAt}, ?4 ${from ? `FROM ${from}` : ""}
     WHERE (SELECT failures FROM sign_in_failure WHERE email_sha256 = ?5) <= ?6 AND ${where}`,
    ...[tokenSha256, email, now, expiresAt, mails.key, mails.most, ...values],
  );
}

const WAYS_IN = ["session", "passkey", "known_device", "credential"] as const;

/**
 * Statements that need an open link: `?1` is the person, `?2` the link, `?3` now. The link is deleted last,
 * because every statement checks it.
 */
function byOpenLink(
  run: Statement,
  link: {
    readonly kind: LinkKind;
    readonly userId: string;
    readonly tokenSha256: string;
    readonly now: number;
  },
) {
  const { kind, userId, tokenSha256, now } = link;
  // A link for a password is half of a recovery: the other half is the code.
  const allowed = kind === "password" ? ` AND ${FACTOR_ALLOWS}` : "";
  const whileOpen = (text: string, ...values: readonly (string | number)[]) =>
    run(
      `${text} AND EXISTS (SELECT 1 FROM identity_link AS link WHERE link.token_sha256 = ?2
         AND link.user_id = ?1 AND link.kind = '${kind}' AND link.expires_at > ?3)${allowed}`,
      ...[userId, tokenSha256, now, ...values],
    );
  return {
    whileOpen,
    endWaysIn: () => WAYS_IN.map((table) => whileOpen(`DELETE FROM ${table} WHERE user_id = ?1`)),
  };
}

/** Changing the address of a login, taking it back, and its end. */
export function emailStore(directory: D1Database): EmailStore {
  const run = statementsOf(directory);
  return {
    async askToChange({ userId, sessionId, ...request }) {
      const { email, now, ofPerson } = request;
      const link = makeLink(run, request, {
        ...{ kind: "new_email", userId: "?7", values: [userId, sessionId, JSON.stringify(ofPerson)] },
        // A recovery meanwhile ends the session that asked for this.
        where: `EXISTS (SELECT 1 FROM session WHERE user_id = ?7 AND id = ?8) AND ${MAY_MAIL("?9")}`,
      });
      const outcome = await askingByMail(directory, run, {
        request,
        statements: [whoHas(run, email, now), link],
      });
      return outcome.ok ? { ok: true, found: personOf(outcome.found[0]) } : outcome;
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
    // A stranger who took the address over may have set up the app, and would lock its owner out by it.
    whileOpen(
      `DELETE FROM second_factor WHERE user_id = ?1 AND created_at >= ?4 + (SELECT made.created_at
         FROM identity_link AS made WHERE made.token_sha256 = ?2)`,
      -IDENTITY.undoEmailMs,
    ),
    // An address that was taken back before this change can still be.
    whileOpen(
      `DELETE FROM identity_link WHERE user_id = ?1 AND (kind <> 'old_email' OR created_at >=
         (SELECT made.created_at FROM identity_link AS made WHERE made.token_sha256 = ?2))`,
    ),
  ];
}
