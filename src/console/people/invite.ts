import type { MemberStore, Role } from "../../db/people/member-ports.ts";
import { newId, type RandomBytes, randomText } from "../../domain/connection/ids.ts";
import type { Refusal } from "../../domain/invoice/refusal.ts";
import type { QuotaRefusal } from "../../domain/quota.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { err, ok, type Result } from "../../domain/shared/result.ts";
import { sha256Hex } from "../../domain/shared/sha256.ts";

const LIVES_MS = 7 * 86_400_000;
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

export type InviteRefusal = Refusal<"already_member"> | QuotaRefusal;

/** The token stands in the link alone: stored is its hash. */
export async function invite(
  { account, email, role, invitedBy }: InviteRequest,
  deps: InviteDeps,
): Promise<Result<string, InviteRefusal>> {
  const members = await deps.members.membersOf(account.accountId);
  if (members.some((member) => member.email.toLowerCase() === email.toLowerCase())) {
    return err({ code: "already_member", facts: { email } });
  }
  const token = randomText(TOKEN_LENGTH, deps.random);
  const createdAt = deps.now();
  const refusal = await deps.members.invite({
    id: newId("iv", account.ledger, deps.random),
    accountId: account.accountId,
    tokenSha256: sha256Hex(token),
    ...{ email, role, invitedBy, createdAt, expiresAt: createdAt + LIVES_MS },
  });
  return refusal ? err(refusal) : ok(token);
}
