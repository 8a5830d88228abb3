import { type LedgerCore, sizeOf } from "../core/core.ts";
import type { InvoiceReading } from "../core/loaded.ts";
import { admitted } from "../core/queued-call.ts";
import { readOrRefuse } from "../core/read-or-refuse.ts";
import { settled } from "../issue/issue-calls.ts";
import type { LedgerCalls } from "../rpc.ts";
import { declinedFor, resendRecords } from "./resend-records.ts";
import { type ReadCorrectionsOutcome, viewCorrections } from "./view-corrections.ts";

type RecordCalls = Pick<
  LedgerCalls,
  "correctRecord" | "rectifyInvoice" | "resendRecords" | "readCorrections"
>;

/** Calls of an owner about the records of one invoice. */
export function recordCalls(core: LedgerCore): RecordCalls {
  const { cache, deps } = core;
  const calls: RecordCalls = {
    correctRecord(_, correcting) {
      const item = { kind: "correct", ...correcting } as const;
      return settled("correct", core, admitted(item), sizeOf(item));
    },
    rectifyInvoice(_, { requestId, invoice, ...by }) {
      const item = { kind: "issue", invoice, requestId, by } as const;
      return settled("issue", core, admitted(item), sizeOf(item));
    },
    resendRecords: (connectionId, request) =>
      resendRecords(request, {
        correct: (correcting) => calls.correctRecord(connectionId, correcting),
        declined: (invoiceId) => readOrRefuse(() => deps.declined.readDeclined(declinedFor(invoiceId)), deps),
      }),
    readCorrections: (_, invoiceId) =>
      core.outsideQueue<InvoiceReading, ReadCorrectionsOutcome>({
        refusedBy: () => undefined,
        read: (trips) => cache.read({ origins: [], invoiceIds: [invoiceId] }, trips),
        outcome: ({ invoices: [invoice] }) =>
          invoice ? { outcome: "found", corrections: viewCorrections(invoice) } : { outcome: "unknown" },
      }),
  };
  return calls;
}
