import type { CompanyDetails } from "../invoice/issuer.ts";
import { type Refusal, refuse } from "../invoice/refusal.ts";
import type { Territory } from "../invoice/settings.ts";
import { BODY_BYTES, PROOF } from "../limits.ts";
import type { Instant, TimeZone } from "../shared/instant.ts";
import { err, ok, type Result } from "../shared/result.ts";
import { nifFrom } from "../shared/tax-identifier.ts";
import { type ConsentRefusal, checkEligibility, type EligibilityDeclaration } from "./consent.ts";

/** Every no to a company that wants to invoice here, in the order in which it is checked. */
const COMPANY_REFUSALS = ["nif_invalid", "postcode_invalid", "territory_mismatch"] as const;
type OneRefusal = Refusal<(typeof COMPANY_REFUSALS)[number]> | ConsentRefusal;
/** The first of them, with the others that the same form has. */
export type CompanyRefusal = OneRefusal & { readonly also?: readonly OneRefusal[] };

export interface Company extends CompanyDetails {
  readonly nif: string;
  readonly territory: Territory;
}

/** Provinces with another tax than IVA. */
const OTHER_TAX: Readonly<Record<string, { readonly territory: Territory; readonly place: string }>> = {
  "35": { territory: "canarias", place: "Las Palmas" },
  "38": { territory: "canarias", place: "Santa Cruz de Tenerife" },
  "51": { territory: "ceuta_melilla", place: "Ceuta" },
  "52": { territory: "ceuta_melilla", place: "Melilla" },
};

/** The days of its invoices are those of its domicile. */
export function timeZoneOf(territory: Territory): TimeZone {
  return territory === "canarias" ? "Atlantic/Canary" : "Europe/Madrid";
}

/** Checks the typed identity as far as a program can, and that the issuer may use VERI*FACTU. */
export function checkCompany(
  company: Company,
  declaration: EligibilityDeclaration,
): Result<Company, CompanyRefusal> {
  const [first, ...also] = companyRefusals(company, declaration);
  if (first) return err(also.length > 0 ? { ...first, also } : first);
  return ok({ ...company, nif: nifFrom(company.nif) ?? company.nif });
}

/** All of them at once, so that a form can be corrected at once. */
function companyRefusals(company: Company, declaration: EligibilityDeclaration): readonly OneRefusal[] {
  const { nif, postcode, territory, legalName } = company;
  const elsewhere = OTHER_TAX[postcode.slice(0, 2)];
  const eligible = checkEligibility({ name: legalName, postcode }, declaration);
  const checked = [
    nifFrom(nif) === undefined ? refuse("nif_invalid", {}, "nif") : ok(undefined),
    POSTCODE.test(postcode) ? ok(undefined) : refuse("postcode_invalid", {}, "postcode"),
    eligible,
    elsewhere && elsewhere.territory !== territory
      ? refuse("territory_mismatch", { place: elsewhere.place }, "territory")
      : ok(undefined),
  ] as const;
  return checked.flatMap((one) => (one.ok ? [] : [one.error]));
}

const POSTCODE = /^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/;

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
  binding: Omit<ProofBinding, "nonce">,
  now: Instant,
): Result<void, Refusal<"proof_text_ended">> {
  const isTheirs =
    text !== undefined &&
    text.accountId === binding.accountId &&
    text.nif === binding.nif &&
    text.userId === binding.userId;
  return isTheirs && now < text.madeAt + PROOF.nonceMs ? ok(undefined) : refuse("proof_text_ended");
}

const PDF_BEGINS = [0x25, 0x50, 0x44, 0x46, 0x2d];

/** A document that a person can open and read. */
export function isProofDocument(bytes: Uint8Array): boolean {
  return bytes.length <= BODY_BYTES.proofDocument && PDF_BEGINS.every((byte, index) => bytes[index] === byte);
}
