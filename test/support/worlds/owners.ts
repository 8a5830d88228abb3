import { env } from "cloudflare:workers";
import { newId } from "../../../src/domain/connection/ids.ts";
import type { OwnerCorrection } from "../../../src/ledger/corrections/owner-correction.ts";
import type { OwnerAnswering } from "../../../src/ledger/orders/order-outcomes.ts";
import type { LedgerCalls } from "../../../src/ledger/rpc.ts";
import type { Settled } from "../builders/corrections.ts";
import { aConsent, act, ledgerStub, type Shop } from "./shop.ts";

/** Owners' changes, and their traces, read from the database without the product. */

/** The acting person: never the one of the service itself. */
export const MARTA = "us000marta";

export interface AuditLine {
  readonly verb: string;
  readonly userId: string;
  readonly facts: Readonly<Record<string, string>>;
}

/** Lines of the connection in the order in which they were written, without the consent of the opening. */
export async function auditOf(shop: Shop): Promise<readonly AuditLine[]> {
  const { results } = await env.LEDGER_000.prepare(
    "SELECT verb, user_id, facts FROM audit_log WHERE connection_id = ? AND user_id <> 'owner' ORDER BY rowid",
  )
    .bind(shop.connectionId)
    .all<{ verb: string; user_id: string; facts: string }>();
  return results.map(({ verb, user_id: userId, facts }) => ({ verb, userId, facts: JSON.parse(facts) }));
}

export async function settingsVersionOf({ accountId }: Shop): Promise<number> {
  const version = await env.LEDGER_000.prepare("SELECT settings_version AS v FROM account WHERE id = ?")
    .bind(accountId)
    .first<number>("v");
  return version ?? Number.NaN;
}

/** How many orders of the connection are in each state. */
export async function statesOf({ connectionId }: Shop): Promise<Readonly<Record<string, number>>> {
  const { results } = await env.LEDGER_000.prepare(
    "SELECT state, count(*) AS orders FROM shop_order WHERE connection_id = ? GROUP BY state",
  )
    .bind(connectionId)
    .all<{ state: string; orders: number }>();
  return Object.fromEntries(results.map(({ state, orders }) => [state, orders]));
}

export function consent(shop: Shop, cutoffDate?: string) {
  const random = (sizeBytes: number) => crypto.getRandomValues(new Uint8Array(sizeBytes));
  return act(shop, aConsent(newId("co", "000", random), cutoffDate), MARTA);
}

/** The owner's answers about one order, at the object. */
export function answerOrder(shop: Shop, idExternal: string, answer: OwnerAnswering["answer"]) {
  const answering = { userId: MARTA, idExternal, answer, requestId: "test-answer" };
  return ledgerStub(shop).answerOrder(shop.connectionId, answering);
}

export function decideAgain(shop: Shop, idExternal: string) {
  return ledgerStub(shop).decideAgain(shop.connectionId, {
    userId: MARTA,
    idExternal,
    requestId: "test-again",
  });
}

/** A trip that writes a line of the audit log. */
export function writesAudit(sql: readonly string[]): boolean {
  return sql.some((text) => text.includes('insert into "audit_log"'));
}

/**
 * The authority's decisions about records, written into the database without the product, and owners'
 * changes of them.
 */

/** Brings one record of an invoice into a state, as the settlement of an attempt does. */
export async function settleRecord(shop: Shop, invoiceId: string, settled: Settled): Promise<void> {
  const { state, record, ...standing } = settled;
  const { results } = await env.LEDGER_000.prepare(
    `SELECT installation_id, position FROM record WHERE connection_id = ? AND invoice_id = ? ORDER BY position`,
  )
    .bind(shop.connectionId, invoiceId)
    .all<{ installation_id: string; position: number }>();
  const row = results.at(record ?? -1);
  if (!row) throw new Error(`no record ${record ?? "at all"} of ${invoiceId}`);
  const isOpen = state === "pending_submission" || state === "submitted";
  await env.LEDGER_000.prepare(
    "UPDATE record SET state = ?, standing = ?, changed_seq = ? WHERE installation_id = ? AND position = ?",
  )
    .bind(state, JSON.stringify(standing), isOpen ? null : 1, row.installation_id, row.position)
    .run();
}

type RecordVerbs = Pick<LedgerCalls, "correctRecord" | "readCorrections">;

export function correctRecord(shop: Shop, invoiceId: string, correction: OwnerCorrection, requestId: string) {
  return verbsOf(shop).correctRecord(shop.connectionId, { userId: MARTA, requestId, invoiceId, correction });
}

export function readCorrections(shop: Shop, invoiceId: string) {
  return verbsOf(shop).readCorrections(shop.connectionId, invoiceId);
}

function verbsOf(shop: Shop): RecordVerbs {
  // The stub's types describe pipelining, which no test uses.
  return ledgerStub(shop) as unknown as RecordVerbs;
}
