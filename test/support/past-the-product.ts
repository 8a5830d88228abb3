/** SQL that somebody sends past the product; the triggers are all that stands between it and the books. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { everyRow } from "./rows.ts";

const database = env.LEDGER_000;

/** All of them or none, as one batch. */
export async function run(...statements: readonly string[]): Promise<void> {
  await database.batch(statements.map((sql) => database.prepare(sql)));
}

/** With that complaint, and no row of any table is another. */
export async function expectRefused(text: string, ...statements: readonly string[]): Promise<void> {
  const before = await everyRow(database);
  await expect(run(...statements)).rejects.toThrow(text);
  expect(await everyRow(database)).toEqual(before);
}
