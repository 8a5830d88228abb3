import { isLedgerNumber, type LedgerNumber, ledgerOf } from "../domain/connection/ids.ts";
import { HEALTH_MS } from "../domain/limits.ts";
import type { Instant } from "../domain/shared/instant.ts";

/** The D1 databases of the configuration: `LEDGER_000`, `LEDGER_001`, ... */
type Ledgers = ReadonlyMap<LedgerNumber, D1Database>;

const BINDING = /^LEDGER_([0-9A-Z]{3})$/;

export function ledgersOf(env: object): Ledgers {
  const ledgers = new Map<LedgerNumber, D1Database>();
  for (const [name, binding] of Object.entries(env)) {
    const number = ledgerOfBinding(name);
    if (number !== undefined) ledgers.set(number, asDatabase(binding));
  }
  return ledgers;
}

export function ledgerOfBinding(name: string): LedgerNumber | undefined {
  const number = BINDING.exec(name)?.[1]?.toLowerCase();
  return number !== undefined && isLedgerNumber(number) ? number : undefined;
}

export function bindingOfLedger(number: LedgerNumber): string {
  return `LEDGER_${number.toUpperCase()}`;
}

/** The database where the account of a connection lives; undefined for an id of no ledger of ours. */
export function ledgerForConnection(ledgers: Ledgers, connectionId: string): D1Database | undefined {
  const number = ledgerOf(connectionId, "cn");
  return number === undefined ? undefined : ledgers.get(number);
}

/** The configuration promises that a binding of this name is a D1 database; its type cannot be asked. */
function asDatabase(binding: unknown): D1Database {
  return binding as D1Database;
}

const OBJECTS = "objects";

interface HealthPart {
  readonly name: string;
  readonly healthy: boolean;
}

export interface Health {
  readonly healthy: boolean;
  readonly parts: readonly HealthPart[];
  /** The oldest and newest migration of all ledgers: they differ only during `npm run migrate`. */
  readonly schema: { readonly oldest: string; readonly newest: string };
  readonly checkedAt: Instant;
}

/** Healthy only when an invoice can be issued: all databases answer an object, which asks them. */
export async function healthOf(ledgers: Ledgers, directory: D1Database, now: () => Instant): Promise<Health> {
  const checkedAt = now();
  const versions: string[] = [];
  const checks: [string, () => Promise<unknown>][] = [
    ...[...ledgers].map(([number, database]): [string, () => Promise<unknown>] => [
      `ledger_${number}`,
      async () => versions.push(await schemaVersion(database)),
    ]),
    ["directory", () => schemaVersion(directory)],
  ];
  const measured = await Promise.all(checks.map(([name, check]) => healthPart(name, check)));
  const parts = [...measured, { name: OBJECTS, healthy: true }];
  versions.sort();
  return {
    healthy: parts.every((part) => part.healthy),
    parts,
    schema: { oldest: versions[0] ?? "none", newest: versions.at(-1) ?? "none" },
    checkedAt,
  };
}

/** The report if no object answers. */
export function withoutObjects(checkedAt: Instant): Health {
  const schema = { oldest: "none", newest: "none" };
  return { healthy: false, parts: [{ name: OBJECTS, healthy: false }], schema, checkedAt };
}

/** One report for all callers during its life; concurrent callers share a measurement. */
export function keptReport(measure: () => Promise<Health>, now: () => Instant): () => Promise<Health> {
  let kept: Health | undefined;
  let underWay: Promise<Health> | undefined;
  return async () => {
    if (isFresh(kept, now())) return kept;
    underWay ??= measure().finally(() => {
      underWay = undefined;
    });
    kept = await underWay;
    return kept;
  };
}

export function isFresh(report: Health | undefined, now: Instant): report is Health {
  return report !== undefined && now >= report.checkedAt && now - report.checkedAt < HEALTH_MS;
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
