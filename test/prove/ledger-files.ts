/** The databases of a local product, read where they are kept. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";

export type Row = Readonly<Record<string, SQLOutputValue>>;
export type Rows = (sql: string) => readonly Row[];

/** Runs `read` on each ledger, one after the other, each at one moment. */
export function inEachLedger<Found>(stateDir: string, read: (rows: Rows) => readonly Found[]): Found[] {
  const folder = join(stateDir, "wrangler/v3/d1/miniflare-D1DatabaseObject");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite")
    .flatMap((name) => inLedger(join(folder, name), read));
}

function inLedger<Found>(path: string, read: (rows: Rows) => readonly Found[]): readonly Found[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows: Rows = (sql) => database.prepare(sql).all();
  try {
    database.exec("BEGIN");
    const [table] = rows("SELECT name FROM sqlite_master WHERE name = 'record'");
    return table ? read(rows) : [];
  } finally {
    database.close();
  }
}
