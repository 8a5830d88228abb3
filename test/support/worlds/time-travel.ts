/** A ledger that goes back to a moment, as D1's Time Travel does it: rows and nothing else, past the triggers. */
import type { Row } from "./rows.ts";

export type Moment = Readonly<Record<string, readonly Row[]>>;

/** The full-text table is made by alarms, which the tests of a restore let ring afterwards. */
const NO_DATA = /^(sqlite_|_cf_|d1_|invoice_search|restore_)/;

export async function momentOf(database: D1Database): Promise<Moment> {
  const names = await tablesOf(database);
  const rows = await Promise.all(
    names.map(async (name) => {
      const columns = await storedColumns(database, name);
      const { results } = await database
        .prepare(`SELECT ${columns.join(", ")} FROM ${name} ORDER BY ${columns.join(", ")}`)
        .all<Row>();
      return [name, results] as const;
    }),
  );
  return Object.fromEntries(rows);
}

export async function goBackTo(database: D1Database, moment: Moment): Promise<void> {
  const triggers = await database
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all<{ name: string; sql: string }>();
  const names = await tablesOf(database);
  const inserts = names.flatMap((name) =>
    (moment[name] ?? []).map((row) => {
      const places = Object.keys(row).map(() => "?");
      return database
        .prepare(`INSERT INTO ${name} (${Object.keys(row).join(", ")}) VALUES (${places.join(", ")})`)
        .bind(...Object.values(row));
    }),
  );
  const run = (sql: string) => database.prepare(sql);
  await database.batch([
    run("PRAGMA defer_foreign_keys = on"),
    ...triggers.results.map(({ name }) => run(`DROP TRIGGER ${name}`)),
    ...names.map((name) => run(`DELETE FROM ${name}`)),
    run("INSERT INTO invoice_search (invoice_search) VALUES ('delete-all')"),
    ...inserts,
    ...triggers.results.map(({ sql }) => run(sql)),
  ]);
}

async function tablesOf(database: D1Database): Promise<readonly string[]> {
  const { results } = await database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !NO_DATA.test(name));
}

/** Generated columns are no data. */
async function storedColumns(database: D1Database, name: string): Promise<readonly string[]> {
  const { results } = await database
    .prepare(`PRAGMA table_xinfo(${name})`)
    .all<{ name: string; hidden: number }>();
  return results.filter(({ hidden }) => hidden === 0).map((column) => column.name);
}
