import type { MemberStore, Membership } from "../../db/people/member-store.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import { ok, type Result } from "../../domain/shared/result.ts";

export interface Taken {
  readonly membership: Membership;
  readonly isNew: boolean;
}

/**
 * Ownership as the person takes it who was offered it: nobody else's deed makes one an owner, because it
 * changes what the records of all their companies say. Who has taken it is told so again.
 */
export async function takeOwnership(
  accountId: string,
  userId: string,
  members: MemberStore,
): Promise<Result<Taken, Refusal<"offer_ended" | "company_contested">>> {
  const isNew = await members.takeOwnership(accountId, userId);
  const membership = await members.membershipOf(userId, accountId);
  if (membership?.role === "owner") return ok({ membership, isNew });
  const isHeldUp = membership?.offeredBy !== undefined && membership.verification === "contested";
  return refuse(isHeldUp ? "company_contested" : "offer_ended");
}
