import { type Refusal, refuse } from "../invoice/refusal.ts";
import { BODY_BYTES, PROOF } from "../limits.ts";
import type { Instant } from "../shared/instant.ts";
import { ok, type Result } from "../shared/result.ts";

/** The state of the proof that the company's NIF belongs to its user. */
const VERIFICATIONS = ["unverified", "in_review", "verified", "contested"] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/** A contested company is a verified one, with another company claiming the same NIF. */
export function isProven(verification: string): boolean {
  return verification === "verified" || verification === "contested";
}

/** An unknown text grants nothing. */
export function verificationOf(text: string): Verification {
  return VERIFICATIONS.find((one) => one === text) ?? "unverified";
}

/** The company and person that a proof is bound to. */
interface ProofBinding {
  readonly nonce: string;
  readonly accountId: string;
  readonly nif: string;
  readonly userId: string;
}

/**
 * The signed text that proves a NIF: the same bytes when it is signed and when it is verified. It cannot
 * prove another company, NIF, person or day.
 */
export function proofText({ nonce, accountId, nif, userId }: ProofBinding): string {
  return [
    "Acreditación de NIF ante Cuadre",
    "Declaro que soy el titular de este NIF, o que lo represento, y que pido verificar con él esta empresa.",
    `NIF: ${nif}`,
    `Empresa: ${accountId}`,
    `Persona: ${userId}`,
    `Código: ${nonce}`,
    "",
  ].join("\n");
}

/** Checks that an issued text is still valid for this proof. */
export function checkProofText(
  text: (ProofBinding & { readonly madeAt: Instant }) | undefined,
  asked: Omit<ProofBinding, "nonce">,
  now: Instant,
): Result<void, Refusal<"proof_text_ended">> {
  const isTheirs =
    text !== undefined &&
    text.accountId === asked.accountId &&
    text.nif === asked.nif &&
    text.userId === asked.userId;
  return isTheirs && now < text.madeAt + PROOF.nonceMs ? ok(undefined) : refuse("proof_text_ended");
}

const PDF_BEGINS = [0x25, 0x50, 0x44, 0x46, 0x2d];

/** A document that a person can open and read. */
export function isProofDocument(bytes: Uint8Array): boolean {
  return bytes.length <= BODY_BYTES.proofDocument && PDF_BEGINS.every((byte, index) => bytes[index] === byte);
}
