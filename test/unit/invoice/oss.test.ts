/** Sales through the one-stop shop: whose tax they bear, and rates that look like Spanish ones. */
import { describe, expect, test } from "vitest";
import type { TaxGroup } from "../../../src/domain/invoice/document.ts";
import { consumptionCountry, ossDoubts } from "../../../src/domain/invoice/oss.ts";
import { VAT_RATES } from "../../../src/domain/place/vat-rates.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal, ZERO } from "../../../src/domain/shared/decimal.ts";

const NONE = { base: ZERO, tax: ZERO, surcharge: ZERO };

function group(rate: string, regime = "17"): TaxGroup {
  const key = { tax: "01", regime, qualification: regime === "17" ? "N2" : "S1" } as const;
  return { ...key, rate: decimal(rate), amounts: NONE, eur: NONE };
}

const DAY = civilDate("2026-11-27");
const doubted = (country: string | undefined, rates: readonly string[], day = DAY) =>
  ossDoubts(
    rates.map((rate) => group(rate)),
    country,
    day,
  ).map(({ rate, standard }) => `${rate} ${standard}`);

describe("a rate of a one-stop-shop sale looks Spanish", () => {
  test.each<[country: string, rates: readonly string[], doubts: readonly string[]]>([
    ["FR", ["10"], ["10 20"]],
    ["FR", ["20"], []],
    ["FR", ["5.5"], []],
    ["DE", ["21", "4", "19"], ["4 19", "21 19"]],
    // Their standard rate is 21 %.
    ["BE", ["21"], []],
    ["CZ", ["21"], []],
    ["LT", ["21"], []],
    ["LV", ["21"], []],
    ["NL", ["21"], []],
    ["NL", ["10"], ["10 21"]],
    ["XI", ["21"], ["21 20"]],
    ["US", ["21"], []],
  ])("%s with %s: %s", (country, rates, doubts) => {
    expect(doubted(country, rates)).toEqual(doubts);
  });

  test("the standard rate is that of the day of the sale", () => {
    expect(doubted("RO", ["21"], civilDate("2025-07-31"))).toEqual(["21 19"]);
    expect(doubted("RO", ["21"], civilDate("2025-08-01"))).toEqual([]);
  });

  test("not where no country is known, nor of Spanish tax on the same invoice", () => {
    expect(doubted(undefined, ["21"])).toEqual([]);
    expect(ossDoubts([group("21", "01")], "FR", DAY)).toEqual([]);
  });

  test("each state of the table has one standard rate on each day", () => {
    const standards = VAT_RATES.filter(({ area, kind }) => kind === "standard" && !area.includes(":"));
    const days = ["2021-07-01", "2022-06-30", "2023-06-30", "2024-06-30", "2025-12-31", "2026-11-27"];
    for (const day of days.map(civilDate)) {
      const inForce = standards.filter(
        ({ from, until }) => from <= day && (until === undefined || day <= until),
      );
      expect(new Set(inForce.map(({ area }) => area)).size).toBe(inForce.length);
    }
  });
});

describe("the country of the tax", () => {
  const request = (country?: string) =>
    ({ recipient: country === undefined ? undefined : { country } }) as Parameters<
      typeof consumptionCountry
    >[0]["request"];

  test.each<[says: string, consumedIn: string | undefined, recipient: string | undefined, is: unknown]>([
    ["that of the delivery", "AT", "DE", "AT"],
    ["else the recipient's", undefined, "DE", "DE"],
    ["not known from a buyer in Spain", undefined, "ES", undefined],
    ["not known without a recipient", undefined, undefined, undefined],
  ])("is %s", (_, consumedIn, recipient, is) => {
    const of = { request: request(recipient), groups: [group("20")] };
    expect(consumptionCountry(consumedIn === undefined ? of : { ...of, consumedIn })).toBe(is);
  });

  test("is none of an invoice without such sales", () => {
    expect(consumptionCountry({ request: request("FR"), groups: [group("21", "01")] })).toBeUndefined();
  });
});
