import { checkVAT, spain } from "jsvat";
import { EU_VAT_BODIES } from "../verifactu/aeat-lists.ts";
import { type CivilDate, civilDate } from "./civil-date.ts";
import { err, ok, type Result } from "./result.ts";

/** An identifier as a record carries it, in its one canonical form. */
export type TaxIdentifier =
  | { readonly kind: "nif"; readonly nif: string; readonly entity: boolean }
  | { readonly kind: "eu_vat"; readonly id: string; readonly prefix: string }
  | { readonly kind: "other"; readonly idType: string; readonly country: string; readonly id: string };

export interface IdentifierFault {
  readonly code: "tax_identifier_invalid" | "tax_identifier_type_required";
  readonly detail: string;
}

export interface StatedIdentifier {
  readonly vatNumber: string;
  readonly country?: string;
  /** IDType, list L7; absent where the country tells it. */
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
 * The canonical form of what the caller states. A Spanish NIF needs no type, an EU VAT number is type 02 and
 * gets its prefix when that is missing, any other identifier needs its type (AEAT 1111, 1126, 1131, 1239).
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

function withoutType(stated: StatedIdentifier): Result<TaxIdentifier, IdentifierFault> {
  const country = stated.country ?? "ES";
  const bare = compact(stated.vatNumber);
  if (country === "ES" || /^ES.{9}$/.test(bare)) return spanish(stated.vatNumber);
  if (isEuVat(bare, country)) return euVat(stated);
  return err({ code: "tax_identifier_type_required", detail: "it is neither a NIF nor an EU VAT number" });
}

/** A number of an EU country that has neither a prefix nor the form of a VAT number is another document. */
function isEuVat(bare: string, country: string): boolean {
  if (country === "GB") return bare.startsWith("XI");
  const prefix = prefixOf(country);
  if (!EU_COUNTRIES.has(prefix)) return false;
  return prefixIn(bare) !== undefined || EU_VAT_BODIES[prefix]?.test(bare) === true;
}

function spanish(text: string): Result<TaxIdentifier, IdentifierFault> {
  const nif = nifFrom(text);
  if (nif === undefined) return invalid("the control character of the NIF does not match");
  return ok({ kind: "nif", nif, entity: !isNaturalPersonNif(nif) });
}

function euVat(stated: StatedIdentifier): Result<TaxIdentifier, IdentifierFault> {
  const bare = compact(stated.vatNumber);
  const own = prefixIn(bare);
  const prefix = own ?? prefixOf(stated.country ?? "");
  const body = own === undefined ? bare : bare.slice(2);
  const pattern = EU_VAT_BODIES[prefix];
  if (!pattern) return invalid(`${stated.country ?? "the country"} issues no EU VAT numbers`);
  if (stated.country !== undefined && !isCountryOf(prefix, stated.country)) {
    return invalid(`its prefix is ${prefix} and its country ${stated.country}`);
  }
  if (!pattern.test(body)) return invalid(`it has not the form of a VAT number of ${prefix}`);
  return ok({ kind: "eu_vat", id: prefix + body, prefix });
}

/** Type 07: a natural person whose NIF the census does not know; it needs country ES (AEAT 1126, 1131). */
function unregisteredPerson(stated: StatedIdentifier): Result<TaxIdentifier, IdentifierFault> {
  const nif = nifFrom(stated.vatNumber);
  if (stated.country !== "ES") return invalid("type 07 goes with country ES only");
  if (nif === undefined || !isNaturalPersonNif(nif)) return invalid("type 07 needs a valid personal NIF");
  return ok({ kind: "other", idType: "07", country: "ES", id: nif });
}

function foreignDocument(stated: StatedIdentifier, idType: string): Result<TaxIdentifier, IdentifierFault> {
  const id = stated.vatNumber.trim().toUpperCase();
  if (stated.country === undefined) return invalid("its country is missing");
  if (stated.country === "ES" && idType !== "03")
    return invalid("country ES goes with type 03 or 07, or a NIF");
  if (id.length === 0 || id.length > 20 || REFUSED_IN_ID.test(id))
    return invalid("it has 1 to 20 characters, none of them < > \" ' =");
  return ok({ kind: "other", idType, country: stated.country, id });
}

function isCountryOf(prefix: string, country: string): boolean {
  if (prefix === "XI") return country === "GB" || country === "XI";
  return prefixOf(country) === prefix;
}

/** The prefix that a VAT number is written with; some write GR for Greece. */
function prefixIn(bare: string): string | undefined {
  const prefix = prefixOf(bare.slice(0, 2));
  return Object.hasOwn(EU_VAT_BODIES, prefix) ? prefix : undefined;
}

/** Greece is GR as a country and EL in its VAT numbers. */
function prefixOf(country: string): string {
  return country === "GR" ? "EL" : country;
}

function compact(text: string): string {
  return text.replace(/[\s.-]/gu, "").toUpperCase();
}

function invalid(detail: string): Result<never, IdentifierFault> {
  return err({ code: "tax_identifier_invalid", detail });
}
