import type { Verification } from "../../domain/connection/verification.ts";
import type { QuotaRefusal } from "../../domain/quota.ts";
import type { Instant } from "../../domain/shared/instant.ts";

export const PROOF_KINDS = ["certificate", "document", "operator"] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** What somebody has shown of a NIF. */
export interface Proof {
  readonly id: string;
  readonly accountId: string;
  readonly nif: string;
  /** Who shows it, or the operator who has looked. */
  readonly userId: string;
  readonly kind: ProofKind;
  /** Of the text that was signed; it is good for one proof. */
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

export interface RegisteredCompany {
  readonly accountId: string;
  readonly ledger: string;
  readonly nif: string;
  readonly verification: Verification;
  readonly contestedAt?: Instant;
  readonly isClosed: boolean;
  /** Raised with every change that its ledger has to hear of. */
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
}

export interface VerificationChange {
  readonly id: string;
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
  /** Whether the proof needs nobody to read it: then the company is contested at once. */
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
}

/** A change of a claim by an operator, with its line and what it does to the claimed company. */
export interface ClaimStep {
  readonly claimId: string;
  readonly stepId: string;
  readonly at: Instant;
  readonly facts: Readonly<Record<string, string>>;
}

/** Whose each NIF is, in the directory. What was shown and decided is appended only. */
export interface CompanyRegister {
  companyOf(accountId: string): Promise<RegisteredCompany | undefined>;
  /** The verified company of the NIF, open or closed. */
  holderOf(nif: string): Promise<RegisteredCompany | undefined>;
  keepText(text: ProofText): Promise<QuotaRefusal | undefined>;
  textOf(nonce: string): Promise<ProofText | undefined>;
  /** One more that the person shows, counted in the statement that asks. */
  countTry(userId: string, now: Instant): Promise<QuotaRefusal | undefined>;
  /** False where the company stands otherwise, another has its NIF, or the proof was shown before. */
  step(step: VerificationStep): Promise<boolean>;
  /** The claimed company; undefined where no other verified one has the NIF, or a claim is open. */
  claim(claim: NewClaim): Promise<string | undefined>;
  claimById(claimId: string): Promise<Claim | undefined>;
  /** Of a company of the claimant's. */
  openClaimOf(claimantAccountId: string): Promise<Claim | undefined>;
  /** The document was read: now the company is contested. */
  contest(step: ClaimStep): Promise<boolean>;
  /** With the claim granted the company is the claimant's alone. */
  settle(step: ClaimStep & { readonly outcome: "granted" | "rejected" }): Promise<boolean>;
  /** Proofs and claims that wait for an operator, the oldest first. */
  waiting(): Promise<{ readonly proofs: readonly Proof[]; readonly claims: readonly Claim[] }>;
  proofsOf(accountId: string): Promise<readonly Proof[]>;
  /** The newest so many of those that are shown, oldest first. */
  changesOf(accountId: string, newest?: number): Promise<readonly VerificationChange[]>;
  /** Companies whose ledgers have not heard of their last change, the one told longest ago first. */
  unheard(limit: number): Promise<readonly string[]>;
  /** Those of them that an owner of this company owns, itself included. */
  unheardBeside(accountId: string): Promise<readonly string[]>;
  toldNow(accountId: string, at: Instant): Promise<void>;
  /** Granted, and the former owners' keys and secrets are not known to be gone. */
  toHandOver(accountId: string): Promise<readonly Claim[]>;
  /** Those who can still sign in. */
  formerOwnersOf(
    claimId: string,
  ): Promise<readonly { readonly email: string; readonly language: string | undefined }[]>;
  handedOver(claimId: string, at: Instant): Promise<void>;
  /** Nothing where it has changed again meanwhile. */
  heard(accountId: string, changeSeq: number): Promise<void>;
}
