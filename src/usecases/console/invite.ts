import { newId, type RandomBytes, randomText } from "../../domain/connection/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { sha256Hex } from "../../domain/shared/sha256.ts";
import type { MemberStore, Role } from "./member-ports.ts";

const LIVES_MS = 7 * 24 * 3_600_000;
/** 160 random bits. */
const TOKEN_LENGTH = 32;

export interface InviteDeps {
  readonly members: MemberStore;
  readonly now: () => Instant;
  readonly random: RandomBytes;
}

export interface InviteRequest {
  readonly account: { readonly accountId: string; readonly ledger: string };
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
}

/** The token stands in the link alone: stored is its hash. Undefined for who is a member already. */
export async function invite(request: InviteRequest, deps: InviteDeps): Promise<string | undefined> {
  const { account, email, role, invitedBy } = request;
  const members = await deps.members.membersOf(account.accountId);
  if (members.some((member) => member.email.toLowerCase() === email.toLowerCase())) return undefined;
  const token = randomText(TOKEN_LENGTH, deps.random);
  const createdAt = deps.now();
  await deps.members.invite({
    id: newId("iv", account.ledger, deps.random),
    accountId: account.accountId,
    tokenSha256: sha256Hex(token),
    ...{ email, role, invitedBy, createdAt, expiresAt: createdAt + LIVES_MS },
  });
  return token;
}
