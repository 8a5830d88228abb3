import type { Person } from "../../db/people/identity-ports.ts";
import type { MemberStore, Membership } from "../../db/people/member-ports.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { COMPANY } from "../../domain/limits.ts";
import { type QuotaRefusal, quotaExceeded } from "../../domain/quota.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import { sha256Hex } from "../../domain/shared/sha256.ts";

export interface JoinDeps {
  readonly members: MemberStore;
  readonly now: () => Instant;
}

export interface Joined {
  readonly membership: Membership;
  /** Undefined where it was not needed: who had it is a member already. */
  readonly invitationId?: string;
}

export type JoinRefusal = Refusal<"invitation_ended" | "invitation_for_another"> | QuotaRefusal;

/**
 * Whoever holds the link and has its address joins, once. Who has joined by it is told so again, as often as
 * the answer is lost; who is a member already leaves the link to whom it is for.
 */
export async function joinCompany(
  token: string,
  person: Person,
  deps: JoinDeps,
): Promise<Result<Joined, JoinRefusal>> {
  const { members, now } = deps;
  const invitation = await members.invitationBy(sha256Hex(token), now());
  if (!invitation) return refuse("invitation_ended");
  const { id: invitationId, accountId, isOpen, acceptedBy, email } = invitation;
  if (!isOpen && acceptedBy !== person.id) return refuse("invitation_ended");
  const known = await members.membershipOf(person.id, accountId);
  if (known && isOpen) return ok({ membership: known });
  if (email.toLowerCase() !== person.email.toLowerCase()) return refuse("invitation_for_another");
  if (isOpen) {
    const accepted = await members.acceptInvitation(invitationId, person.id, now());
    if (accepted === "ended") return refuse("invitation_ended");
    if (accepted === "full") return err(quotaExceeded("quota_people", COMPANY.people));
  }
  const membership = await members.membershipOf(person.id, accountId);
  return membership ? ok({ membership, invitationId }) : refuse("invitation_ended");
}
