import { seriesCode } from "../../domain/billing/series.ts";
import { newId } from "../../domain/connection/ids.ts";
import type { InvoicePreview, InvoiceView, StoredRecord } from "../../domain/invoice/invoice-view.ts";
import type { PreparedInvoice } from "../../domain/invoice/prepare.ts";
import { decideCancellation } from "../../domain/invoice/recorded-invoice.ts";
import { assertNever } from "../../domain/shared/result.ts";
import { directInvoice, type LedgerDraft } from "../core/ledger-draft.ts";
import type { CancelOutcome, IssueOutcome } from "../core/outcomes.ts";
import { correctRecord } from "../corrections/correct-record.ts";
import type { LinesOutcome } from "../corrections/lines-outcomes.ts";
import { type CorrectOutcome, madeBy } from "../corrections/owner-correction.ts";
import { rectifyDirect } from "../corrections/rectify-direct.ts";
import type { ByHandOutcome } from "./by-hand-outcomes.ts";
import { annulInvoice, type DecisionDeps, numberInvoice } from "./draft-records.ts";
import type { Instruction } from "./instruction.ts";
import { issueByHand } from "./issue-by-hand.ts";
import { judgeInvoice } from "./judge-invoice.ts";

export interface InstructionOutcomes {
  readonly issue: IssueOutcome;
  readonly preview: InvoicePreviewOutcome;
  readonly by_hand: ByHandOutcome;
  readonly cancel: CancelOutcome;
  readonly correct: CorrectOutcome;
  readonly rectify: LinesOutcome;
}

/** The outcome of an instruction with its kind, so that a call recognises its own. */
export type DecidedInstruction = {
  readonly [Kind in keyof InstructionOutcomes]: {
    readonly kind: Kind;
    readonly outcome: InstructionOutcomes[Kind];
  };
}[keyof InstructionOutcomes];

/** Decides a group in order of arrival; each decision is applied to the books before the next. */
export function decideInOrder(
  group: readonly Instruction[],
  working: LedgerDraft,
  deps: DecisionDeps,
): readonly DecidedInstruction[] {
  const fresh = new Set<string>();
  return group.map((instruction) => asRepeat(decide(instruction, working, deps), instruction, fresh));
}

function decide(instruction: Instruction, working: LedgerDraft, deps: DecisionDeps): DecidedInstruction {
  const { kind } = instruction;
  switch (kind) {
    case "issue":
      return { kind, outcome: issueWithAudit(instruction, working, deps) };
    case "preview":
      return { kind, outcome: previewInvoice(instruction.invoice, instruction.requestId, working) };
    case "by_hand":
      return { kind, outcome: issueByHand(instruction, working, deps) };
    case "cancel":
      return { kind, outcome: cancelInvoice(instruction, working, deps) };
    case "correct":
      return { kind, outcome: correctRecord(instruction, working, deps) };
    case "rectify":
      return { kind, outcome: rectifyDirect(instruction, working, deps) };
    default:
      return assertNever(instruction);
  }
}

/** Only the first of equal requests in a group is answered as new, the others as replays. */
function asRepeat(
  decided: DecidedInstruction,
  instruction: Instruction,
  fresh: Set<string>,
): DecidedInstruction {
  if (instruction.kind === "rectify" || decided.kind === "rectify") return decided;
  const { outcome } = decided;
  if (!("invoice" in outcome) || outcome.outcome === "replayed") return decided;
  const { invoice } = outcome;
  const { hash } = recordMade(invoice, instruction).record;
  if (fresh.has(hash)) return { ...decided, outcome: { outcome: "replayed", invoice } };
  fresh.add(hash);
  return decided;
}

function recordMade(
  invoice: InvoiceView,
  instruction: Exclude<Instruction, { readonly kind: "rectify" }>,
): StoredRecord {
  const { alta, cancellation } = invoice;
  const { kind } = instruction;
  if (kind === "issue" || kind === "preview" || kind === "by_hand") return alta;
  return (instruction.kind === "cancel" ? cancellation : madeBy(instruction, invoice)) ?? alta;
}

type Cancellation = Extract<Instruction, { readonly kind: "cancel" }>;

/** An ANULACION for a direct invoice that should never have existed; every repeat is a replay. */
function cancelInvoice(cancellation: Cancellation, working: LedgerDraft, deps: DecisionDeps): CancelOutcome {
  const { externalId } = cancellation;
  const target = directInvoice(working, externalId);
  if (target?.view.cancellation) {
    const ours = deps.createdInGroup.has(target.view.cancellation.record.hash);
    return { outcome: ours ? "cancelled" : "replayed", invoice: target.view };
  }
  const decision = decideCancellation(externalId, target?.rectifiable, {
    settings: working.settings,
    find: (cited) => directInvoice(working, cited)?.rectifiable,
  });
  if (!decision.ok) return { outcome: "refused", refusal: decision.error };
  const { installation } = working.settings;
  if (!target || !installation) {
    return { outcome: "refused", refusal: { code: "invoicing_not_enabled", facts: {} } };
  }
  return {
    outcome: "cancelled",
    invoice: annulInvoice(target, cancellation, { working, installation, deps }),
  };
}

/** Issues one direct invoice in the draft. */
function issueInvoice(
  invoice: PreparedInvoice,
  requestId: string,
  working: LedgerDraft,
  deps: DecisionDeps,
): IssueOutcome {
  const judgement = judgeInvoice(invoice, working);
  switch (judgement.judged) {
    case "issuable": {
      const { installation, ...toNumber } = judgement.issuable;
      const numbering = { working, installation, deps };
      const { mailing } = working.settings;
      return { outcome: "issued", invoice: numberInvoice({ ...toNumber, requestId, mailing }, numbering) };
    }
    case "known": {
      const outcome = deps.createdInGroup.has(judgement.invoice.invoiceId) ? "issued" : "replayed";
      return { outcome, invoice: judgement.invoice };
    }
    case "conflict":
      return { outcome: "conflict", fullNumber: judgement.fullNumber };
    case "refused":
      return { outcome: "refused", refusal: judgement.refusal };
    default:
      return assertNever(judgement);
  }
}

export type InvoicePreviewOutcome =
  | { readonly outcome: "previewed"; readonly preview: InvoicePreview }
  | Exclude<IssueOutcome, { readonly outcome: "issued" }>;

/** The result that a request would have now, by the same judgement that issues; the books do not change. */
function previewInvoice(
  invoice: PreparedInvoice,
  requestId: string,
  working: LedgerDraft,
): InvoicePreviewOutcome {
  const judgement = judgeInvoice(invoice, working);
  switch (judgement.judged) {
    case "issuable": {
      const { draft, stem } = judgement.issuable;
      const { document } = draft;
      const preview = {
        externalId: document.request.externalId,
        series: seriesCode(stem, document.request, working.today),
        issueDate: working.today,
        document,
        requestId,
      };
      return { outcome: "previewed", preview };
    }
    case "known":
      return { outcome: "replayed", invoice: judgement.invoice };
    case "conflict":
      return { outcome: "conflict", fullNumber: judgement.fullNumber };
    case "refused":
      return { outcome: "refused", refusal: judgement.refusal };
    default:
      return assertNever(judgement);
  }
}

/** A direct invoice. If an owner requested it, a line of the audit log is written once. */
function issueWithAudit(
  { invoice, requestId, by }: Extract<Instruction, { readonly kind: "issue" }>,
  working: LedgerDraft,
  deps: DecisionDeps,
): IssueOutcome {
  const before = working.newInvoices.length;
  const outcome = issueInvoice(invoice, requestId, working, deps);
  const isNew = outcome.outcome === "issued" && working.newInvoices.length > before;
  if (!by || !isNew) return outcome;
  const { userId, invoiceId, cause } = by;
  working.audits.push({
    id: newId("al", deps.ledger, deps.random),
    userId,
    at: working.now,
    verb: "rectify_invoice",
    facts: { invoice_id: invoiceId, number: outcome.invoice.fullNumber, reason: cause },
  });
  return outcome;
}
