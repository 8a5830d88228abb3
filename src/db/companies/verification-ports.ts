import type { Verification } from "../../domain/connection/verification.ts";
import type { QuotaRefusal } from "../../domain/quota.ts";
import type { Instant } from "../../domain/shared/instant.ts";

export const PROOF_KINDS = ["certificate", "document", "operator"] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

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
export interface EndedText {
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

export interface NewClaim {
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
  readonly isToldToOwners: boolean;
  readonly isToldToClaimant: boolean;
}

/** The receivers of mails about a claim. */
export type ClaimReceivers = "owners" | "former_owners" | "claimant";

export interface Receiver {
  readonly email: string;
  readonly language: string | undefined;
}

/** An operator's change of a claim, with its line and its effect on the claimed company. */
export interface ClaimStep {
  readonly claimId: string;
  readonly stepId: string;
  readonly at: Instant;
  readonly facts: Readonly<Record<string, string>>;
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
  /** Whether the claimant has a login, and owns the claiming company. */
  claimantOf(claim: Claim): Promise<{ readonly isKnown: boolean; readonly isOwner: boolean }>;
  /** The cases for an operator: the newest document of each company, first one per person. */
  waiting(): Promise<{ readonly proofs: readonly Proof[]; readonly claims: readonly Claim[] }>;
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
  unheard(limit: number): Promise<readonly string[]>;
  /** The ones among them that share an owner with this company, itself included. */
  unheardBeside(accountId: string): Promise<readonly string[]>;
  toldNow(accountId: string, at: Instant): Promise<void>;
  /** Claims of a company of which something still has to follow. */
  toFollow(accountId: string, most: number): Promise<readonly Claim[]>;
  /** The owners of a granted company who were none before; a claimant counts as new. */
  newOwnersOf(claimId: string): Promise<readonly string[]>;
  /** Receivers who can still sign in. */
  receiversOf(claim: Claim, which: ClaimReceivers): Promise<readonly Receiver[]>;
  /**
   * True for the first call, which sends the mail: each receiver gets one, former owners at the hand-over.
   */
  noteTold(claimId: string, which: ClaimReceivers, at: Instant): Promise<boolean>;
  /** These ledgers were restored to an earlier state. */
  hearAgain(accountIds: readonly string[]): Promise<void>;
  /** Nothing where it has changed again meanwhile. */
  heard(accountId: string, changeSeq: number): Promise<void>;
}
