/** A connection that submits to a sandbox authority of its own. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { ledgersOf } from "../../../src/db/ledgers.ts";
import { ledgerOf } from "../../../src/domain/connection/ids.ts";
import { invariant } from "../../../src/domain/shared/result.ts";
import type { ChainView, MessageView } from "../../../src/sandbox/views.ts";
import { connect, sandboxOf } from "../authority/line.ts";
import { ledgerStub, openShop, type Shop, type ShopOptions } from "./shop.ts";

export async function openSubmittingShop(
  options: ShopOptions = {},
  { isRepresented = true } = {},
): Promise<Shop> {
  const shop = await openShop(options);
  connect(shop.connectionId);
  // It has opened its books before.
  await evictDurableObject(ledgerStub(shop));
  if (isRepresented) await grantRepresentation(shop);
  return shop;
}

async function grantRepresentation({ accountId, connectionId }: Shop): Promise<void> {
  await databaseOf(connectionId)
    .prepare(`INSERT OR IGNORE INTO representation
      (id, account_id, document_sha256, signed_by, signed_on, stored_by, stored_at)
      SELECT ?, ?, ?, 'Ana', '2026-11-01', 'owner', 1
      WHERE NOT EXISTS (SELECT 1 FROM representation WHERE account_id = ?)`)
    .bind(`rp-${accountId}`, accountId, "0".repeat(64), accountId)
    .run();
}

export function databaseOf(connectionId: string): D1Database {
  const database = ledgersOf(env).get(ledgerOf(connectionId, "cn") ?? "");
  invariant(database, "the shop's id names a ledger");
  return database;
}

export interface StoredRecordState {
  readonly position: number;
  readonly state: string;
  readonly standing: Readonly<Record<string, unknown>>;
}

/** Every record of the connection in the order of its chain. */
export async function recordStates({ connectionId }: Shop): Promise<readonly StoredRecordState[]> {
  const { results } = await databaseOf(connectionId)
    .prepare("SELECT position, state, standing FROM record WHERE connection_id = ? ORDER BY position")
    .bind(connectionId)
    .all<{ position: number; state: string; standing: string | null }>();
  return results.map(({ position, state, standing }) => ({
    position,
    state,
    standing: standing === null ? {} : JSON.parse(standing),
  }));
}

/** The same as text: `accepted`, or with the authority's code. */
export async function statesOf(shop: Shop): Promise<readonly string[]> {
  const records = await recordStates(shop);
  return records.map(({ state, standing }) => ("code" in standing ? `${state} ${standing.code}` : state));
}

export interface AttemptRow {
  readonly id: string;
  readonly account_id: string;
  readonly installation_id: string;
  readonly from_position: number;
  readonly to_position: number;
  readonly incident: number;
  readonly resend: number;
  readonly request_sha256: string;
  readonly answer_sha256: string | null;
  readonly ended_at: number | null;
  readonly result: string | null;
  readonly csv: string | null;
}

export async function attemptsOf({ connectionId }: Shop): Promise<readonly AttemptRow[]> {
  const { results } = await databaseOf(connectionId)
    .prepare("SELECT * FROM submission_attempt WHERE connection_id = ? ORDER BY started_at, from_position")
    .bind(connectionId)
    .all<AttemptRow>();
  return results;
}

/** The result of each attempt, and why. */
export async function resultsOf(shop: Shop): Promise<readonly string[]> {
  return (await attemptsOf(shop)).map(({ result }) => {
    const { result: came, cause } = JSON.parse(result ?? "{}");
    return [came, cause].filter(Boolean).join(" ");
  });
}

export interface ChainRow {
  readonly due_at: number;
  readonly failures: number;
  readonly affected_to: number;
  readonly incident_since: number | null;
  readonly stopped: string | null;
}

export async function chainOf({ connectionId }: Shop): Promise<ChainRow> {
  const row = await databaseOf(connectionId)
    .prepare("SELECT * FROM chain_submission WHERE connection_id = ?")
    .bind(connectionId)
    .first<ChainRow>();
  invariant(row, "the chain has been submitted from");
  return row;
}

/** Sets the behaviour of the sandbox. */
export async function control({ connectionId }: Shop, change: object): Promise<void> {
  const response = await sandboxOf(connectionId).fetch("https://authority.test/control", {
    method: "PUT",
    body: JSON.stringify(change),
  });
  invariant(response.ok, await response.text());
}

export async function chainsAt({ connectionId }: Shop): Promise<readonly ChainView[]> {
  const response = await sandboxOf(connectionId).fetch("https://authority.test/records");
  return ((await response.json()) as { chains: ChainView[] }).chains;
}

export async function messagesAt({ connectionId }: Shop): Promise<readonly MessageView[]> {
  const response = await sandboxOf(connectionId).fetch("https://authority.test/messages");
  return ((await response.json()) as { messages: MessageView[] }).messages;
}

/** Each record as the sandbox has it: its number, its state, how often it came. */
export async function receivedAt(shop: Shop): Promise<readonly string[]> {
  const chains = await chainsAt(shop);
  return chains.flatMap(({ records }) =>
    records.map(({ number, state, received }) => `${number} ${state} ${received}`),
  );
}
