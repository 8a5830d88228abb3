import type { MemberStore, Membership } from "../../db/people/member-store.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import { ok, type Result } from "../../domain/shared/result.ts";

export interface Taken {
  readonly membership: Membership;
  readonly isNew: boolean;
}

/**
 * Only the person's own acceptance makes them an owner, because it may change IndicadorMultiplesOT in the
 * records of all their companies. A retry gets the same reply.
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
