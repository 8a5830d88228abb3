import type { KnownPerson, MailCount, MailLanguage } from "../../usecases/identity/ports.ts";
import { numberOf, type Statement, textOf } from "./statements.ts";

export const PERSON = "user.id, user.name, user.email, user.language";

export function personIn(row: Readonly<Record<string, unknown>>): KnownPerson {
  return {
    ...{ id: textOf(row, "id"), name: textOf(row, "name"), email: textOf(row, "email") },
    language: languageIn(row),
  };
}

export function languageIn(row: Readonly<Record<string, unknown>>): MailLanguage | undefined {
  return row.language === "es" || row.language === "en" ? row.language : undefined;
}

/** Whose an address is: also the old one of somebody who may still take it back. */
export const HAS_EMAIL = (email: string, now: string) =>
  `(user.email = ${email} OR user.id IN (SELECT old.user_id FROM identity_link AS old
    WHERE old.kind = 'old_email' AND old.email = ${email} AND old.expires_at > ${now}))`;

/** One more mail, in the statement that says how many there are. */
export function countMail(run: Statement, { key, windowMs }: MailCount, now: number): D1PreparedStatement {
  return run(
    `INSERT INTO sign_in_failure (email_sha256, failures, since) VALUES (?1, 1, ?2)
     ON CONFLICT (email_sha256) DO UPDATE SET
       failures = CASE WHEN since <= ?2 - ?3 THEN 1 ELSE failures + 1 END,
       since = CASE WHEN since <= ?2 - ?3 THEN ?2 ELSE since END
     RETURNING failures, since`,
    ...[key, now, windowMs],
  );
}

/** As a condition of the statements behind it. */
export const MAY_MAIL = (key: string, most: string) =>
  `(SELECT failures FROM sign_in_failure WHERE email_sha256 = ${key}) <= ${most}`;

/** How long the next one waits, where there were too many. */
export function mailWait(
  row: Readonly<Record<string, unknown>> | undefined,
  { most, windowMs }: MailCount,
  now: number,
): number | undefined {
  return numberOf(row, "failures") > most ? numberOf(row, "since") + windowMs - now : undefined;
}
