import { PROOF } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { AccountStore } from "../accounts/open-account.ts";
import type { AuditEntry } from "../shop-state.ts";
import type { Claim, CompanyRegister, RegisteredCompany, VerificationChange } from "./verification-ports.ts";

/** By mail, to whom they concern. */
export type ClaimNotice = "company_contested" | "ownership_lost" | "claim_granted" | "claim_rejected";

/** For the operator: somebody waits, or a company stops issuing unless it is settled. */
export type CompanyEvent = "proof_waits" | "claim_waits" | "company_contested";

export interface HearDeps {
  readonly register: CompanyRegister;
  readonly accountsIn: (ledger: string) => Pick<AccountStore, "hearVerification">;
  readonly noteIn: (ledger: string, accountId: string, line: AuditEntry) => Promise<void>;
  /** Ends keys, callbacks, webhooks and representation of a company that is another's now. */
  readonly handOver: (claim: Claim, ledger: string) => Promise<void>;
  /** A mail that does not leave stops nothing. */
  readonly mail: (notice: ClaimNotice, claim: Claim) => Promise<void>;
  readonly report: (event: CompanyEvent) => void;
  /** What fails is told to the operator, and cron does it again. */
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
  readonly now: () => Instant;
}

/** Its ledger hears what the directory says now, and never what it said before. */
export async function hearState(
  accountId: string,
  { register, accountsIn }: Pick<HearDeps, "register" | "accountsIn">,
): Promise<RegisteredCompany | undefined> {
  const company = await register.companyOf(accountId);
  if (!company) return undefined;
  const { ledger, verification, contestedAt, changeSeq, isOfSeveral } = company;
  await accountsIn(ledger).hearVerification({
    ...{ accountId, verification, isOfSeveral, changeSeq },
    ...(contestedAt === undefined ? {} : { issuingEndsAt: contestedAt + PROOF.claimMs }),
  });
  return company;
}

/** What one hearing does at most: the company is heard of again until nothing is left. */
const MOST = { lines: 5, claims: 3 };

/**
 * The second half of every change of a company: its ledger hears of it. The directory says first whose the
 * company is, so that who asks meanwhile is judged by that; all of this may be done again.
 */
export async function hearCompany(accountId: string, deps: HearDeps): Promise<void> {
  const { register } = deps;
  const company = await hearState(accountId, deps);
  if (!company) return;
  const { ledger, changeSeq: upTo, heardSeq: after } = company;
  const changes = await register.changesBetween(accountId, { after, upTo, most: MOST.lines });
  for (const change of changes) await deps.noteIn(ledger, accountId, lineOf(change));
  const claims = await register.toFollow(accountId, MOST.claims);
  for (const claim of claims) await follow(claim, ledger, deps);
  if (claims.length === MOST.claims) return;
  const last = changes.length < MOST.lines ? undefined : changes.at(-1);
  await register.heard(accountId, last?.seq ?? upTo);
}

/** After a deed: the company hears of it at once, and so do those that its owners have beside it. */
export function hearDeed(accountId: string, deps: HearDeps): Promise<void> {
  return deps.attempt(async () => {
    await hearCompany(accountId, deps);
    for (const other of await deps.register.unheardBeside(accountId)) await hearCompany(other, deps);
  });
}

/** What follows from a claim: each step is done until it is, and told once. */
async function follow(claim: Claim, ledger: string, deps: HearDeps): Promise<void> {
  const { register, now, mail, report } = deps;
  const { id, outcome } = claim;
  if (outcome === undefined) {
    if (claim.isToldToOwners || !(await register.noteTold(id, "owners", now()))) return;
    report("company_contested");
    return mail("company_contested", claim);
  }
  if (outcome === "granted" && !claim.isHandedOver) {
    await deps.handOver(claim, ledger);
    if (await register.noteTold(id, "former_owners", now())) await mail("ownership_lost", claim);
  }
  if (!claim.isToldToClaimant && (await register.noteTold(id, "claimant", now()))) {
    await mail(`claim_${outcome}`, claim);
  }
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
