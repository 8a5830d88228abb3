import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

/** Tables, triggers and indexes of a database, as SQLite keeps them, white space made equal. */
async function schemaOf(database: D1Database): Promise<Record<string, string>> {
  const own = "name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name NOT LIKE 'd1_%'";
  const { results } = await database
    .prepare(`SELECT type, name, sql FROM sqlite_master WHERE ${own} ORDER BY type, tbl_name, name`)
    .all<{ type: string; name: string; sql: string | null }>();
  return Object.fromEntries(
    results.map(({ type, name, sql }) => [`${type} ${name}`, (sql ?? "").replace(/\s+/g, " ").trim()]),
  );
}

// A migration that loses a trigger or an index shows up here. `vitest run -u` after a change that is meant.
test("the migrations lead to exactly the schema of the snapshot", async () => {
  const schema = { ledger: await schemaOf(env.LEDGER_000), directory: await schemaOf(env.DIRECTORY) };
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot("../golden/schema.snapshot.json");
});

test("every ledger has the same schema", async () => {
  expect(await schemaOf(env.LEDGER_001)).toEqual(await schemaOf(env.LEDGER_000));
});

// The databases of the suite are copies of files that Node migrated.
test.each([
  ["ledger", env.LEDGER_000],
  ["directory", env.DIRECTORY],
] as const)(
  "D1 takes the migrations of %s one after the other, and they lead to the same schema",
  async (kind, database) => {
    await applyD1Migrations(env.UNMIGRATED, env.TEST_MIGRATIONS[kind]);
    expect(await schemaOf(env.UNMIGRATED)).toEqual(await schemaOf(database));
  },
);
