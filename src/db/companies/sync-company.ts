import { NOTICE, PROOF } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { AccountStore } from "../accounts/opening.ts";
import type { AuditEntry } from "../ledger-state.ts";
import type {
  Claim,
  ClaimNotice,
  ClaimReceivers,
  CompanyRegister,
  DueNotice,
  RegisteredCompany,
  VerificationChange,
} from "./registered-company.ts";

/** Events for the operator: a case waits, a company will stop issuing, or the directory has lost changes. */
type CompanyEvent = "proof_waits" | "claim_waits" | "company_contested" | "directory_behind";

export interface SyncDeps {
  readonly register: CompanyRegister;
  readonly accountsIn: (ledger: string) => Pick<AccountStore, "updateVerification">;
  readonly noteIn: (ledger: string, accountId: string, line: AuditEntry) => Promise<void>;
  /** Ends keys, callbacks, webhooks and representation of a company that is another's now. */
  readonly handOver: (claim: Claim, ledger: string) => Promise<void>;
  /** True when the mailer has it; a failure stops nothing. */
  readonly mail: (notice: DueNotice) => Promise<boolean>;
  readonly report: (event: CompanyEvent, accountId: string) => void;
  /** A failure is logged for the operator, and cron repeats the work. */
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
  readonly now: () => Instant;
}

/** Another sync may be quicker, and a directory that was put back repeats its state under a higher number. */
const MOST_ROUNDS = 3;

/**
 * Sends the directory's current state to the ledger, never an older one. A directory that was put back has
 * lost numbers that its ledger already has: its later changes get higher ones. Only a proven NIF
 * stays proven, because invoices would become tests: the operator decides on it again.
 */
export async function syncVerification(
  accountId: string,
  { register, accountsIn, report }: Pick<SyncDeps, "register" | "accountsIn" | "report">,
): Promise<RegisteredCompany | undefined> {
  let company = await register.companyOf(accountId);
  for (let round = 0; company && round < MOST_ROUNDS; round++) {
    const { ledger, verification, contestedAt, changeSeq, isOfSeveral } = company;
    const sync = await accountsIn(ledger).updateVerification({
      ...{ accountId, verification, isOfSeveral, changeSeq },
      ...(contestedAt === undefined ? {} : { issuingEndsAt: contestedAt + PROOF.claimMs }),
    });
    if (sync.outcome === "synced") return company;
    const current = await register.companyOf(accountId);
    if (current?.changeSeq === changeSeq) {
      report("directory_behind", accountId);
      if (sync.outcome === "loses") return company;
      await register.raiseAbove(accountId, sync.heardSeq);
    }
    company = await register.companyOf(accountId);
  }
  // The state that was read last has not reached the ledger, so the company stays due.
  return undefined;
}

/** The limits of one run; the company is due again until nothing remains. */
const MOST = { lines: 5, claims: 3 };

/**
 * The second half of every company change: its ledger learns of it. The directory is written first, so that
 * concurrent calls see it. All of this can be repeated.
 */
export async function syncCompany(accountId: string, deps: SyncDeps): Promise<void> {
  const { register } = deps;
  const company = await syncVerification(accountId, deps);
  if (!company) return;
  const { ledger, changeSeq: upTo, heardSeq: after } = company;
  const changes = await register.changesBetween(accountId, { after, upTo, most: MOST.lines });
  for (const change of changes) await deps.noteIn(ledger, accountId, lineOf(change));
  const claims = await register.toFollow(accountId, MOST.claims);
  for (const claim of claims) await follow(claim, ledger, deps);
  if (claims.length > 0) await mailNotices(deps, { accountId });
  if (claims.length === MOST.claims) return;
  const last = changes.length < MOST.lines ? undefined : changes.at(-1);
  await register.markSynced(accountId, last?.seq ?? upTo);
}

/** After a change: the company's ledger learns at once, and so do its owners' other companies. */
export function syncAfterChange(accountId: string, deps: SyncDeps): Promise<void> {
  return deps.attempt(async () => {
    await syncCompany(accountId, deps);
    for (const other of await deps.register.unsyncedRelated(accountId)) await syncCompany(other, deps);
  });
}

/** The consequences of a claim: each step is repeated until done, and each mail is due once. */
async function follow(claim: Claim, ledger: string, deps: SyncDeps): Promise<void> {
  const { register, now, report } = deps;
  const { id: claimId, outcome } = claim;
  const open = (which: ClaimReceivers, notice: ClaimNotice) =>
    register.openNotices({ claimId, which, notice, at: now() });
  if (outcome === undefined) {
    const isFirst = !claim.wereOwnersMailed && (await open("owners", "company_contested"));
    if (isFirst) report("company_contested", claim.accountId);
    return;
  }
  if (outcome === "granted" && !claim.isHandedOver) {
    // Of several, the newest ends all that its owners did not make; an older one would end what they did.
    if (await register.isNewestGranted(claimId)) await deps.handOver(claim, ledger);
    await open("former_owners", "ownership_lost");
  }
  if (!claim.wasClaimantMailed) await open("claimant", `claim_${outcome}`);
}

/**
 * Tries the mails that are due, of one company or of all, until the time of the job is over. Answers how many
 * are tried again.
 */
export async function mailNotices(
  { register, mail, now }: Pick<SyncDeps, "register" | "mail" | "now">,
  { accountId, isOver = () => false }: { readonly accountId?: string; readonly isOver?: () => boolean },
): Promise<number> {
  const due = await register.dueNotices(now(), accountId);
  const ended: DueNotice[] = [];
  for (const notice of due) {
    if (isOver()) break;
    const isSent = notice.email === undefined || (await mail(notice));
    if (isSent || notice.tries >= NOTICE.tries) ended.push(notice);
  }
  if (ended.length > 0) await register.endNotices(ended);
  return due.length - ended.length;
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

/** Secrets that former owners may have copied; they must end. */
export interface Secrets {
  readonly connectionId: string;
  /** Hashes of the keys alive. */
  readonly keys: readonly string[];
  readonly webhooks: readonly string[];
  /** Hash of the callback's current secret. */
  readonly callbackSecretSha256?: string;
  /** Of the address of the connected shop. */
  readonly shopNonce?: string;
}

export interface HandedOver {
  readonly connections: readonly Secrets[];
  /** Hash of the document that a former owner signed, if it is in force. */
  readonly representationSha256?: string;
}

/** Each names what it ends, so that one the new owner made meanwhile stays. */
type EndingRequest =
  | { readonly verb: "withdraw_representation"; readonly documentSha256: string }
  | { readonly verb: "remove_callback"; readonly secretSha256: string }
  | { readonly verb: "revoke_key"; readonly hash: string }
  | { readonly verb: "remove_webhook"; readonly id: string }
  | { readonly verb: "disconnect_shop"; readonly nonce: string };

export interface HandOverDeps {
  /** All except the ones that these owners alone have made. */
  readonly secretsOf: (ledger: string, accountId: string, owners: readonly string[]) => Promise<HandedOver>;
  /** Owner's verbs at the connection's object, so that they count at once; false when one failed. */
  readonly act: (connectionId: string, request: EndingRequest) => Promise<boolean>;
}

/** A company that became another's. */
export interface HandOver {
  readonly accountId: string;
  readonly ledger: string;
  /** People who own it now and did not before. */
  readonly owners: readonly string[];
}

/**
 * Ends all keys, callbacks, webhooks, shops and the representation of a company that its new owners did not
 * make: the signer no longer decides, so records wait for the new owner's. A connection that fails stops no
 * other.
 */
export async function handOver({ accountId, ledger, owners }: HandOver, deps: HandOverDeps): Promise<void> {
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const endings = endingsOf(await deps.secretsOf(ledger, accountId, owners));
    const left: string[] = [];
    for (const [connectionId, request] of endings) {
      const isDone = await deps.act(connectionId, request).catch(() => false);
      if (!isDone) left.push(request.verb);
    }
    if (left.length > 0) throw new Error(`${[...new Set(left)].join(", ")} could not be done`);
    // A former owner's request that was admitted before the grant may have ended during the first pass.
    if (pass > 0 && endings.length === 0) return;
  }
  throw new Error("former owners made more meanwhile");
}

/** The last pass finds nothing. */
const MOST_PASSES = 3;

function endingsOf({
  connections,
  representationSha256: documentSha256,
}: HandedOver): (readonly [connectionId: string, EndingRequest])[] {
  return connections.flatMap((ofConnection, nth) => {
    const { connectionId, keys, webhooks, callbackSecretSha256: secretSha256, shopNonce } = ofConnection;
    const requests: EndingRequest[] = [
      // The verb of the whole company runs at its first connection, as the console's do.
      ...(documentSha256 !== undefined && nth === 0
        ? [{ verb: "withdraw_representation", documentSha256 } as const]
        : []),
      ...keys.map((hash) => ({ verb: "revoke_key", hash }) as const),
      ...webhooks.map((id) => ({ verb: "remove_webhook", id }) as const),
      ...(secretSha256 === undefined ? [] : [{ verb: "remove_callback", secretSha256 } as const]),
      ...(shopNonce === undefined ? [] : [{ verb: "disconnect_shop", nonce: shopNonce } as const]),
    ];
    return requests.map((request) => [connectionId, request] as const);
  });
}
