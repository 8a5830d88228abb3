import { boundedBinding } from "../database.ts";
import type { KnownPerson, MailLanguage } from "./login-stores.ts";

/** A statement of D1 with its values in their numbered places. */
export type Statement = (text: string, ...values: readonly (string | number | null)[]) => D1PreparedStatement;

export function statementsOf(directory: D1Database): Statement {
  const bounded = boundedBinding(directory);
  return (text, ...values) => bounded.prepare(text).bind(...values);
}

export function rowOf(result: D1Result | undefined): Readonly<Record<string, unknown>> | undefined {
  const [row] = (result?.results ?? []) as readonly Readonly<Record<string, unknown>>[];
  return row;
}

export function changed(result: D1Result | undefined): boolean {
  return (result?.meta.changes ?? 0) > 0;
}

export function textOf(row: Readonly<Record<string, unknown>>, name: string): string {
  const value = row[name];
  return typeof value === "string" ? value : "";
}

export function numberOf(row: Readonly<Record<string, unknown>> | undefined, name: string): number {
  const value = row?.[name];
  return typeof value === "number" ? value : 0;
}

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
