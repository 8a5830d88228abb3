import { boundedBinding } from "../bounded-sql.ts";

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
