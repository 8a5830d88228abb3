/** The sandbox's own small database: SQLite, in a Durable Object or in the memory of a test. */

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, SqlValue>>;

/** Synchronous in both places, so a message is judged and stored without anything in between. */
export interface Database {
  all(sql: string, ...values: readonly SqlValue[]): Row[];
  /** All or nothing. */
  transaction<Result>(work: () => Result): Result;
}

const TABLES = [
  "CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
  `CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY, received_at TEXT NOT NULL, host TEXT NOT NULL,
    endpoint TEXT NOT NULL, operation TEXT, nif TEXT, chain_id INTEGER, incident INTEGER NOT NULL DEFAULT 0,
    records INTEGER NOT NULL DEFAULT 0, stored INTEGER NOT NULL DEFAULT 0, early INTEGER NOT NULL DEFAULT 0,
    outcome TEXT, csv TEXT, wait_seconds INTEGER, misbehaviour TEXT, status INTEGER,
    request_sha256 TEXT NOT NULL)`,
  "CREATE INDEX IF NOT EXISTS message_chain ON message (chain_id)",
  `CREATE TABLE IF NOT EXISTS message_text (
    message_id INTEGER NOT NULL, part TEXT NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (message_id, part, position))`,
  `CREATE TABLE IF NOT EXISTS chain (
    id INTEGER PRIMARY KEY, nif TEXT NOT NULL, producer TEXT NOT NULL, system TEXT NOT NULL,
    installation TEXT NOT NULL, UNIQUE (nif, producer, system, installation))`,
  `CREATE TABLE IF NOT EXISTS record (
    id INTEGER PRIMARY KEY, chain_id INTEGER NOT NULL, kind TEXT NOT NULL, number TEXT NOT NULL,
    date TEXT NOT NULL, hash TEXT NOT NULL, previous_hash TEXT, reference TEXT, operation TEXT NOT NULL,
    generated_at TEXT NOT NULL, link TEXT NOT NULL, state TEXT NOT NULL, code INTEGER, description TEXT,
    csv TEXT, received INTEGER NOT NULL, changed INTEGER NOT NULL, message_id INTEGER NOT NULL,
    xml TEXT NOT NULL, UNIQUE (chain_id, operation, number, date, hash))`,
  "CREATE INDEX IF NOT EXISTS record_hash ON record (chain_id, hash)",
  "CREATE INDEX IF NOT EXISTS record_chain ON record (chain_id)",
  `CREATE TABLE IF NOT EXISTS judgement (
    message_id INTEGER NOT NULL, line INTEGER NOT NULL, record_id INTEGER NOT NULL, state TEXT NOT NULL,
    code INTEGER, PRIMARY KEY (message_id, line))`,
  "CREATE INDEX IF NOT EXISTS judgement_record ON judgement (record_id)",
  `CREATE TABLE IF NOT EXISTS invoice (
    nif TEXT NOT NULL, number TEXT NOT NULL, date TEXT NOT NULL, state TEXT NOT NULL, code INTEGER,
    description TEXT, petition TEXT NOT NULL, presented_at TEXT NOT NULL, record_id INTEGER NOT NULL,
    PRIMARY KEY (nif, number, date))`,
] as const;

const EMPTIED = ["message", "message_text", "chain", "record", "judgement", "invoice", "setting"] as const;

export function createTables(database: Database): void {
  for (const table of TABLES) database.all(table);
}

/** As on the first day: nothing received, nothing set. */
export function emptyTables(database: Database): void {
  database.transaction(() => {
    for (const table of EMPTIED) database.all(`DELETE FROM ${table}`);
  });
}

/** The first row's column as text; undefined for NULL and for no row. */
export function textOf(row: Row | undefined, column: string): string | undefined {
  const value = row?.[column];
  return value === undefined || value === null ? undefined : String(value);
}

export function numberOf(row: Row | undefined, column: string): number | undefined {
  const value = row?.[column];
  return value === undefined || value === null ? undefined : Number(value);
}

/** Small things that must outlive the process, as JSON by name. */

export function readSetting(database: Database, name: string): unknown {
  const text = textOf(database.all("SELECT value FROM setting WHERE name = ?", name)[0], "value");
  return text === undefined ? undefined : JSON.parse(text);
}

export function writeSetting(database: Database, name: string, value: unknown): void {
  database.all(
    "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    name,
    JSON.stringify(value),
  );
}

/** Increments and returns the earlier value. */
export function countOn(database: Database, name: string): number {
  const before = Number(readSetting(database, name) ?? 0);
  writeSetting(database, name, before + 1);
  return before;
}
