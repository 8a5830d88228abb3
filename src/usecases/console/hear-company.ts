import { PROOF } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { AccountStore } from "../open-account.ts";
import type { AuditEntry } from "../shop-ports.ts";
import type { Claim, CompanyRegister, VerificationChange } from "./verification-ports.ts";

export interface HearDeps {
  readonly register: CompanyRegister;
  readonly accountsIn: (ledger: string) => Pick<AccountStore, "hearVerification">;
  readonly noteIn: (ledger: string, accountId: string, line: AuditEntry) => Promise<void>;
  /** Ends keys, callbacks and webhooks of a company that is another's now. */
  readonly handOver: (claim: Claim, ledger: string) => Promise<void>;
  /** By mail; a mail that does not leave stops nothing. */
  readonly tellFormerOwners: (claim: Claim) => Promise<void>;
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
  const { ledger, verification, contestedAt, changeSeq, heardSeq, isOfSeveral } = company;
  await accountsIn(ledger).hearVerification({
    ...{ accountId, verification, isOfSeveral },
    ...(contestedAt === undefined ? {} : { issuingEndsAt: contestedAt + PROOF.claimMs }),
  });
  for (const change of await register.changesOf(accountId, changeSeq - heardSeq)) {
    await deps.noteIn(ledger, accountId, lineOf(change));
  }
  for (const claim of await register.toHandOver(accountId)) {
    await deps.handOver(claim, ledger);
    await deps.tellFormerOwners(claim);
    await register.handedOver(claim.id, deps.now());
  }
  await register.heard(accountId, changeSeq);
}

/** After a deed: the company hears of it at once, and so do those that its owners have beside it. */
export async function hearDeed(accountId: string, deps: HearDeps): Promise<void> {
  await hearCompany(accountId, deps);
  for (const other of await deps.register.unheardBeside(accountId)) await hearCompany(other, deps);
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
