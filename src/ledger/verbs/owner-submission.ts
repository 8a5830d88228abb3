import type { StoredInvoice } from "../../db/ledger-state.ts";
import { newId } from "../../domain/connection/ids.ts";
import { checkRepresentation } from "../../domain/connection/representation.ts";
import { isReason } from "../../domain/invoice/decide-annulment.ts";
import { standingsOf } from "../../domain/invoice/invoice-records.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { normalizeText } from "../../domain/shared/text.ts";
import { duplicateOf } from "../../domain/verifactu/submission/corrections.ts";
import { type OwnerDecision, type OwnerScope, refused, UNCHANGED, write } from "./owner-decision.ts";
import type { DuplicateRequest, RepresentationRequest } from "./owner-request.ts";

/** Without it nothing leaves for the real authority. A newer grant takes the place of the standing one. */
export function grantRepresentation(
  { documentSha256, signedBy, signedOn }: RepresentationRequest,
  { reading, today, random, ledger }: OwnerScope,
): OwnerDecision {
  const checked = checkRepresentation({ documentSha256, signedBy, signedOn }, today);
  if (!checked.ok) return refused(checked.error);
  if (reading.representation === documentSha256) return UNCHANGED;
  const representation = { id: newId("rp", ledger, random), ...checked.value };
  return write({ deed: "grant_representation", representation }, { document_sha256: documentSha256 });
}

export function withdrawRepresentation({ reading }: OwnerScope): OwnerDecision {
  if (reading.representation === undefined) return UNCHANGED;
  return write({ deed: "withdraw_representation" }, { document_sha256: reading.representation });
}

export function resumeSubmission({ reading }: OwnerScope): OwnerDecision {
  if (!reading.isSubmissionStopped) return UNCHANGED;
  return write({ deed: "resume_submission" });
}

/**
 * What an owner found who has looked, at the authority, whose record it has under the number. Ours: it may be
 * amended and annulled again. Another's: nothing of this invoice touches it. Who erred there may still find
 * that it is ours; what was done on that cannot be taken back.
 */
export function settleDuplicate(
  { invoiceId, found, reason }: DuplicateRequest,
  invoice: StoredInvoice | undefined,
): OwnerDecision {
  if (!invoice) return refused(refuse("invoice_unknown", { invoice_id: invoiceId }).error);
  const { fullNumber: number } = invoice.view;
  const stands = duplicateOf(standingsOf(invoice.view));
  if (stands === undefined || (stands === "ours" && found === "foreign")) {
    return refused(refuse("no_duplicate_to_settle", { number }).error);
  }
  if (stands === found) return UNCHANGED;
  if (!isReason(reason)) return refused(refuse("finding_without_reason", {}, "reason").error);
  const facts = { invoice_id: invoiceId, found, reason: normalizeText(reason) };
  return write({ deed: "settle_duplicate", invoiceId, found }, facts);
}
