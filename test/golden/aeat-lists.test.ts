import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  COUNTRY_CODES,
  EU_VAT_BODIES,
  EXEMPTIONS,
  GREECE,
  ID_TYPES,
  INVOICE_TYPES,
  isCountryCode,
  isExemption,
  isExemptionOf,
  isRegimeOf,
  QUALIFICATIONS,
  REGIMES,
  TAXES,
} from "../../src/domain/verifactu/aeat-lists.ts";
import { aeatFolder } from "../support/authority/aeat-folder.ts";

describe.skipIf(aeatFolder === undefined)("equals the enumeration of the XSD", () => {
  test.each<[string, Iterable<string>]>([
    ["ClaveTipoFacturaType", INVOICE_TYPES],
    ["ImpuestoType", TAXES],
    ["CalificacionOperacionType", QUALIFICATIONS],
    ["OperacionExentaType", EXEMPTIONS],
    ["PersonaFisicaJuridicaIDTypeType", ID_TYPES],
    ["CountryType2", COUNTRY_CODES],
    ["IdOperacionesTrascendenciaTributariaType", new Set(Object.values(REGIMES).flat())],
  ])("%s", (type, list) => {
    expect([...list].sort()).toEqual(enumerationOf(type).sort());
  });
});

test.each([
  ["01", "20", true],
  ["01", "21", false],
  ["01", "12", false],
  ["02", "20", true],
  ["02", "02", false],
  ["03", "21", true],
  ["03", "16", false],
  ["05", "01", false],
] as const)("tax %s with regime %s: %s", (tax, regime, expected) => {
  expect(isRegimeOf(tax, regime)).toBe(expected);
});

test.each([
  ["01", "E6", true],
  ["01", "E7", false],
  ["02", "E8", false],
  ["03", "E7", true],
] as const)("tax %s with exemption %s: %s", (tax, exemption, expected) => {
  expect(isExemptionOf(tax, exemption)).toBe(expected);
});

test.each([
  ["an exemption", isExemption, "E8", "E9"],
  ["a country, where Greece is GR", isCountryCode, GREECE.countryCode, GREECE.vatPrefix],
])("%s", (_, isListed, listed, unlisted) => {
  expect([isListed(listed), isListed(unlisted), isListed("")]).toEqual([true, false, false]);
});

test.each([
  ["AT", "U12345678", true],
  ["DE", "123456789", true],
  ["DE", "12345678", false],
  ["DE", "12345678A", false],
  ["EL", "123456789", true],
  ["FR", "AB123456789", true],
  ["GB", "GD001", true],
  ["XI", "1234567", false],
  ["IE", "1234567WA", true],
  ["LT", "1234567890", false],
  ["NL", "123456789B01", true],
  ["NL", "123456789b01", false],
  ["RO", "12", true],
  ["RO", "02", false],
])("NIF-IVA %s%s: %s", (prefix, body, expected) => {
  expect(EU_VAT_BODIES[prefix]?.test(body)).toBe(expected);
});

test.each(["ES", "GR", "US"])("%s is no prefix of a NIF-IVA", (prefix) => {
  expect(EU_VAT_BODIES[prefix]).toBeUndefined();
});

function enumerationOf(type: string): string[] {
  const schema = readFileSync(`${aeatFolder}/SuministroInformacion.xsd`, "utf8");
  const [, rest = ""] = schema.split(`<simpleType name="${type}">`);
  const [definition = ""] = rest.split("</simpleType>");
  return [...definition.matchAll(/<enumeration value="([^"]+)"/g)].map((match) => match[1] ?? "");
}
