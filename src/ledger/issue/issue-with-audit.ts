import { newId } from "../../domain/connection/ids.ts";
import type { LedgerDraft } from "../core/ledger-draft.ts";
import type { IssueOutcome } from "../core/outcomes.ts";
import type { Instruction } from "./instruction.ts";
import { issueInvoice } from "./issue-invoice.ts";
import type { DecisionDeps } from "./number-invoice.ts";

/** A direct invoice; where an owner had it issued, with a line of the audit log, once. */
export function issueWithAudit(
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
