import { decideCancellation } from "../../domain/invoice/decide-cancellation.ts";
import { directInvoice, type LedgerDraft } from "../core/ledger-draft.ts";
import type { CancelOutcome } from "../core/outcomes.ts";
import { annulInvoice } from "./annul-invoice.ts";
import type { Instruction } from "./instruction.ts";
import type { DecisionDeps } from "./number-invoice.ts";

type Cancellation = Extract<Instruction, { readonly kind: "cancel" }>;

/** An ANULACION for a direct invoice that should never have existed; every repeat is a replay. */
export function cancelInvoice(
  cancellation: Cancellation,
  working: LedgerDraft,
  deps: DecisionDeps,
): CancelOutcome {
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
