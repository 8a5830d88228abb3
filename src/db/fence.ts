import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "./database.ts";
import type { CommitResult, Fence } from "./ledger-state.ts";
import { account, connection, ledgerHead } from "./schema/ledger.ts";

export type FencedStatement = BatchItem<"sqlite">;

const RAISE_HEAD = {
  target: ledgerHead.connectionId,
  set: { seq: sql`excluded.seq`, settingsVersion: sql`excluded.settings_version` },
};

/**
 * The first statement of every batch that writes for a connection. Its triggers abort the batch if head or
 * settings are outdated, by a replaced instance or late from the network.
 */
export function fence(db: Database, connectionId: string, { seq, settings }: Fence): FencedStatement {
  const row = { connectionId, accountId: settings.accountId, seq, settingsVersion: settings.version };
  return db.insert(ledgerHead).values(row).onConflictDoUpdate(RAISE_HEAD);
}

/**
 * The fence alone, at the next number and current settings. A lost batch has either landed before it or can
 * no longer land. It always succeeds, so one round trip closes and reads.
 */
export function closingFence(db: Database, connectionId: string): FencedStatement {
  const next = sql`1 + coalesce(${ledgerHead.seq}, 0)`;
  const current = sql`SELECT ${connection.id}, ${connection.accountId}, ${next}, ${account.settingsVersion}
    FROM ${connection} JOIN ${account} ON ${account.id} = ${connection.accountId}
    LEFT JOIN ${ledgerHead} ON ${ledgerHead.connectionId} = ${connection.id}
    WHERE ${connection.id} = ${connectionId}`;
  return db.insert(ledgerHead).select(current).onConflictDoUpdate(RAISE_HEAD);
}

export type Fenced<Rows> =
  | { readonly result: "committed"; readonly rows: Rows }
  | { readonly result: Exclude<CommitResult, "committed"> };

/** Our own aborts are answers; anything else is thrown, and its outcome is unknown. */
export async function fenced<Rows>(send: () => Promise<Rows>): Promise<Fenced<Rows>> {
  try {
    return { result: "committed", rows: await send() };
  } catch (error) {
    const abort = fenceAbort(error);
    if (abort === undefined) throw error;
    return { result: abort };
  }
}

/** A batch of which nothing is read but whether it was committed. */
export async function fencedBatch(
  db: Database,
  statements: readonly [FencedStatement, ...FencedStatement[]],
): Promise<CommitResult> {
  return (await fenced(() => db.batch(statements))).result;
}

const ABORT = /fence:(stale_head|stale_settings|exists|link)/;

/** D1 reports a trigger's abort only in the text. */
export function fenceAbort(error: unknown): Exclude<CommitResult, "committed"> | undefined {
  switch (ABORT.exec(abortText(error))?.[1]) {
    case "stale_head":
      return "stale_head";
    case "stale_settings":
      return "stale_settings";
    case "exists":
      return "exists";
    case "link":
      return "link";
    default:
      return undefined;
  }
}

export function abortText(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
  return error instanceof Error ? `${error.message} ${cause}` : "";
}
