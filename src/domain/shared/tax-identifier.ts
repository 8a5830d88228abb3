import { checkVAT, spain } from "jsvat";
import { EU_VAT_BODIES, isCountryCode } from "../verifactu/aeat-lists.ts";
import { type CivilDate, civilDate } from "./civil-date.ts";
import type { Phrase } from "./fact.ts";
import { err, ok, type Result } from "./result.ts";

/** An identifier as a record carries it, in its one canonical form. */
export type TaxIdentifier =
  | { readonly kind: "nif"; readonly nif: string; readonly entity: boolean }
  | { readonly kind: "eu_vat"; readonly id: string; readonly prefix: string }
  | { readonly kind: "other"; readonly idType: string; readonly country: string; readonly id: string };

export interface IdentifierFault {
  readonly code: "tax_identifier_invalid" | "tax_identifier_type_required";
  readonly detail: Phrase;
}

export interface StatedIdentifier {
  readonly vatNumber: string;
  readonly country?: string;
  /** IDType, list L7; absent if the country implies it. */
  readonly idType?: string;
}

const NIF = /^[0-9A-Z]{9}$/;
/** No kind of entity has O, and of A, B, E and H only those not resident here end in a letter. */
const NO_NIF = /^(O|[ABEH](?!00)\d{7}[A-Z])/;
const NATURAL_PERSON = /^[0-9KLMXYZ]/;
const REFUSED_IN_ID = /[<>"'=]/;
const EU_COUNTRIES = new Set(
  Object.keys(EU_VAT_BODIES).filter((prefix) => prefix !== "GB" && prefix !== "XI"),
);

/** NIF with its control character verified; `ES`, spaces, dots, hyphens and case do not matter. */
export function nifFrom(text: string): string | undefined {
  const bare = compact(text);
  const nif = bare.length === 11 && bare.startsWith("ES") ? bare.slice(2) : bare;
  return NIF.test(nif) && !NO_NIF.test(nif) && checkVAT(`ES${nif}`, [spain]).isValid ? nif : undefined;
}

/** Personal NIF (DNI, NIE, K, L, M) as opposed to that of an entity. */
export function isNaturalPersonNif(nif: string): boolean {
  return NATURAL_PERSON.test(nif);
}

/**
 * The canonical form of the stated identifier. A Spanish NIF needs no type. An EU VAT number is type 02 and
 * gets its prefix if missing. Any other identifier needs its type (AEAT 1111, 1126, 1131, 1239).
 */
export function taxIdentifierFrom(stated: StatedIdentifier): Result<TaxIdentifier, IdentifierFault> {
  if (stated.idType === undefined) return withoutType(stated);
  switch (stated.idType) {
    case "02":
      return euVat(stated);
    case "07":
      return unregisteredPerson(stated);
    default:
      return foreignDocument(stated, stated.idType);
  }
}

/**
 * Until 31-01-2021 the prefix was GB, since 01-01-2021 it is XI, for Northern Ireland only (AEAT 1254, 1255).
 */
export function isPrefixInForce(prefix: string, date: CivilDate): boolean {
  if (prefix === "XI") return date >= civilDate("2021-01-01");
  if (prefix === "GB") return date <= civilDate("2021-01-31");
  return true;
}

/** Whether VAT numbers of the country need no IDType. */
export function isCountryOfEuVat(country: string): boolean {
  return country === "XI" || EU_COUNTRIES.has(prefixOfCountry(country));
}

function withoutType(stated: StatedIdentifier): Result<TaxIdentifier, IdentifierFault> {
  const country = stated.country ?? "ES";
  const bare = compact(stated.vatNumber);
  if (country === "ES" || /^ES.{9}$/.test(bare)) return spanish(stated.vatNumber);
  if (isEuVat(bare, country)) return euVat(stated);
  return err({ code: "tax_identifier_type_required", detail: { phrase: "no_vat_number_or_nif" } });
}

/** A number of an EU country that has neither a prefix nor the form of a VAT number is another document. */
function isEuVat(bare: string, country: string): boolean {
  if (country === "GB") return bare.startsWith("XI");
  if (!isCountryOfEuVat(country)) return false;
  return (
    prefixIn(bare, country) !== undefined || EU_VAT_BODIES[prefixOfCountry(country)]?.test(bare) === true
  );
}

function spanish(text: string): Result<TaxIdentifier, IdentifierFault> {
  const nif = nifFrom(text);
  if (nif === undefined) return invalid({ phrase: "nif_control_character" });
  return ok({ kind: "nif", nif, entity: !isNaturalPersonNif(nif) });
}

function euVat(stated: StatedIdentifier): Result<TaxIdentifier, IdentifierFault> {
  const { country } = stated;
  const bare = compact(stated.vatNumber);
  const own = prefixIn(bare, country);
  if (own === undefined && country === undefined) return invalid({ phrase: "country_missing" });
  const prefix = own ?? prefixOfCountry(country ?? "");
  const body = own === undefined ? bare : bare.slice(2);
  const pattern = EU_VAT_BODIES[prefix];
  if (!pattern) return invalid({ phrase: "country_without_eu_vat", country: country ?? prefix });
  if (country !== undefined && !isCountryOf(prefix, country)) {
    return invalid({ phrase: "prefix_contradicts_country", prefix, country });
  }
  if (!pattern.test(body)) return invalid({ phrase: "vat_form", prefix });
  return ok({ kind: "eu_vat", id: prefix + body, prefix });
}

/** Type 07: a natural person whose NIF is not in the census; needs country ES (AEAT 1126, 1131). */
function unregisteredPerson(stated: StatedIdentifier): Result<TaxIdentifier, IdentifierFault> {
  const nif = nifFrom(stated.vatNumber);
  if (stated.country !== "ES") return invalid({ phrase: "id_type_07_needs_spain" });
  if (nif === undefined || !isNaturalPersonNif(nif)) return invalid({ phrase: "id_type_07_needs_person" });
  return ok({ kind: "other", idType: "07", country: "ES", id: nif });
}

function foreignDocument(stated: StatedIdentifier, idType: string): Result<TaxIdentifier, IdentifierFault> {
  const id = stated.vatNumber.trim().toUpperCase();
  const { country } = stated;
  if (country === undefined) return invalid({ phrase: "country_missing" });
  // CodigoPais takes the AEAT's own list, in which some countries of ISO 3166-1 are parts of others.
  if (!isCountryCode(country)) return invalid({ phrase: "country_not_listed", country });
  if (country === "ES" && idType !== "03") return invalid({ phrase: "spain_needs_nif" });
  if (id.length === 0 || id.length > 20 || REFUSED_IN_ID.test(id)) return invalid({ phrase: "id_form" });
  return ok({ kind: "other", idType, country, id });
}

function isCountryOf(prefix: string, country: string): boolean {
  if (prefix === "XI") return country === "GB" || country === "XI";
  return prefixOfCountry(country) === prefix;
}

/**
 * The prefix of a VAT number; some write GR for Greece. Other documents may begin with two letters too, so
 * another country's code is a prefix only if the rest has the form of its VAT numbers.
 */
function prefixIn(bare: string, country: string | undefined): string | undefined {
  const prefix = prefixOf(bare.slice(0, 2));
  const pattern = Object.hasOwn(EU_VAT_BODIES, prefix) ? EU_VAT_BODIES[prefix] : undefined;
  if (!pattern) return undefined;
  const isExpected = country === undefined || isCountryOf(prefix, country);
  return isExpected || pattern.test(bare.slice(2)) ? prefix : undefined;
}

/** Greece is GR as a country and EL in its VAT numbers. */
function prefixOf(written: string): string {
  return written === "GR" ? "EL" : written;
}

/** Directive 2006/112/EC, article 7: Monaco is as France, the Isle of Man as the United Kingdom. */
function prefixOfCountry(country: string): string {
  if (country === "MC") return "FR";
  return country === "IM" ? "GB" : prefixOf(country);
}

function compact(text: string): string {
  return text.replace(/[\s.-]/gu, "").toUpperCase();
}

function invalid(detail: Phrase): Result<never, IdentifierFault> {
  return err({ code: "tax_identifier_invalid", detail });
}
