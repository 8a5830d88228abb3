/** The databases of `npm start` get the schema of the migrations, each once. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openState } from "../../../src/dev/state.ts";
import { knownMigrations, migrateLocalDatabases } from "../../../src/ops/local-databases.ts";

const dir = mkdtempSync(join(tmpdir(), "cuadre-migrated-"));
const state = openState(dir);

beforeAll(() => migrateLocalDatabases(state));
afterAll(() => rmSync(dir, { recursive: true }));

const FOLDER = join(state.databases, "v3/d1/miniflare-D1DatabaseObject");

interface Read {
  readonly schema: readonly unknown[];
  readonly noted: readonly string[];
}

const SCHEMA =
  "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\' AND name <> 'd1_migrations' " +
  "AND name NOT LIKE 'sqlite%' ORDER BY type, name";

/** Wrangler sends statements without their comments. */
function schemaOf(database: DatabaseSync): unknown[] {
  const rows = database.prepare(SCHEMA).all();
  return rows.map(({ type, name, sql }) => [type, name, sql && plain(String(sql))]);
}

const plain = (sql: string) => sql.replace(/--.*/g, "").replace(/\s+/g, " ");

function readMigrated(): Read[] {
  const names = readdirSync(FOLDER).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  return names.map((name) => {
    const database = new DatabaseSync(join(FOLDER, name));
    const schema = schemaOf(database);
    const noted = database.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
    database.close();
    return { schema, noted: noted.map((row) => String(row.name)) };
  });
}

test("what is in the files is what the migrations say, and each is noted as wrangler notes it", () => {
  const expected = knownMigrations().map(({ folder, files }) => {
    const database = new DatabaseSync(":memory:");
    for (const file of files) database.exec(readFileSync(join(folder, file), "utf8"));
    return { schema: schemaOf(database), noted: files };
  });
  const byLength = (one: Read, other: Read) => one.noted.length - other.noted.length;
  expect(readMigrated().toSorted(byLength)).toEqual(expected.toSorted(byLength));
});

test("a second time nothing is left to apply", async () => {
  const before = readMigrated();
  await migrateLocalDatabases(state);
  expect(readMigrated()).toEqual(before);
});
