import { and, eq, gte, lt, or, sql } from "drizzle-orm";
import type { StoredInvoice } from "../../db/ledger-state.ts";
import { invoice, record } from "../../db/schema/ledger.ts";
import { recordStatusesOf } from "../../domain/invoice/invoice-view.ts";
import { isReason } from "../../domain/invoice/recorded-invoice.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { normalizeText } from "../../domain/shared/text.ts";
import { duplicateOf } from "../../domain/verifactu/submission/corrections.ts";
import type { Finding } from "../../domain/verifactu/submission/meaning.ts";
import { refused, UNCHANGED, type VerbReads, type VerbScope, verbReading, write } from "./verb.ts";

interface SettleDuplicate {
  readonly invoiceId: string;
  readonly found: Finding;
  /** The owner's observation, and its place. */
  readonly reason: string;
}

interface Settled {
  readonly invoiceId: string;
  readonly found: Finding;
}

interface InvoiceScope extends VerbScope {
  readonly invoice: StoredInvoice | undefined;
}

async function readInvoice(
  { invoiceId }: SettleDuplicate,
  scope: VerbScope,
  reads: VerbReads,
): Promise<InvoiceScope> {
  return { ...scope, invoice: await reads.invoice(invoiceId) };
}

/**
 * The AEAT has a record under the number, and the owner says who made it. Ours: it may be amended and
 * annulled again. Foreign: no correction may touch that record. `foreign` may become `ours`, but never the
 * reverse.
 */
export const settle_duplicate = verbReading<SettleDuplicate, Settled, InvoiceScope>(readInvoice, {
  area: "invoices",
  wakesObject: false,
  decide({ invoiceId, found, reason }, { invoice: stored }) {
    if (!stored) return refused(refuse("invoice_unknown", { invoice_id: invoiceId }).error);
    const { fullNumber: number } = stored.view;
    const settled = duplicateOf(recordStatusesOf(stored.view));
    if (settled === undefined || (settled === "ours" && found === "foreign")) {
      return refused(refuse("no_duplicate_to_settle", { number }).error);
    }
    if (settled === found) return UNCHANGED;
    if (!isReason(reason)) return refused(refuse("finding_without_reason", {}, "reason").error);
    const facts = { invoice_id: invoiceId, found, reason: normalizeText(reason) };
    return write({ invoiceId, found }, facts);
  },
  /** All held records of the invoice, found by their origins. */
  write(db, { connectionId }, { invoiceId, found }) {
    const behind = (sort: string) =>
      and(gte(record.origin, `${sort}:${invoiceId}:`), lt(record.origin, `${sort}:${invoiceId};`));
    const first = eq(
      record.origin,
      sql`(SELECT ${invoice.origin} FROM ${invoice} WHERE ${invoice.id} = ${invoiceId})`,
    );
    const isHeld = sql`${record.state} = 'rejected' AND json_extract(${record.standing}, '$.hold') IS NOT NULL
    AND json_extract(${record.standing}, '$.found') IS NOT 'ours'`;
    return [
      db
        .update(record)
        .set({ standing: sql`json_set(${record.standing}, '$.found', ${found})` })
        .where(
          and(eq(record.connectionId, connectionId), or(first, behind("amend"), behind("cancel")), isHeld),
        ),
    ];
  },
});
