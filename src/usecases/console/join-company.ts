import type { Instant } from "../../domain/shared/instant.ts";
import { sha256Hex } from "../../domain/shared/sha256.ts";
import { markIfSeveral, type OpenAccountDeps } from "../open-account.ts";
import type { MemberStore, Membership, Role } from "./member-ports.ts";

export interface JoinDeps extends Pick<OpenAccountDeps, "directory" | "accountsIn"> {
  readonly members: MemberStore;
  readonly now: () => Instant;
}

export interface Joined {
  readonly membership: Membership;
  /** Undefined where it was not needed: who had it is a member already. */
  readonly invitationId?: string;
}

/**
 * Whoever holds the link joins, once. Who has joined by it is told so again, as often as the answer is lost;
 * who is a member already leaves the link to whom it is for. Undefined for one that leads nowhere any more.
 */
export async function joinCompany(
  token: string,
  userId: string,
  deps: JoinDeps,
): Promise<Joined | undefined> {
  const { members, now } = deps;
  const invitation = await members.invitationBy(sha256Hex(token), now());
  if (!invitation) return undefined;
  const { id: invitationId, accountId, isOpen, acceptedBy } = invitation;
  if (!isOpen && acceptedBy !== userId) return undefined;
  const known = await members.membershipOf(userId, accountId);
  if (known && isOpen) return { membership: known };
  if (isOpen && !(await members.acceptInvitation(invitationId, userId, now()))) return undefined;
  const membership = await members.membershipOf(userId, accountId);
  if (!membership) return undefined;
  if (membership.role === "owner") await markIfSeveral(userId, deps);
  return { membership, invitationId };
}

/** False where no owner would be left. */
export async function changeRole(
  { accountId, userId, role }: { readonly accountId: string; readonly userId: string; readonly role: Role },
  deps: JoinDeps,
): Promise<boolean> {
  if (!(await deps.members.changeRole(accountId, userId, role, deps.now()))) return false;
  if (role === "owner") await markIfSeveral(userId, deps);
  return true;
}
