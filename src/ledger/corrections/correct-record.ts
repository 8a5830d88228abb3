import type { StoredInvoice } from "../../db/ledger-state.ts";
import { newId } from "../../domain/connection/ids.ts";
import {
  type Amendable,
  type AmendmentRequest,
  amendmentOf,
  decideAmendment,
  decideRemedy,
} from "../../domain/invoice/decide-amendment.ts";
import { amendmentsOf, type InvoiceView, rectifiableOf } from "../../domain/invoice/invoice-view.ts";
import { amendOrigin } from "../../domain/invoice/origin.ts";
import { decideAnnulment } from "../../domain/invoice/recorded-invoice.ts";
import { type RecordRefusal, refuse } from "../../domain/invoice/refusal.ts";
import { ok, type Result } from "../../domain/shared/result.ts";
import { masked } from "../../domain/shared/shown-text.ts";
import { headOf } from "../../domain/verifactu/chain.ts";
import { seal } from "../../domain/verifactu/record-hash.ts";
import { firstState } from "../../domain/verifactu/submission/state.ts";
import { directInvoice, type LedgerDraft, nextPlace } from "../core/ledger-draft.ts";
import { annulInvoice, type DecisionDeps, type Numbering } from "../issue/draft-records.ts";
import { ownAmong } from "../issue/instruction.ts";
import { type CorrectOutcome, madeBy, type OwnerCorrecting, recordedInvoice } from "./owner-correction.ts";

/** A correction of an invoice's records: one more record in the chain and a line of the audit log. */
export function correctRecord(
  correcting: OwnerCorrecting,
  working: LedgerDraft,
  deps: DecisionDeps,
): CorrectOutcome {
  const { invoiceId } = correcting;
  const target = ownAmong({ kind: "correct", ...correcting }, working.invoices);
  if (!target) return refused(refuse("invoice_unknown", { invoice_id: invoiceId }).error);
  const made = madeBy(correcting, target.view);
  if (made) {
    const outcome = deps.createdInGroup.has(made.record.hash) ? "corrected" : "replayed";
    return { outcome, invoice: target.view };
  }
  const { installation } = working.settings;
  if (!installation) return refused(refuse("invoicing_not_enabled").error);
  const corrected = correct(correcting, target, { working, installation, deps });
  return corrected.ok ? { outcome: "corrected", invoice: corrected.value } : refused(corrected.error);
}

function refused(refusal: RecordRefusal): CorrectOutcome {
  return { outcome: "refused", refusal };
}

type Corrected = Result<InvoiceView, RecordRefusal>;

function correct(correcting: OwnerCorrecting, target: StoredInvoice, numbering: Numbering): Corrected {
  const { correction, requestId } = correcting;
  if (correction.correction === "annul") return annul(correction.reason, correcting, target, numbering);
  const { working } = numbering;
  const invoice = recordedInvoice(target);
  const decided =
    correction.correction === "remedy"
      ? decideRemedy(correction.remedy, invoice)
      : decideAmendment(correction.change, invoice);
  if (!decided.ok) return decided;
  const { position, ...place } = nextPlace(working, numbering.installation, numbering.deps.software);
  const { change, flags } = decided.value;
  const record = seal(amendmentOf(invoice.content, change, flags, place), position);
  const stored = { recordId: place.reference, record, state: firstState(numbering.installation), requestId };
  const corrections = [...target.view.corrections, { ...stored, reason: "" }];
  const view: InvoiceView = { ...target.view, corrections };
  const origin = amendOrigin(view.invoiceId, amendmentsOf(view).length);
  working.newRecords.push({ invoiceId: view.invoiceId, origin, stored, reason: "" });
  working.chain = headOf(record);
  const { actsOn, actedOnBy } = target.rectifiable;
  working.invoices.set(view.origin, { view, rectifiable: rectifiableOf(view, actsOn, actedOnBy) });
  numbering.deps.createdInGroup.add(record.hash);
  const proposed = correction.correction === "amend" ? correction.change : {};
  note(correcting, { ...amendmentFacts(proposed, change), record: place.reference }, numbering);
  return ok(view);
}

function annul(
  reason: string,
  correcting: OwnerCorrecting,
  target: StoredInvoice,
  numbering: Numbering,
): Corrected {
  const { working } = numbering;
  const decided = decideAnnulment(reason, recordedInvoice(target), {
    consented: working.settings.consented,
    find: (externalId) => directInvoice(working, externalId)?.rectifiable,
  });
  if (!decided.ok) return decided;
  const { requestId } = correcting;
  const view = annulInvoice(target, { reason: decided.value, requestId }, numbering);
  note(correcting, { reason: decided.value, record: view.cancellation?.recordId ?? "" }, numbering);
  return ok(view);
}

type AuditFacts = Readonly<Record<string, string>>;

function note(
  { userId, invoiceId, correction }: OwnerCorrecting,
  facts: AuditFacts,
  numbering: Numbering,
): void {
  const { working, deps } = numbering;
  working.audits.push({
    id: newId("al", deps.ledger, deps.random),
    userId,
    at: working.now,
    verb: "correct_record",
    facts: { invoice_id: invoiceId, correction: correction.correction, ...facts },
  });
}

/** The amended members; of a person at most the end of an identifier. */
function amendmentFacts({ recipient }: AmendmentRequest, change: Amendable): AuditFacts {
  return {
    members: Object.keys(change).join(", "),
    ...(recipient ? { identifier: masked(recipient.vatNumber) } : {}),
  };
}
