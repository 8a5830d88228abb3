import type { LinkRequest, Mailable, MailCount } from "./ports.ts";
import { numberOf, rowOf, type Statement } from "./statements.ts";

type LinkKind = "sign_up" | "password" | "new_email" | "old_email";

export interface AskedByMail {
  readonly asked: LinkRequest & { readonly ofPerson?: readonly MailCount[] };
  readonly statements: readonly D1PreparedStatement[];
}

/** Requests a mailed link: one batch counts the mail and reads the address. */
export async function askingByMail(
  directory: D1Database,
  run: Statement,
  { asked, statements }: AskedByMail,
): Promise<Mailable<readonly D1Result[]>> {
  const { mails, ofPerson = [], now } = asked;
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
export const MAY_MAIL = (counts: string) => `NOT EXISTS (SELECT 1 FROM json_each(${counts}) AS counted
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

export interface LinkMade {
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
export function makeLink(
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
export function byOpenLink(
  run: Statement,
  link: {
    readonly kind: LinkKind;
    readonly userId: string;
    readonly tokenSha256: string;
    readonly now: number;
  },
) {
  const { kind, userId, tokenSha256, now } = link;
  const whileOpen = (text: string, ...values: readonly (string | number)[]) =>
    run(
      `${text} AND EXISTS (SELECT 1 FROM identity_link AS link WHERE link.token_sha256 = ?2
         AND link.user_id = ?1 AND link.kind = '${kind}' AND link.expires_at > ?3)`,
      ...[userId, tokenSha256, now, ...values],
    );
  return {
    whileOpen,
    endWaysIn: () => WAYS_IN.map((table) => whileOpen(`DELETE FROM ${table} WHERE user_id = ?1`)),
  };
}
