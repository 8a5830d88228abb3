import type { DeclinedRecord } from "../../db/submission/submission-standing.ts";
import type { PreparedInvoice } from "../../domain/invoice/prepare.ts";
import type { BookKeeper } from "../core/book-keeper.ts";
import type { InvoiceReading } from "../core/loaded.ts";
import type { GateRefusal, IssueOutcome, Spent } from "../core/outcomes.ts";
import type { Tally } from "../core/store-calls.ts";
import type { UnavailableOutcome } from "../core/unavailable.ts";
import type { Instruction, RectifiedBy } from "../issue/instruction.ts";
import type { CorrectOutcome, OwnerCorrecting } from "./owner-correction.ts";
import { type ResendAsked, type ResendOutcome, resendRecords } from "./resend-records.ts";
import { type ReadCorrectionsOutcome, viewCorrections } from "./view-corrections.ts";

export interface RecordCallsDeps {
  readonly keeper: BookKeeper;
  /** Waits its turn among what is issued. */
  readonly ask: <Out extends IssueOutcome | CorrectOutcome>(instruction: Instruction) => Promise<Out & Spent>;
  readonly declined: (invoiceId?: string) => Promise<readonly DeclinedRecord[] | UnavailableOutcome>;
  /** Reads pass beside the queue. */
  readonly beside: <Out extends object>(
    read: (tally: Tally) => Promise<InvoiceReading>,
    tell: (reading: InvoiceReading) => Out,
  ) => Promise<(Out | GateRefusal) & Spent>;
}

/** A rectification of a direct invoice, as its owner has it issued. */
export interface OwnerRectifying extends RectifiedBy {
  readonly requestId: string;
  /** Its external_id is that of the deed, so that a repeat is a replay. */
  readonly invoice: PreparedInvoice;
}

/** What an owner sees and does of the records of one invoice. */
export interface RecordCalls {
  rectify(rectifying: OwnerRectifying): Promise<IssueOutcome & Spent>;
  correct(correcting: OwnerCorrecting): Promise<CorrectOutcome & Spent>;
  /** Sends again what the authority declined for the sake of the software or of who runs it. */
  resend(asked: ResendAsked): Promise<ResendOutcome>;
  /** How they stand, and what may be done about them. */
  read(invoiceId: string): Promise<ReadCorrectionsOutcome & Spent>;
}

export function recordCalls({ keeper, ask, beside, declined }: RecordCallsDeps): RecordCalls {
  const correct = (correcting: OwnerCorrecting) => ask<CorrectOutcome>({ kind: "correct", ...correcting });
  return {
    rectify: ({ requestId, invoice, ...by }) => ask<IssueOutcome>({ kind: "issue", invoice, requestId, by }),
    correct,
    resend: (asked) => resendRecords(asked, { correct, declined }),
    read: (invoiceId) =>
      beside<ReadCorrectionsOutcome>(
        (tally) => keeper.read({ origins: [], invoiceIds: [invoiceId] }, tally),
        ({ invoices: [invoice] }) =>
          invoice ? { outcome: "found", corrections: viewCorrections(invoice) } : { outcome: "unknown" },
      ),
  };
}
