import type { InvoiceView, StoredRecord } from "../../domain/invoice/invoice-view.ts";
import { assertNever } from "../../domain/shared/result.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";
import type { CancelOutcome, IssueOutcome } from "../core/outcomes.ts";
import { correctRecord } from "../corrections/correct-record.ts";
import { type CorrectOutcome, madeBy } from "../corrections/owner-correction.ts";
import { cancelInvoice } from "./cancel-invoice.ts";
import type { Instruction } from "./instruction.ts";
import { issueWithAudit } from "./issue-with-audit.ts";
import type { DecisionDeps } from "./number-invoice.ts";
import { type InvoicePreviewOutcome, previewInvoice } from "./preview-invoice.ts";

export interface InstructionOutcomes {
  readonly issue: IssueOutcome;
  readonly preview: InvoicePreviewOutcome;
  readonly cancel: CancelOutcome;
  readonly correct: CorrectOutcome;
}

/** The outcome of an instruction, with its kind, so that a call recognises its own. */
export type DecidedInstruction = {
  readonly [Kind in keyof InstructionOutcomes]: {
    readonly kind: Kind;
    readonly outcome: InstructionOutcomes[Kind];
  };
}[keyof InstructionOutcomes];

/** Decides a group in the order in which it came; each decision is applied to the books before the next. */
export function decideInTurn(
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
    case "cancel":
      return { kind, outcome: cancelInvoice(instruction, working, deps) };
    case "correct":
      return { kind, outcome: correctRecord(instruction, working, deps) };
    default:
      return assertNever(instruction);
  }
}

/** Of equal requests in one group the first is answered as new, the others as its replay. */
function asRepeat(
  decided: DecidedInstruction,
  instruction: Instruction,
  fresh: Set<string>,
): DecidedInstruction {
  const { outcome } = decided;
  if (!("invoice" in outcome) || outcome.outcome === "replayed") return decided;
  const { invoice } = outcome;
  const { hash } = recordMade(invoice, instruction).record;
  if (fresh.has(hash)) return { ...decided, outcome: { outcome: "replayed", invoice } };
  fresh.add(hash);
  return decided;
}

function recordMade(invoice: InvoiceView, instruction: Instruction): StoredRecord {
  const { alta, cancellation } = invoice;
  if (instruction.kind === "issue" || instruction.kind === "preview") return alta;
  return (instruction.kind === "cancel" ? cancellation : madeBy(instruction, invoice)) ?? alta;
}
