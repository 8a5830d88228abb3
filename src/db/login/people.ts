import type { KnownPerson, MailLanguage } from "./ports.ts";
import { rowOf, type Statement, textOf } from "./statements.ts";

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

/** The person with an address; the same statement for known and unknown ones. */
export function whoHas(run: Statement, email: string, now: number): D1PreparedStatement {
  return run(`SELECT ${PERSON} FROM user WHERE ${HAS_EMAIL("?1", "?2")} LIMIT 1`, email, now);
}

export function personOf(result: D1Result | undefined): KnownPerson | undefined {
  const row = rowOf(result);
  return row && personIn(row);
}

/** True for the person's address, and for an old address that can still be restored. */
export const HAS_EMAIL = (email: string, now: string) =>
  `(user.email = ${email} OR user.id IN (SELECT old.user_id FROM identity_link AS old
    WHERE old.kind = 'old_email' AND old.email = ${email} AND old.expires_at > ${now}))`;
