import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  alpha3,
  isFacturaeCurrency,
  provinceOf,
  REASON_CODES,
  reasonWords,
} from "../../../src/domain/einvoice/facturae/codes.ts";
import { facturaeUnit, isUnitCode, UNIT_CODES } from "../../../src/domain/einvoice/units.ts";
import { COUNTRIES } from "../../../src/domain/shared/country.ts";
import { currencyDecimals } from "../../../src/domain/shared/currency.ts";
import { rulesFolder } from "../../support/einvoice/rules.ts";

describe.skipIf(rulesFolder === undefined)("the lists of the XSD", () => {
  test("every alpha-3 code but those of two states that ended is of a country of today", () => {
    const ours = [...COUNTRIES].flatMap((country) => alpha3(country) ?? []);
    expect(new Set(ours).size).toBe(ours.length);
    expect(ours.toSorted()).toEqual(listed("CountryType").filter((code) => code !== "ANT" && code !== "ZAR"));
  });

  test("a currency is taken if the XSD has it and it exists today", () => {
    const shared = listed("CurrencyCodeType").filter((code) => currencyDecimals(code) !== undefined);
    expect(listed("CurrencyCodeType").filter(isFacturaeCurrency)).toEqual(shared);
    expect(isFacturaeCurrency("AED")).toBe(false);
  });

  test("causes of a rectification have the words that the XSD fixes", () => {
    expect(REASON_CODES.toSorted()).toEqual(listed("ReasonCodeType"));
    const words = REASON_CODES.toSorted().map(reasonWords);
    expect(words.toSorted()).toEqual(listed("ReasonDescriptionType"));
  });

  test("units have codes of the XSD", () => {
    const known = listed("UnitOfMeasureType");
    expect(UNIT_CODES.map(facturaeUnit).filter((code) => !known.includes(code))).toEqual([]);
  });
});

test.each([
  ["28001", "Madrid"],
  ["01001", "Álava"],
  ["38001", "Sta. Cruz Tenerife"],
  ["52006", "Melilla"],
  ["53001", undefined],
  ["00001", undefined],
  ["2800", undefined],
  ["28 01", undefined],
])("the province of %s is %s", (postcode, province) => {
  expect(provinceOf(postcode)).toBe(province);
});

test("each of the 52 provinces has a name of its own, of 20 characters at most", () => {
  const names = Array.from({ length: 99 }, (_, index) => provinceOf(`${String(index).padStart(2, "0")}000`));
  const known = names.filter((name) => name !== undefined);
  expect(new Set(known).size).toBe(52);
  expect(known.filter((name) => name.length > 20)).toEqual([]);
});

test("a word that every object has is no unit", () => {
  expect(isUnitCode("toString")).toBe(false);
  expect(isUnitCode("KGM")).toBe(true);
});

/** The values of an enumeration, sorted. */
function listed(type: string): string[] {
  const xsd = readFileSync(`${rulesFolder}/facturae-3.2.2/Facturaev3_2_2.xsd`, "utf8");
  const body = xsd.split(`<xs:simpleType name="${type}">`)[1]?.split("</xs:simpleType>")[0] ?? "";
  return [...body.matchAll(/<xs:enumeration value="([^"]*)"/g)].map(([, value = ""]) => value).toSorted();
}
