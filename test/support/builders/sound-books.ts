/**
 * Correct books, made by the real decisions without any database: of a connection that issues directly and
 * takes orders. Tests break them in one place each, to prove that the rules find it.
 */

import type { NewInvoice, NewRecord, OrderWrite } from "../../../src/db/ledger-state.ts";
import type { OrderAnswer } from "../../../src/domain/order/answers/table.ts";
import { knowing, type LedgerDraft, openDraft } from "../../../src/ledger/core/ledger-draft.ts";
import { decideInOrder } from "../../../src/ledger/issue/decide-group.ts";
import { decideInstruction } from "../../../src/ledger/orders/decide-orders.ts";
import type { OrderInstruction } from "../../../src/ledger/orders/order-outcomes.ts";
import type { InvoiceRow, RecordRow } from "../rules/book-rules.ts";
import type { OrderBooks, StoredOrderRow } from "../rules/order-rules.ts";
import {
  AN_INSTALLATION,
  aState,
  asInstruction,
  cancelling,
  counting,
  NOON,
  SOFTWARE,
} from "./direct-invoicing.ts";
import { aLine, aTicket, correcting } from "./requests.ts";
import { A_SENT_COMPANY, aSentOrder, aSentRefund, aSubmission, type SentBody } from "./sent-bodies.ts";

const DEPS = { random: counting(0), software: SOFTWARE, ledger: "000", createdInGroup: new Set<string>() };

/**
 * Direct: `one`, `two` with a line taken back by `back`, `gone` cancelled. Orders: `plain`, `refunded` in
 * part, `emptied` in full, `replaced` by a full invoice, `annulled`, `held`.
 */
export function soundBooks(): OrderBooks {
  let working = openDraft(aState().books, knowing(new Map()), Date.parse(NOON));
  const group = [
    aTicket("one"),
    aTicket("two", { lines: [aLine("2", "50", "21")] }),
    correcting(aTicket("back", { lines: [aLine("-1", "50", "21")] }), ["two"]),
    aTicket("gone"),
    cancelling("gone"),
  ];
  decideInOrder(group.map(asInstruction), working, DEPS);
  const small = aSentRefund("small", 10, 2.1, 21);
  const rest = aSentRefund("rest", 90, 18.9, 21);
  const sent: readonly SentBody[] = [
    aSentOrder("plain"),
    aSentOrder("refunded"),
    aSentOrder("refunded", { correction_events: [small] }),
    aSentOrder("emptied"),
    aSentOrder("emptied", { correction_events: [small, rest] }),
    aSentOrder("replaced"),
    aSentOrder("replaced", { fiscal_event: "full_invoice_requested", client: A_SENT_COMPANY }),
    aSentOrder("annulled"),
    aSentOrder("annulled", { correction_events: [{ id_external_event: "v", event_type: "void" }] }),
    aSentOrder("held", { total: 124, unmapped_totals: [{ code: "wrap", value: 3 }] }),
  ];
  for (const body of sent) working = decide(working, submitting(body));
  working = decide(working, answering("annulled", { answer: "confirm_annulment", eventId: "v" }));
  return rowsOf(working);
}

function decide(working: LedgerDraft, instruction: OrderInstruction): LedgerDraft {
  const told = decideInstruction(instruction, working, DEPS);
  if (told.outcome.outcome !== "taken") throw new Error(JSON.stringify(told.outcome));
  return told.working;
}

function submitting(body: SentBody): OrderInstruction {
  return { kind: "submit", submission: aSubmission(body), requestId: "the-request" };
}

function answering(idExternal: string, answer: OrderAnswer): OrderInstruction {
  return { kind: "answer", idExternal, answer, userId: "the-owner", requestId: "the-request" };
}

/** As the database would have them, in its order. */
function rowsOf({ newInvoices, newRecords, writes }: LedgerDraft): OrderBooks {
  return {
    invoices: newInvoices
      .map(invoiceRow)
      .toSorted((one, other) => (one.full_number < other.full_number ? -1 : 1)),
    records: newRecords.map(recordRow),
    links: newInvoices.flatMap(({ view, links }) =>
      links.map(({ targetId, kind, taken }) => {
        const target = { target_id: targetId, kind, taken: JSON.stringify(taken) };
        return { invoice_id: view.invoiceId, ...target };
      }),
    ),
    orders: [...writes.values()].map(orderRow),
  };
}

function invoiceRow({ view, totalEur, document, documentSha256 }: NewInvoice): InvoiceRow {
  return {
    id: view.invoiceId,
    origin: view.origin,
    series: view.series,
    number: view.number,
    full_number: view.fullNumber,
    issue_date: view.issueDate,
    total_eur: totalEur,
    document_sha256: documentSha256,
    document,
  };
}

function recordRow({ invoiceId, origin, stored: { record, state } }: NewRecord): RecordRow {
  const { content, position, hash } = record;
  const at = { installation_id: AN_INSTALLATION.id, position, hash, state };
  return { invoice_id: invoiceId, origin, kind: content.kind, ...at, content: JSON.stringify(content) };
}

function orderRow({ order, sent }: OrderWrite): StoredOrderRow {
  const { idExternal, state, facts, reasons, answers, acted, soldFingerprint, sentSha256 } = order;
  return {
    ...{ idExternal, state, facts, reasons, answers, acted, sentSha256 },
    foundBy: { orderedAt: facts.orderedAt, status: facts.status ?? null },
    soldFingerprint: soldFingerprint ?? null,
    sent: sent ?? null,
  };
}
