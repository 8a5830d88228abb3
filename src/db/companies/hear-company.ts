import { PROOF } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { AccountStore } from "../accounts/open-account.ts";
import type { AuditEntry } from "../ledger-state.ts";
import type { Claim, CompanyRegister, RegisteredCompany, VerificationChange } from "./verification-ports.ts";

/** Mails to the people concerned. */
export type ClaimNotice = "company_contested" | "ownership_lost" | "claim_granted" | "claim_rejected";

/** Events for the operator: a case waits, or a company will stop issuing. */
export type CompanyEvent = "proof_waits" | "claim_waits" | "company_contested";

export interface HearDeps {
  readonly register: CompanyRegister;
  readonly accountsIn: (ledger: string) => Pick<AccountStore, "hearVerification">;
  readonly noteIn: (ledger: string, accountId: string, line: AuditEntry) => Promise<void>;
  /** Ends keys, callbacks, webhooks and representation of a company that is another's now. */
  readonly handOver: (claim: Claim, ledger: string) => Promise<void>;
  /** A failed mail stops nothing. */
  readonly mail: (notice: ClaimNotice, claim: Claim) => Promise<void>;
  readonly report: (event: CompanyEvent) => void;
  /** A failure is logged for the operator, and cron repeats the work. */
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
  readonly now: () => Instant;
}

/** Sends the directory's current state to the ledger, never an older one. */
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

/** The limits of one run; the company is due again until nothing remains. */
const MOST = { lines: 5, claims: 3 };

/**
 * The second half of every company change: its ledger learns of it. The directory is written first, so that
 * concurrent calls see it. All of this can be repeated.
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

/** After a change: the company's ledger learns at once, and so do its owners' other companies. */
export function hearDeed(accountId: string, deps: HearDeps): Promise<void> {
  return deps.attempt(async () => {
    await hearCompany(accountId, deps);
    for (const other of await deps.register.unheardBeside(accountId)) await hearCompany(other, deps);
  });
}

/** The consequences of a claim: each step is repeated until done, and each mail is sent once. */
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

/** The line has the id of the change, so that a repeat adds no second one. */
function lineOf({ id, from, to, by, at, facts }: VerificationChange): AuditEntry {
  return {
    id: `verification:${id}`,
    userId: by,
    at,
    verb: "change_verification",
    facts: { ...facts, from, to },
  };
}
