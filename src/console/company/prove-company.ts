import type { CompanyRegister, Proof, ProofText } from "../../db/companies/registered-company.ts";
import { type SyncDeps, syncAfterChange } from "../../db/companies/sync-company.ts";
import type { Membership } from "../../db/people/member-store.ts";
import type { SignedDocuments } from "../../db/submission/evidence-store.ts";
import { checkProofText, isProofDocument, isProven, proofText } from "../../domain/connection/company.ts";
import { newId, type RandomBytes, randomText } from "../../domain/connection/ids.ts";
import { type Refusal, refuse } from "../../domain/invoice/refusal.ts";
import type { QuotaRefusal } from "../../domain/quota.ts";
import { sha256OfBytes } from "../../domain/shared/hash.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { err, invariant, ok, type Result } from "../../domain/shared/result.ts";

/** Verifies a certificate's signature over a text and returns the NIF with the certificate's stored facts. */
export type VerifySignature = (
  signature: Uint8Array,
  text: string,
  now: Instant,
) => Promise<Result<SignedBy, Refusal<"signature_invalid">>>;

export interface SignedBy {
  readonly nif: string;
  readonly facts: Readonly<Record<string, string>>;
}

export interface ProveDeps extends SyncDeps {
  readonly register: CompanyRegister;
  readonly documents: SignedDocuments;
  readonly random: RandomBytes;
  /** Undefined if proof by certificate is switched off. */
  readonly verifySignature?: VerifySignature | undefined;
}

/** An owner, and the account with the NIF to prove. */
export interface Prover {
  readonly account: Membership;
  readonly userId: string;
}

export interface Shown {
  /** An operator reads a document; a certificate's signature is verified at once. */
  readonly kind: "document" | "certificate";
  readonly bytes: Uint8Array;
  /** True claims the company that has proven this NIF; false proves the prover's own company. */
  readonly isClaim: boolean;
}

export type ProofRefusal =
  | QuotaRefusal
  | Refusal<
      | ("company_verified_already" | "issuer_exists" | "proof_text_ended" | "proof_document_invalid")
      | ("certificate_proof_off" | "signature_invalid" | "claim_open" | "nothing_to_claim")
    >;

const NONCE_LENGTH = 32;

export async function askForText(
  { account, userId }: Prover,
  { register, random, now }: ProveDeps,
): Promise<Result<ProofText & { readonly text: string }, QuotaRefusal>> {
  const { accountId, nif } = account;
  const made = { nonce: randomText(NONCE_LENGTH, random), accountId, nif, userId, madeAt: now() };
  const refusal = await register.keepText(made);
  return refusal ? err(refusal) : ok({ ...made, text: proofText(made) });
}

/**
 * A signature takes effect at once: it verifies the company, or contests the company that has proven the NIF.
 * A document waits for an operator. A repeated request gets the first reply.
 */
export async function showProof(
  prover: Prover,
  nonce: string,
  shown: Shown,
  deps: ProveDeps,
): Promise<Result<void, ProofRefusal>> {
  if (await wasShown(prover, nonce, shown, deps)) return ok(undefined);
  const answer = await show(prover, nonce, shown, deps);
  return answer.ok || !(await wasShown(prover, nonce, shown, deps)) ? answer : ok(undefined);
}

/** A repeat has the same person, company, text, bytes and purpose. */
async function wasShown(
  { account, userId }: Prover,
  nonce: string,
  { kind, bytes, isClaim }: Shown,
  { register }: ProveDeps,
): Promise<boolean> {
  const known = await register.shownWith(nonce);
  if (known?.isClaim !== isClaim) return false;
  const { proof } = known;
  const isTheirs = proof.accountId === account.accountId && proof.userId === userId;
  return isTheirs && proof.kind === kind && proof.sha256 === sha256OfBytes(bytes);
}

async function show(
  prover: Prover,
  nonce: string,
  shown: Shown,
  deps: ProveDeps,
): Promise<Result<void, ProofRefusal>> {
  const mayShow = await checkPurpose(prover.account, shown, deps);
  if (!mayShow.ok) return mayShow;
  const proof = await proofOf(prover, nonce, shown, deps);
  if (!proof.ok) return proof;
  // Report first: if D1 writes the proof and its reply is lost, the operator would miss a waiting person.
  if (shown.kind === "document") {
    deps.report(shown.isClaim ? "claim_waits" : "proof_waits", prover.account.accountId);
  }
  const changed = await (shown.isClaim ? claim : verify)(prover, proof.value, deps);
  if (changed === undefined) return refuse("proof_text_ended");
  await syncAfterChange(changed, deps);
  return ok(undefined);
}

async function checkPurpose(
  { accountId, nif, verification }: Membership,
  { isClaim }: Shown,
  { register }: ProveDeps,
): Promise<Result<void, ProofRefusal>> {
  if (isProven(verification)) return refuse("company_verified_already");
  if (isClaim && (await register.openClaimOf(accountId))) return refuse("claim_open");
  const isHeld = (await register.holderOf(nif)) !== undefined;
  if (isHeld && !isClaim) return refuse("issuer_exists", { nif });
  return isClaim && !isHeld ? refuse("nothing_to_claim") : ok(undefined);
}

type Change = (prover: Prover, proof: Proof, deps: ProveDeps) => Promise<string | undefined>;

/** The changed company; undefined if the text was used in the meantime. */
const verify: Change = async ({ account, userId }, proof, { register, random, now }) => {
  const { accountId, ledger } = account;
  const isMade = await register.step({
    id: newId("vc", ledger, random),
    ...{ accountId, from: ["unverified", "in_review"], by: userId, at: now() },
    to: proof.kind === "certificate" ? "verified" : "in_review",
    facts: { proof: proof.kind },
    proof,
  });
  return isMade ? accountId : undefined;
};

const claim: Change = ({ account, userId }, proof, { register, random }) =>
  register.claim({
    id: newId("cl", account.ledger, random),
    ...{ nif: account.nif, claimantId: userId, claimantAccountId: account.accountId },
    ...{ proof, isProven: proof.kind === "certificate" },
  });

async function proofOf(
  { account, userId }: Prover,
  nonce: string,
  shown: Shown,
  deps: ProveDeps,
): Promise<Result<Proof, ProofRefusal>> {
  const { register, documents, random, now, verifySignature } = deps;
  const { accountId, nif, ledger } = account;
  const expected = { accountId, nif, userId };
  const checked = checkProofText(await register.textOf(nonce), expected, now());
  if (!checked.ok) return checked;
  if (shown.kind === "document" && !isProofDocument(shown.bytes)) return refuse("proof_document_invalid");
  if (shown.kind === "certificate" && !verifySignature) return refuse("certificate_proof_off");
  // Each try counts before the costly verification, because one text allows several tries.
  const tooMany = await register.countTry(userId, now());
  if (tooMany) return err(tooMany);
  const sha256 = sha256OfBytes(shown.bytes);
  const { kind } = shown;
  const proof = { id: newId("pr", ledger, random), ...expected, kind, nonce, sha256, madeAt: now() };
  // The evidence is stored before the proof counts: a proof needs its evidence. A text keeps one proof only.
  const kept = async (facts: Proof["facts"]): Promise<Result<Proof, ProofRefusal>> => {
    if (!(await register.reserveText(proof))) return refuse("proof_text_ended");
    await documents.keepProof(accountId, nonce, shown.bytes);
    return ok({ ...proof, facts });
  };
  if (kind === "document") return kept({});
  invariant(verifySignature, "without it no signature comes this far");
  const signed = await verifySignature(shown.bytes, proofText({ nonce, ...expected }), now());
  if (!signed.ok) return signed;
  if (signed.value.nif !== nif) {
    return refuse("signature_invalid", { reason: { phrase: "signature_of_another", nif: signed.value.nif } });
  }
  return kept(signed.value.facts);
}
