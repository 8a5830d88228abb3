/** What the authority decides of records, written past the product, and what owners do about them. */
import { env } from "cloudflare:workers";
import type { OwnerCorrection } from "../../src/ledger/corrections/owner-correction.ts";
import type { LedgerCalls } from "../../src/ledger/rpc.ts";
import type { Settled } from "./corrections.ts";
import { MARTA } from "./owners.ts";
import { ledgerStub, type Shop } from "./shop.ts";

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
