import type { InvoiceView, StoredRecord } from "../../domain/invoice/invoice-view.ts";
import { assertNever } from "../../domain/shared/result.ts";
import type { CancelOutcome, IssueOutcome } from "../core/outcomes.ts";
import type { WorkingBooks } from "../core/working-books.ts";
import { correctRecord } from "../corrections/correct-record.ts";
import { type CorrectOutcome, madeBy } from "../corrections/owner-correction.ts";
import { cancelInvoice } from "./cancel-invoice.ts";
import type { Instruction } from "./instruction.ts";
import { issueNoted } from "./issue-noted.ts";
import type { DecisionDeps } from "./number-invoice.ts";
import { type InvoicePreviewOutcome, previewInvoice } from "./preview-invoice.ts";

export type Outcome = IssueOutcome | InvoicePreviewOutcome | CancelOutcome | CorrectOutcome;

/** Decides a group in the order in which it came; each decision is applied to the books before the next. */
export function decideInTurn(
  group: readonly Instruction[],
  working: WorkingBooks,
  deps: DecisionDeps,
): readonly Outcome[] {
  const fresh = new Set<string>();
  return group.map((instruction) => {
    const outcome = decide(instruction, working, deps);
    return asRepeat(outcome, instruction, fresh);
  });
}

function decide(instruction: Instruction, working: WorkingBooks, deps: DecisionDeps): Outcome {
  switch (instruction.kind) {
    case "issue":
      return issueNoted(instruction, working, deps);
    case "preview":
      return previewInvoice(instruction.invoice, instruction.requestId, working);
    case "cancel":
      return cancelInvoice(instruction, working, deps);
    case "correct":
      return correctRecord(instruction, working, deps);
    default:
      return assertNever(instruction);
  }
}

/** Of equal requests in one group the first is answered as new, the others as its replay. */
function asRepeat(outcome: Outcome, instruction: Instruction, fresh: Set<string>): Outcome {
  if (!("invoice" in outcome) || outcome.outcome === "replayed") return outcome;
  const hash = recordMade(outcome.invoice, instruction).record.hash;
  if (fresh.has(hash)) return { outcome: "replayed", invoice: outcome.invoice };
  fresh.add(hash);
  return outcome;
}

function recordMade(invoice: InvoiceView, instruction: Instruction): StoredRecord {
  const { alta, cancellation } = invoice;
  if (instruction.kind === "issue" || instruction.kind === "preview") return alta;
  return (instruction.kind === "cancel" ? cancellation : madeBy(instruction, invoice)) ?? alta;
}
