import type { TaxIdentifier } from "../shared/tax-identifier.ts";

/** Whether two identifiers belong to one person: equal NIF, VAT number, or document of one country. */
export function isSamePerson(a: TaxIdentifier, b: TaxIdentifier): boolean {
  return countryOf(a) === countryOf(b) && hasSameNumber(a, b);
}

/** Compares numbers in every spelling, type and country with which they may be stated. */
export function hasSameNumber(a: TaxIdentifier, b: TaxIdentifier): boolean {
  const numbers = spellingsOf(b);
  return spellingsOf(a).some((number) => numbers.includes(number));
}

/** A number of a type that has a prefix may be stated without it as one of another type. */
function spellingsOf(identifier: TaxIdentifier): readonly string[] {
  switch (identifier.kind) {
    case "nif":
      return [identifier.nif, `ES${identifier.nif}`];
    case "eu_vat":
      return [identifier.id, identifier.id.slice(identifier.prefix.length)];
    case "other":
      return [identifier.id.replace(/[\s.-]/gu, "").toUpperCase()];
  }
}

/** Greece is EL in its VAT numbers, Northern Ireland XI. */
function countryOf(identifier: TaxIdentifier): string {
  if (identifier.kind === "nif") return "ES";
  if (identifier.kind === "other") return identifier.country;
  const { prefix } = identifier;
  return { EL: "GR", XI: "GB" }[prefix] ?? prefix;
}
