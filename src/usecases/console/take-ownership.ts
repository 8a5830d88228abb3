import { type HearDeps, hearDeed } from "./hear-company.ts";
import type { MemberStore, Membership } from "./member-ports.ts";

export interface TakeDeps extends HearDeps {
  readonly members: MemberStore;
}

/**
 * Ownership as the person takes it who was offered it: nobody else's deed makes one an owner, because it
 * changes what the records of all their companies say. Undefined where the offer does not stand; who has
 * taken it is told so again.
 */
export async function takeOwnership(
  accountId: string,
  userId: string,
  deps: TakeDeps,
): Promise<{ readonly membership: Membership; readonly isNew: boolean } | undefined> {
  const isNew = await deps.members.takeOwnership(accountId, userId);
  const membership = await deps.members.membershipOf(userId, accountId);
  if (membership?.role !== "owner") return undefined;
  await hearDeed(accountId, deps);
  return { membership, isNew };
}
