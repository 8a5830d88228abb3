import { PROOF } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { markIfSeveral, type OpenAccountDeps } from "../open-account.ts";
import type { AuditEntry } from "../shop-ports.ts";
import type { Claim, CompanyRegister, VerificationChange } from "./verification-ports.ts";

export interface HearDeps extends Pick<OpenAccountDeps, "directory" | "accountsIn"> {
  readonly register: CompanyRegister;
  readonly noteIn: (ledger: string, accountId: string, line: AuditEntry) => Promise<void>;
  /** Ends keys, callbacks and webhooks of a company that is another's now. */
  readonly handOver: (claim: Claim, ledger: string) => Promise<void>;
  readonly now: () => Instant;
}

/**
 * The second half of every change of a company: its ledger hears of it. The directory says first whose the
 * company is, so that who asks meanwhile is judged by that; all of this may be done again.
 */
export async function hearCompany(accountId: string, deps: HearDeps): Promise<void> {
  const { register, accountsIn } = deps;
  const company = await register.companyOf(accountId);
  if (!company) return;
  const { ledger, verification, contestedAt, changeSeq } = company;
  await accountsIn(ledger).hearVerification({
    ...{ accountId, verification },
    ...(contestedAt === undefined ? {} : { issuingEndsAt: contestedAt + PROOF.claimMs }),
  });
  for (const change of await register.changesOf(accountId)) {
    await deps.noteIn(ledger, accountId, lineOf(change));
  }
  for (const claim of await register.toHandOver(accountId)) {
    await deps.handOver(claim, ledger);
    await register.handedOver(claim.id, deps.now());
  }
  if (verification === "verified") {
    for (const ownerId of await register.ownersOf(accountId)) await markIfSeveral(ownerId, deps);
  }
  await register.heard(accountId, changeSeq);
}

/** By the id of the change, so that it stands there once. */
function lineOf({ id, from, to, by, at, facts }: VerificationChange): AuditEntry {
  return {
    id: `verification:${id}`,
    userId: by,
    at,
    verb: "change_verification",
    facts: { ...facts, from, to },
  };
}
