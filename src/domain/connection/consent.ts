import { type Refusal, refuse } from "../invoice/refusal.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import type { Fact } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { BY_HAND } from "./kind.ts";

/** Every text that an owner has ever agreed to. Version 2 is the first one of invoices by hand. */
export const CONSENT_TEXT_VERSIONS = ["1", "2"] as const;
export type ConsentTextVersion = (typeof CONSENT_TEXT_VERSIONS)[number];

/** The text that is shown and agreed to today for a connection of the kind. */
export function consentTextToday(connectionKind: string): ConsentTextVersion {
  return connectionKind === BY_HAND ? "2" : "1";
}

/** Every no to a consent, in the order in which it is checked. */
const CONSENT_REFUSALS = ["consent_text_outdated", "issuer_not_eligible"] as const;
export type ConsentRefusal = Refusal<(typeof CONSENT_REFUSALS)[number]>;

/** The issuer of a consent. */
interface ConsentingIssuer {
  readonly name: string;
  /** The postcode of the fiscal domicile. */
  readonly postcode: string;
}

/** The owner's declaration about the issuer; no other source exists. */
export interface EligibilityDeclaration {
  /** The common rules apply although the domicile is in a foral territory. */
  readonly commonRulesApply: boolean;
  /** The VAT books are kept through the Suministro Inmediato de Información. */
  readonly keepsBooksInSii: boolean;
}

/** Evidence that consent was given to a text. */
export interface ConsentEvidence {
  /** The hash of the displayed text, with names and dates. */
  readonly textSha256: string;
  readonly language: string;
  /** The series that the text names. */
  readonly series: readonly string[];
  /** The network address of the request. */
  readonly address: string;
  /** Unknown of consents older than these. */
  readonly told?: ConsentTextFacts;
}

/** The facts in the text on that day; they rebuild it word for word later. */
export interface ConsentTextFacts {
  readonly isShop: boolean;
  readonly product: string;
  readonly legalName: string;
  readonly nif: string;
  readonly connection: string;
  readonly cutoffDate: CivilDate;
  readonly year: string;
}

/** Foral territories have invoicing rules of their own (TicketBAI and the like). */
const FORAL_PROVINCES: Readonly<Record<string, string>> = {
  "01": "Álava",
  "20": "Gipuzkoa",
  "31": "Navarra",
  "48": "Bizkaia",
};

/** RD 1007/2023 excludes foral territories and issuers with SII books. */
export function checkEligibility(
  { name, postcode }: ConsentingIssuer,
  { commonRulesApply, keepsBooksInSii }: EligibilityDeclaration,
): Result<void, ConsentRefusal> {
  const refused = (reason: Fact) => refuse("issuer_not_eligible", { legal_name: name, reason });
  const province = foralProvinceOf(postcode);
  if (province !== undefined && !commonRulesApply) return refused({ phrase: "foral_territory", province });
  if (keepsBooksInSii) return refused({ phrase: "books_in_sii" });
  return ok(undefined);
}

/** The foral province of a domicile, if it is in one: only there the wizard asks which rules apply. */
export function foralProvinceOf(postcode: string): string | undefined {
  const code = postcode.trim().slice(0, 2);
  return Object.hasOwn(FORAL_PROVINCES, code) ? FORAL_PROVINCES[code] : undefined;
}

/** Consent must refer to the current text: with an older one the owner reads again. */
export function checkConsentText(
  version: string,
  connectionKind: string,
): Result<ConsentTextVersion, ConsentRefusal> {
  const current = consentTextToday(connectionKind);
  if (version === current) return ok(current);
  return refuse("consent_text_outdated", { version, current }, "text_version");
}

/** Every no to a signed grant, in the order in which it is checked. */
const REPRESENTATION_REFUSALS = [
  "representation_document_invalid",
  "representation_signer_invalid",
  "representation_date_invalid",
] as const;
export type RepresentationRefusal = Refusal<(typeof REPRESENTATION_REFUSALS)[number]>;

/**
 * The issuer lets us submit in their name (Resolucion of 18-12-2024, BOE 31-12-2024): a signed document,
 * which is named by its hash.
 */
export interface Representation {
  /** Lower-case hex. */
  readonly documentSha256: string;
  readonly signedBy: string;
  readonly signedOn: CivilDate;
}

/** Submissions that no real authority gets. */
const WITHOUT_GRANT: readonly string[] = ["", "off", "sandbox"];

/** On every other way we submit in the name of issuers: only with their signed grant. */
export function wantsRepresentation(transport: string): boolean {
  return !WITHOUT_GRANT.includes(transport);
}

const LONGEST_NAME = 120;

export function checkRepresentation(
  given: Representation,
  today: CivilDate,
): Result<Representation, RepresentationRefusal> {
  if (!/^[0-9a-f]{64}$/.test(given.documentSha256)) return refuse("representation_document_invalid");
  const signedBy = given.signedBy.normalize("NFC").trim();
  if (signedBy === "" || signedBy.length > LONGEST_NAME || /\p{Cc}/u.test(signedBy)) {
    return refuse("representation_signer_invalid", { limit: String(LONGEST_NAME) });
  }
  if (given.signedOn > today)
    return refuse("representation_date_invalid", { date: { date: given.signedOn } });
  return ok({ ...given, signedBy });
}
