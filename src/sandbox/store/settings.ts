/** Small things that must outlive the process, as JSON by name. */
import { type Database, textOf } from "./database.ts";

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
