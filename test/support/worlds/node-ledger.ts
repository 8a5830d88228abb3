/** The databases of the product in plain Node: migrated once for each process, and copied in memory. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { REPOSITORY } from "../rules/sources.ts";
import { inNextTurn, type MemoryDatabase, memoryDatabase, type Travel } from "./sqlite-d1.ts";

const MIGRATIONS = {
  LEDGER_000: "migrations/ledger",
  LEDGER_001: "migrations/ledger",
  DIRECTORY: "migrations/directory",
} as const;

type Binding = keyof typeof MIGRATIONS;

export interface NodeDatabases {
  readonly bindings: Readonly<Record<Binding, D1Database>>;
  /** Each holds its schema and nothing else. */
  empty(): void;
}

/** `travel` decides when a call reaches its database. */
export function nodeDatabases(travel: Travel = inNextTurn): NodeDatabases {
  const databases = Object.fromEntries(
    Object.keys(MIGRATIONS).map((name) => [name, memoryDatabase(travel)]),
  ) as Record<Binding, MemoryDatabase>;
  const empty = () => {
    for (const [name, database] of entriesOf(databases)) database.load(templateOf(MIGRATIONS[name]));
  };
  empty();
  return {
    bindings: Object.fromEntries(entriesOf(databases).map(([name, { d1 }]) => [name, d1])) as Record<
      Binding,
      D1Database
    >,
    empty,
  };
}

function entriesOf(databases: Readonly<Record<Binding, MemoryDatabase>>): [Binding, MemoryDatabase][] {
  return Object.entries(databases) as [Binding, MemoryDatabase][];
}

const templates = new Map<string, Uint8Array>();

/** A database with its schema and nothing else. */
export function templateOf(folder: string): Uint8Array {
  const made = templates.get(folder) ?? migrated(join(REPOSITORY, folder));
  templates.set(folder, made);
  return made;
}

/** With the table in which wrangler notes its migrations. */
function migrated(folder: string): Uint8Array {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)");
  const note = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)");
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const name of names.toSorted()) {
    database.exec(readFileSync(join(folder, name), "utf8"));
    note.run(name);
  }
  const image = database.serialize();
  database.close();
  return image;
}
