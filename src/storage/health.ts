import type { Ledgers } from "./ledgers.ts";

export interface HealthPart {
  readonly name: string;
  readonly healthy: boolean;
}

export interface Health {
  readonly healthy: boolean;
  readonly parts: readonly HealthPart[];
  /** Oldest and newest migration that any ledger stands at: they differ only during `npm run migrate`. */
  readonly schema: { readonly oldest: string; readonly newest: string };
}

/** Healthy only when an invoice can be issued: all databases answer, and an object can be reached. */
export async function healthOf(
  ledgers: Ledgers,
  directory: D1Database,
  ping: () => Promise<unknown>,
): Promise<Health> {
  const versions: string[] = [];
  const checks: [string, () => Promise<unknown>][] = [
    ...[...ledgers].map(([number, database]): [string, () => Promise<unknown>] => [
      `ledger_${number}`,
      async () => versions.push(await schemaVersion(database)),
    ]),
    ["directory", () => schemaVersion(directory)],
    ["objects", ping],
  ];
  const parts = await Promise.all(checks.map(([name, check]) => healthPart(name, check)));
  versions.sort();
  return {
    healthy: parts.every((part) => part.healthy),
    parts,
    schema: { oldest: versions[0] ?? "none", newest: versions.at(-1) ?? "none" },
  };
}

async function healthPart(name: string, check: () => Promise<unknown>): Promise<HealthPart> {
  try {
    await check();
    return { name, healthy: true };
  } catch {
    return { name, healthy: false };
  }
}

/** The last migration that wrangler applied; a database without any cannot take an invoice. */
async function schemaVersion(database: D1Database): Promise<string> {
  const row = await database
    .prepare("SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1")
    .first<{ name: string }>();
  if (!row) throw new Error("no migration applied");
  return row.name;
}
