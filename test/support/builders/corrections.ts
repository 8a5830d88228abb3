/**
 * Corrections of records, for the pure rules and for the ledger alike: the successive changes of one
 * invoice.
 */
import type { AmendmentRequest } from "../../../src/domain/invoice/decide-amendment.ts";
import {
  type AuthorityStatus,
  type InvoiceView,
  recordsOf,
  type StoredRecord,
} from "../../../src/domain/invoice/invoice-view.ts";
import { directOrigin } from "../../../src/domain/invoice/origin.ts";
import { operationOf, type SubmissionState } from "../../../src/domain/verifactu/submission/state.ts";
import type { OwnerCorrection } from "../../../src/ledger/corrections/owner-correction.ts";
import type { Instruction } from "../../../src/ledger/issue/instruction.ts";
import type { State } from "./direct-invoicing.ts";

export interface Settled extends AuthorityStatus {
  readonly state: SubmissionState;
  /** Counted from the invoice's first; its last one where none is named. */
  readonly record?: number;
}

/** The authority decides, the owner corrects, the caller cancels, or the owner is refused. */
export type Step =
  | { readonly settle: Settled }
  | { readonly owner: OwnerCorrection; readonly refused?: string }
  | { readonly cancel: true };

export function settle(state: SubmissionState, standing: AuthorityStatus & { record?: number } = {}): Step {
  return { settle: { state, ...standing } };
}

export function amend(change: AmendmentRequest = {}, refused?: string): Step {
  return { owner: { correction: "amend", change }, ...(refused === undefined ? {} : { refused }) };
}

export function annul(refused?: string): Step {
  const owner = { correction: "annul", reason: "Nunca existió" } as const;
  return { owner, ...(refused === undefined ? {} : { refused }) };
}

const CANCEL: Step = { cancel: true };
const OTHERWISE = { description: "Otra descripción" };
const FOREIGN = { code: 3000, hold: "foreign_duplicate" } as const;

/** Every row of `verifactu.md` 10, and the records that are never written. */
export const COURSES: readonly (readonly [name: string, steps: readonly Step[], records: string])[] = [
  ["an accepted record is amended", [settle("accepted"), amend(OTHERWISE)], "ALTA | ALTA S N"],
  ["a rejected one is registered", [settle("rejected", { code: 1100 }), amend(OTHERWISE)], "ALTA | ALTA S X"],
  [
    "and so is its amendment that was rejected as well",
    [settle("rejected", { code: 1100 }), amend(OTHERWISE), settle("rejected", { code: 1100 }), amend()],
    "ALTA | ALTA S X | ALTA S X",
  ],
  [
    "once registered, the next one only replaces",
    [settle("rejected", { code: 1100 }), amend(), settle("accepted"), amend(OTHERWISE)],
    "ALTA | ALTA S X | ALTA S N",
  ],
  [
    "a rejected amendment of what the authority has is amended",
    [settle("accepted"), amend(OTHERWISE), settle("rejected", { code: 1100 }), amend()],
    "ALTA | ALTA S N | ALTA S S",
  ],
  [
    "an amendment of what it does not have is registered",
    [settle("accepted"), amend(OTHERWISE), settle("rejected", { code: 3002 }), amend()],
    "ALTA | ALTA S N | ALTA S X",
  ],
  [
    "what was accepted with errors is amended, also without a change",
    [settle("accepted_with_errors", { code: 2005 }), amend()],
    "ALTA | ALTA S N",
  ],
  [
    "what needs no amendment is amended only with a change",
    [
      settle("accepted_with_errors", { code: 2004 }),
      amend({}, "amendment_changes_nothing"),
      amend(OTHERWISE),
    ],
    "ALTA | ALTA S N",
  ],
  ["an accepted invoice is cancelled", [settle("accepted"), CANCEL], "ALTA | ANULACION"],
  ["its owner annuls it", [settle("accepted"), annul()], "ALTA | ANULACION"],
  ["cancelled before it is sent", [CANCEL], "ALTA | ANULACION"],
  ["cancelled while it is sent", [settle("submitted"), CANCEL], "ALTA | ANULACION"],
  ["annulled before it is sent", [annul()], "ALTA | ANULACION"],
  [
    "cancelled where the authority has nothing",
    [settle("rejected", { code: 1239 }), CANCEL],
    "ALTA | ANULACION W",
  ],
  [
    "annulled where an amendment is on its way",
    [settle("rejected", { code: 1239 }), amend(OTHERWISE), annul()],
    "ALTA | ALTA S X | ANULACION",
  ],
  [
    "annulled again after a rejection",
    [settle("accepted"), CANCEL, settle("rejected", { code: 1100 }), annul()],
    "ALTA | ANULACION | ANULACION S",
  ],
  [
    "cancelled on its way, both rejected, annulled again",
    [
      CANCEL,
      settle("rejected", { code: 1239, record: 0 }),
      settle("rejected", { code: 3002, record: 1 }),
      annul(),
    ],
    "ALTA | ANULACION | ANULACION W S",
  ],
  [
    "annulled again is annulled once",
    [settle("accepted"), CANCEL, settle("accepted"), annul("invoice_already_cancelled"), CANCEL],
    "ALTA | ANULACION",
  ],
  [
    "a cancelled invoice stays cancelled",
    [
      settle("accepted"),
      CANCEL,
      amend(OTHERWISE, "amendment_of_cancelled"),
      annul("correction_awaits_answer"),
      settle("rejected", { code: 1100 }),
      amend(OTHERWISE, "amendment_of_cancelled"),
    ],
    "ALTA | ANULACION",
  ],
  [
    "nothing is amended before there is an answer",
    [
      amend(OTHERWISE, "correction_awaits_answer"),
      settle("submitted"),
      amend(OTHERWISE, "correction_awaits_answer"),
      settle("rejected", { code: 1100 }),
      amend(OTHERWISE),
      amend({ description: "Y otra" }, "correction_awaits_answer"),
    ],
    "ALTA | ALTA S X",
  ],
  [
    "somebody else's record is not touched",
    [
      settle("rejected", FOREIGN),
      amend(OTHERWISE, "duplicate_of_another"),
      annul("duplicate_of_another"),
      CANCEL,
      settle("rejected", FOREIGN),
      annul("duplicate_of_another"),
    ],
    "ALTA | ANULACION W",
  ],
  [
    "nor one that may be: an annulment waits for that to be known",
    [
      settle("rejected", { code: 1239 }),
      amend(OTHERWISE),
      settle("submitted", { code: 3000 }),
      amend(OTHERWISE, "correction_awaits_answer"),
      annul(),
    ],
    "ALTA | ALTA S X | ANULACION",
  ],
  [
    "what we may not change is sent again once we may",
    [settle("accepted"), amend(OTHERWISE), settle("rejected", { code: 3003 }), amend()],
    "ALTA | ALTA S N | ALTA S S",
  ],
  [
    "nor what the AEAT's form has made",
    [
      settle("accepted"),
      amend(OTHERWISE),
      settle("rejected", { code: 3004 }),
      amend(OTHERWISE, "registered_by_form"),
      annul("registered_by_form"),
    ],
    "ALTA | ALTA S N",
  ],
];

/** `ALTA | ALTA S X | ANULACION W S`: what each record of an invoice asks of the authority. */
export function operationsIn(view: InvoiceView): string {
  return recordsOf(view).map(operationText).join(" | ");
}

function operationText({ record }: StoredRecord): string {
  const { kind, amends, previousRejection, withoutPreviousRecord } = operationOf(record.content);
  if (kind === "ALTA") return amends ? `ALTA S ${previousRejection}` : "ALTA";
  return [kind, withoutPreviousRecord ? "W" : "", previousRejection === "S" ? "S" : ""]
    .filter((part) => part !== "")
    .join(" ");
}

export function correcting(
  { invoiceId }: InvoiceView,
  correction: OwnerCorrection,
  requestId: string,
): Instruction {
  return { kind: "correct", userId: "us000marta", requestId, invoiceId, correction };
}

/** The books with a changed status of one record of a direct invoice, as the next read would load it. */
export function withStanding(
  { books, invoices }: State,
  externalId: string,
  { state, record, ...standing }: Settled,
): State {
  const known = invoices.get(directOrigin(externalId));
  if (!known) throw new Error(`no invoice ${externalId}`);
  const { view } = known;
  const index = record ?? view.corrections.length;
  const changed = <T extends StoredRecord>(stored: T): T => ({ ...stored, state, standing });
  const corrections = view.corrections.map((each, at) => (at === index - 1 ? changed(each) : each));
  const cancellation = corrections.findLast((each) => each.record.content.kind === "ANULACION");
  const settled: InvoiceView = {
    ...view,
    alta: index === 0 ? changed(view.alta) : view.alta,
    corrections,
    ...(cancellation ? { cancellation } : {}),
  };
  return { books, invoices: new Map(invoices).set(view.origin, { ...known, view: settled }) };
}
