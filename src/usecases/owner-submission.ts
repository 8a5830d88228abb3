import { newId } from "../domain/connection/ids.ts";
import { checkRepresentation } from "../domain/connection/representation.ts";
import { type OwnerDecision, type OwnerScope, refused, UNCHANGED, write } from "./owner-decision.ts";
import type { RepresentationRequest } from "./owner-request.ts";

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
