import { type SQL, sql } from "drizzle-orm";
import { type Verification, verificationOf } from "../../domain/connection/company.ts";
import type { QuotaRefusal } from "../../domain/quota.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { invariant } from "../../domain/shared/result.ts";
import { fromOwnJson } from "../database.ts";

const PROOF_KINDS = ["certificate", "document", "operator"] as const;
type ProofKind = (typeof PROOF_KINDS)[number];

/** A submitted proof of a NIF. */
export interface Proof {
  readonly id: string;
  readonly accountId: string;
  readonly nif: string;
  /** The submitter, or the operator who checked. */
  readonly userId: string;
  readonly kind: ProofKind;
  /** The nonce of the signed text; it is valid for one proof. */
  readonly nonce?: string;
  readonly sha256?: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly madeAt: Instant;
}

/** A text made for one person, one company and its NIF. */
export interface ProofText {
  readonly nonce: string;
  readonly accountId: string;
  readonly nif: string;
  readonly userId: string;
  readonly madeAt: Instant;
}

/** A text with a document that needs no further review. */
interface EndedText {
  readonly nonce: string;
  readonly accountId: string;
}

export interface RegisteredCompany {
  readonly accountId: string;
  readonly ledger: string;
  readonly nif: string;
  readonly verification: Verification;
  readonly contestedAt?: Instant;
  /** Raised with every change that the ledger must learn. */
  readonly changeSeq: number;
  readonly heardSeq: number;
  /** Verified, and an owner of it has another such company. */
  readonly isOfSeveral: boolean;
}

/** A change of the verification: from one of some states, or nothing happens. */
export interface VerificationStep {
  readonly id: string;
  readonly accountId: string;
  readonly from: readonly Verification[];
  readonly to: Verification;
  readonly by: string;
  readonly at: Instant;
  readonly facts: Readonly<Record<string, string>>;
  readonly proof?: Proof;
  /** The document that was read: nothing happens where another waits, or one waits and none is named. */
  readonly read?: { readonly proofId: string | undefined };
}

export interface VerificationChange {
  readonly id: string;
  /** The company's `changeSeq` with it. */
  readonly seq: number;
  readonly from: Verification;
  readonly to: Verification;
  readonly by: string;
  readonly at: Instant;
  readonly facts: Readonly<Record<string, string>>;
}

interface NewClaim {
  readonly id: string;
  readonly nif: string;
  readonly claimantId: string;
  readonly claimantAccountId: string;
  readonly proof: Proof;
  /** True if the proof needs no review: the company is contested at once. */
  readonly isProven: boolean;
}

export interface Claim {
  readonly id: string;
  readonly accountId: string;
  readonly nif: string;
  readonly claimantId: string;
  readonly claimantAccountId: string;
  readonly proofId: string;
  readonly madeAt: Instant;
  readonly contestedAt?: Instant;
  readonly settledAt?: Instant;
  readonly outcome?: "granted" | "rejected";
  /** The consequences, once each. */
  readonly isHandedOver: boolean;
  readonly wereOwnersMailed: boolean;
  readonly wasClaimantMailed: boolean;
}

/** The receivers of mails about a claim. */
export type ClaimReceivers = "owners" | "former_owners" | "claimant";

/** Mails to the people concerned. */
export type ClaimNotice = "company_contested" | "ownership_lost" | "claim_granted" | "claim_rejected";

/** A mail about a claim that is tried now. */
export interface DueNotice {
  readonly claimId: string;
  readonly notice: ClaimNotice;
  readonly userId: string;
  /** When the event of the mail happened. */
  readonly eventAt: Instant;
  /** This one included. */
  readonly tries: number;
  /** Undefined where the login is gone. */
  readonly email: string | undefined;
  readonly language: string | undefined;
}

/** An operator's change of a claim, with its line and its effect on the claimed company. */
interface ClaimStep {
  readonly claimId: string;
  readonly stepId: string;
  readonly at: Instant;
  readonly facts: Readonly<Record<string, string>>;
}

/** A page of cases for an operator, contested claims first, and how many come after it. */
interface Waiting {
  readonly proofs: readonly Proof[];
  readonly claims: readonly Claim[];
  readonly more: { readonly proofs: number; readonly claims: number };
}

/** The owner of each NIF, in the directory. Proofs and decisions are append-only. */
export interface CompanyRegister {
  companyOf(accountId: string): Promise<RegisteredCompany | undefined>;
  /** The verified company of the NIF, open or closed. */
  holderOf(nif: string): Promise<RegisteredCompany | undefined>;
  keepText(text: ProofText): Promise<QuotaRefusal | undefined>;
  textOf(nonce: string): Promise<ProofText | undefined>;
  /** Counts one more try of the person in the statement that checks the limit. */
  countTry(userId: string, now: Instant): Promise<QuotaRefusal | undefined>;
  /** The proof submitted with the text, and whether it was a claim. */
  shownWith(nonce: string): Promise<{ readonly proof: Proof; readonly isClaim: boolean } | undefined>;
  /** False where the text was shown, or is being shown, with other bytes: no others are kept for it. */
  reserveText(
    shown: Pick<Proof, "kind" | "madeAt"> & Required<Pick<Proof, "nonce" | "sha256">>,
  ): Promise<boolean>;
  /** Texts with a document that needs no review; of the unused ones those made `before`. */
  endedTexts(before: Instant, limit: number): Promise<readonly EndedText[]>;
  /** Its document was deleted. An unused text is deleted too. */
  settleText(nonce: string, at: Instant): Promise<void>;
  /** Deletes unused texts and answers their number. */
  forgetUnused(before: Instant, limit: number): Promise<number>;
  /** False if the company's state differs, another has the NIF, or the proof was submitted before. */
  step(step: VerificationStep): Promise<boolean>;
  /** The claimed company; undefined where no other verified one has the NIF, or a claim is open. */
  claim(claim: NewClaim): Promise<string | undefined>;
  claimById(claimId: string): Promise<Claim | undefined>;
  /** The open claim of a claimant's company. */
  openClaimOf(claimantAccountId: string): Promise<Claim | undefined>;
  /** The document was read: now the company is contested. */
  contest(step: ClaimStep): Promise<boolean>;
  /** With the claim granted the company is the claimant's alone. */
  settle(step: ClaimStep & { readonly outcome: "granted" | "rejected" }): Promise<boolean>;
  /** Answers if the claimant has a login (`isKnown`) and owns the claiming company (`isOwner`). */
  claimantOf(claim: Claim): Promise<{ readonly isKnown: boolean; readonly isOwner: boolean }>;
  /** The cases for an operator: the newest document of each company, first one per person. */
  waiting(from?: number): Promise<Waiting>;
  /** The document of a company that waits. */
  waitingOf(accountId: string): Promise<string | undefined>;
  proofsOf(accountId: string): Promise<readonly Proof[]>;
  /** The newest that are shown, oldest first. */
  changesOf(accountId: string): Promise<readonly VerificationChange[]>;
  /** Changes after one and up to another; oldest first, at most `most`. */
  changesBetween(
    accountId: string,
    range: { readonly after: number; readonly upTo: number; readonly most: number },
  ): Promise<readonly VerificationChange[]>;
  /** Companies with ledgers that missed their last change, the least recently tried first. */
  unsynced(limit: number): Promise<readonly string[]>;
  /** The ones among them that share an owner with this company, itself included. */
  unsyncedRelated(accountId: string): Promise<readonly string[]>;
  noteTry(accountId: string, at: Instant): Promise<void>;
  /** Claims of a company of which something still has to follow. */
  toFollow(accountId: string, most: number): Promise<readonly Claim[]>;
  /** No later claim of its company was granted. */
  isNewestGranted(claimId: string): Promise<boolean>;
  /** The owners of a granted company who were none before; a claimant counts as new. */
  newOwnersOf(claimId: string): Promise<readonly string[]>;
  /**
   * True for the first call: each receiver is due a mail; former owners at the hand-over, unless they own the
   * company again.
   */
  openNotices(opening: {
    readonly claimId: string;
    readonly which: ClaimReceivers;
    readonly notice: ClaimNotice;
    readonly at: Instant;
  }): Promise<boolean>;
  /**
   * Counts a try of each in the statement that finds it, of one company or of all. A contested company is no
   * news once its claim is settled.
   */
  dueNotices(now: Instant, accountId?: string): Promise<readonly DueNotice[]>;
  /** They were handed to the mailer, or are given up. */
  endNotices(notices: readonly DueNotice[]): Promise<void>;
  /** These ledgers were restored to an earlier state. */
  markUnsynced(accountIds: readonly string[]): Promise<void>;
  /** The directory was put back: the next change gets a number above every number that a ledger has. */
  raiseAbove(accountId: string, heardSeq: number): Promise<void>;
  /** Nothing where it has changed again meanwhile. */
  markSynced(accountId: string, changeSeq: number): Promise<void>;
}

/** Rows of the directory's part of companies, in the names of their columns. */
export interface CompanyRow {
  readonly account_id: string;
  readonly ledger: string;
  readonly nif: string;
  readonly verification: string;
  readonly contested_at: number | null;
  readonly change_seq: number;
  readonly heard_seq: number;
  readonly of_several: number;
}

export interface ProofRow {
  readonly id: string;
  readonly account_id: string;
  readonly nif: string;
  readonly user_id: string;
  readonly kind: string;
  readonly nonce: string | null;
  readonly sha256: string | null;
  readonly facts: string;
  readonly made_at: number;
}

export interface ClaimRow {
  readonly id: string;
  readonly account_id: string;
  readonly nif: string;
  readonly claimant_id: string;
  readonly claimant_account_id: string;
  readonly proof_id: string;
  readonly made_at: number;
  readonly contested_at: number | null;
  readonly settled_at: number | null;
  readonly outcome: string | null;
  readonly handed_at: number | null;
  readonly owners_told_at: number | null;
  readonly claimant_told_at: number | null;
}

export interface ChangeRow {
  readonly id: string;
  readonly seq: number;
  readonly from_state: string;
  readonly to_state: string;
  readonly changed_by: string;
  readonly at: number;
  readonly facts: string;
}

export function companyFrom(row: CompanyRow): RegisteredCompany {
  const { account_id: accountId, ledger, nif, contested_at: contestedAt, change_seq: changeSeq } = row;
  return {
    ...{ accountId, ledger, nif, verification: verificationOf(row.verification), changeSeq },
    ...{ heardSeq: row.heard_seq, isOfSeveral: row.of_several === 1 },
    ...(contestedAt === null ? {} : { contestedAt }),
  };
}

export function proofFrom(row: ProofRow): Proof {
  const { id, account_id: accountId, nif, user_id: userId, nonce, sha256, made_at: madeAt } = row;
  const kind = PROOF_KINDS.find((one) => one === row.kind);
  invariant(kind, "the schema checks the kinds of proofs");
  return {
    ...{ id, accountId, nif, userId, kind, facts: fromOwnJson(row.facts), madeAt },
    ...(nonce === null ? {} : { nonce }),
    ...(sha256 === null ? {} : { sha256 }),
  };
}

export function claimFrom(row: ClaimRow): Claim {
  const { id, account_id: accountId, nif, claimant_id: claimantId, proof_id: proofId } = row;
  const { contested_at: contestedAt, settled_at: settledAt, outcome } = row;
  return {
    ...{ id, accountId, nif, claimantId, claimantAccountId: row.claimant_account_id, proofId },
    madeAt: row.made_at,
    ...(contestedAt === null ? {} : { contestedAt }),
    ...(settledAt === null ? {} : { settledAt }),
    ...(outcome === "granted" || outcome === "rejected" ? { outcome } : {}),
    isHandedOver: row.handed_at !== null,
    wereOwnersMailed: row.owners_told_at !== null,
    wasClaimantMailed: row.claimant_told_at !== null,
  };
}

export function changeFrom(row: ChangeRow): VerificationChange {
  const { id, seq, from_state: from, to_state: to, changed_by: by, at, facts } = row;
  return { id, seq, from: verificationOf(from), to: verificationOf(to), by, at, facts: fromOwnJson(facts) };
}

/** Inserts only if the condition holds. */
export function insertProof(proof: Proof, condition: SQL): SQL {
  const { id, accountId, nif, userId, kind, nonce = null, sha256 = null, facts, madeAt } = proof;
  return sql`INSERT INTO proof (id, account_id, nif, user_id, kind, nonce, sha256, facts, made_at)
    SELECT ${id}, ${accountId}, ${nif}, ${userId}, ${kind}, ${nonce}, ${sha256}, ${JSON.stringify(facts)},
      ${madeAt} WHERE ${condition}
      AND NOT EXISTS (SELECT 1 FROM proof WHERE proof.nonce IS NOT NULL AND proof.nonce = ${nonce})`;
}

interface Stepping extends Pick<VerificationStep, "id" | "to" | "by" | "at" | "facts"> {
  /** Condition on rows of `account_directory`. */
  readonly which: SQL;
  readonly proofId?: string;
  readonly claimId?: string;
}

/** The line of a change, and the change: in this order, and both or neither. */
export function stepStatements({ which, ...step }: Stepping): SQL[] {
  const { id, to, by, at, facts, proofId = null, claimId = null } = step;
  const contestedAt = to === "contested" ? at : null;
  return [
    sql`INSERT INTO verification_change
        (id, account_id, seq, from_state, to_state, changed_by, proof_id, claim_id, facts, at)
      SELECT ${id}, account_id, change_seq + 1, verification, ${to}, ${by}, ${proofId}, ${claimId},
        ${JSON.stringify(facts)}, ${at} FROM account_directory WHERE ${which}`,
    sql`UPDATE account_directory SET verification = ${to}, contested_at = ${contestedAt},
      change_seq = change_seq + 1 WHERE ${which} RETURNING account_id`,
  ];
}

/**
 * Marks these accounts as ones with several issuers (FAQ 4 of the AEAT): verified accounts of the same
 * owners, limited by `which` (`owning`). It follows from a change by an owner or from a proof.
 */
export function markOfSeveral(accountId: SQL, which = sql`1`): SQL {
  return sql`UPDATE account_directory SET of_several = 1, change_seq = change_seq + 1
    WHERE of_several = 0 AND verification IN ('verified', 'contested') AND account_id IN (
      SELECT owned.account_id FROM account_owner AS owned WHERE owned.role = 'owner' AND owned.owner_id IN (
        SELECT owning.owner_id FROM account_owner AS owning
        JOIN account_owner AS every ON every.owner_id = owning.owner_id AND every.role = 'owner'
        JOIN account_directory AS proven ON proven.account_id = every.account_id
          AND proven.verification IN ('verified', 'contested')
        WHERE owning.account_id = ${accountId} AND owning.role = 'owner' AND ${which}
        GROUP BY owning.owner_id HAVING count(*) > 1))`;
}

/** Makes the ledger due for an update without a verification step. */
export function raiseSeq(which: SQL): SQL {
  return sql`UPDATE account_directory SET change_seq = change_seq + 1 WHERE ${which}`;
}
