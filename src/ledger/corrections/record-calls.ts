import { readOrRefuse, type UnavailableOutcome } from "../../db/store-calls.ts";
import type { RejectedQuery, RejectedRecord } from "../../db/submission/submission-status.ts";
import { OUR_CODES } from "../../domain/verifactu/submission/meaning.ts";
import { type LedgerCore, sizeOf } from "../core/core.ts";
import type { InvoiceReading } from "../core/ledger-cache.ts";
import type { TripCount } from "../core/outcomes.ts";
import { admitted } from "../core/settle.ts";
import { settled } from "../issue/issue-calls.ts";
import { orderSettled } from "../orders/order-calls.ts";
import type { LedgerCalls, ResendOutcome, ResendRequest } from "../rpc.ts";
import { type ReadCorrectionsOutcome, viewCorrections } from "./offered-corrections.ts";
import type { CorrectOutcome, OwnerCorrecting } from "./owner-correction.ts";

type RecordCalls = Pick<
  LedgerCalls,
  "correctRecord" | "rectifyInvoice" | "rectifyLines" | "resendRecords" | "readCorrections"
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
    rectifyLines(_, { order, ...request }) {
      if (order !== undefined) {
        const item = { kind: "rectify", ...request, idExternal: order } as const;
        return orderSettled("rectify", core, admitted(item), sizeOf(item));
      }
      const item = { kind: "rectify", ...request } as const;
      return settled("rectify", core, admitted(item), sizeOf(item));
    },
    resendRecords: (connectionId, request) =>
      resendRecords(request, {
        correct: (correcting) => calls.correctRecord(connectionId, correcting),
        declined: (invoiceId) => readOrRefuse(() => deps.declined.readRejected(declinedFor(invoiceId)), deps),
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

interface ResendDeps {
  /** Reads one more than a call sends, so that the caller learns if more are left. */
  readonly declined: (invoiceId?: string) => Promise<readonly RejectedRecord[] | UnavailableOutcome>;
  readonly correct: (correcting: OwnerCorrecting) => Promise<CorrectOutcome & TripCount>;
}

/** Per call, so that a call is short. */
const RESENT_AT_ONCE = 200;
/** Only a part of the queue's places, so that issuing calls find room. */
const TOGETHER = 32;

/** The limit is one more than a call sends: it shows if others are left. */
function declinedFor(invoiceId: string | undefined): RejectedQuery {
  const query = { codes: OUR_CODES, limit: RESENT_AT_ONCE + 1 };
  return invoiceId === undefined ? query : { ...query, invoiceId };
}

/** Each record gets its own correction and audit line: the same values, from the system as it is now. */
async function resendRecords(request: ResendRequest, deps: ResendDeps): Promise<ResendOutcome> {
  const found = await deps.declined(request.invoiceId);
  if ("outcome" in found) return found;
  const chosen = found.slice(0, RESENT_AT_ONCE);
  let [records, refused] = [0, 0];
  for (let first = 0; first < chosen.length; first += TOGETHER) {
    const part = chosen.slice(first, first + TOGETHER);
    const outcomes = await Promise.all(part.map((record) => deps.correct(correctionOf(record, request))));
    for (const outcome of outcomes) {
      if (outcome.outcome === "unavailable" || outcome.outcome === "failed") return outcome;
      if (outcome.outcome === "corrected" || outcome.outcome === "replayed") records += 1;
      else refused += 1;
    }
  }
  return { outcome: "resent", records, refused, isMore: found.length > chosen.length };
}

function correctionOf(
  { invoiceId, kind, reason }: RejectedRecord,
  { userId, requestId }: ResendRequest,
): OwnerCorrecting {
  const correction =
    kind === "ALTA"
      ? ({ correction: "amend", change: {} } as const)
      : ({ correction: "annul", reason } as const);
  return { userId, requestId, invoiceId, correction };
}
