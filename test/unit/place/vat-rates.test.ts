import { describe, expect, test } from "vitest";
import { ratesOn } from "../../../src/domain/invoice/tax-rates.ts";
import { placeOf } from "../../../src/domain/place/place.ts";
import { rateAreasOf, ratesIn, TABLE_START, VAT_RATES } from "../../../src/domain/place/vat-rates.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { compare } from "../../../src/domain/shared/decimal.ts";

const TODAY = "2026-11-29";
const NEVER_ENDS = "9999-12-31";

const AREAS = [...new Set(VAT_RATES.map(({ area }) => area))];
const STATES = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI";
const REGIONS = "AT:jungholz_mittelberg FR:corsica GR:aegean_islands PT:azores PT:madeira";

function ratesAt(country: string, postcode: string | undefined, day: string): string {
  const place = placeOf({ country, postcode }, civilDate(day));
  return place === undefined ? "no place" : ratesIn(place, civilDate(day)).join(" ");
}

describe("the table of rates", () => {
  test("has every member state, Northern Ireland and every region", () => {
    expect([...AREAS].sort().join(" ")).toBe(`${STATES} ${REGIONS}`.split(" ").sort().join(" "));
  });

  test.each(AREAS)("no two rows of %s and one rate overlap", (area) => {
    const rows = VAT_RATES.filter((row) => row.area === area);
    const overlapping = rows.filter((row, index) =>
      rows.some(
        (other, at) =>
          at !== index &&
          other.rate === row.rate &&
          row.from <= (other.until ?? NEVER_ENDS) &&
          other.from <= (row.until ?? NEVER_ENDS),
      ),
    );
    expect(overlapping).toEqual([]);
  });

  test.each(AREAS)("%s has one standard rate on every day since the start", (area) => {
    const standards = VAT_RATES.filter((row) => row.area === area && row.kind === "standard");
    const days: string[] = [];
    for (let at = Date.parse(TABLE_START); at <= Date.parse(TODAY); at += 86_400_000) {
      days.push(new Date(at).toISOString().slice(0, 10));
    }
    const inForce = (day: string) =>
      standards.filter(({ from, until }) => from <= day && day <= (until ?? NEVER_ENDS)).length;
    expect(days.filter((day) => inForce(day) !== 1)).toEqual([]);
  });

  test("no row ends before it begins or begins before the table", () => {
    const wrong = VAT_RATES.filter(({ from, until }) => from < TABLE_START || (until ?? NEVER_ENDS) < from);
    expect(wrong).toEqual([]);
  });

  test.each(["2021-07-01", "2022-07-01", "2024-09-30", "2024-10-01", "2024-12-31", "2025-01-01", TODAY])(
    "the rates of Spain on %s are those of IVA above zero",
    (day) => {
      const iva = (ratesOn("01", civilDate(day)) ?? []).filter((rate) => rate !== "0");
      expect(ratesAt("ES", "28001", day)).toBe([...iva].sort(compare).join(" "));
    },
  );
});

describe("the rates of a place on a day", () => {
  test.each<[string, string | undefined, string, string]>([
    // Each state today
    ["AT", "1010", TODAY, "4.9 10 13 20"],
    ["BE", "1000", TODAY, "6 12 21"],
    ["BG", "1000", TODAY, "9 20"],
    ["CY", "1010", TODAY, "3 5 9 19"],
    ["CZ", "11000", TODAY, "12 21"],
    ["DE", "10115", TODAY, "7 19"],
    ["DK", "1050", TODAY, "25"],
    ["EE", "10111", TODAY, "9 13 24"],
    ["FI", "00100", TODAY, "10 13.5 25.5"],
    ["FR", "75001", TODAY, "2.1 5.5 10 20"],
    ["GR", "10431", TODAY, "6 13 24"],
    ["HR", "10000", TODAY, "5 13 25"],
    ["HU", "1011", TODAY, "5 18 27"],
    ["IE", "D02 X285", TODAY, "4.8 9 13.5 23"],
    ["IT", "00118", TODAY, "4 5 10 22"],
    ["LT", "01100", TODAY, "5 12 21"],
    ["LU", "1111", TODAY, "3 8 14 17"],
    ["LV", "LV-1010", TODAY, "5 12 21"],
    ["MT", "VLT 1117", TODAY, "5 7 12 18"],
    ["NL", "1011 AB", TODAY, "9 21"],
    ["PL", "00-001", TODAY, "5 8 23"],
    ["PT", "1100-148", TODAY, "6 13 23"],
    ["RO", "010011", TODAY, "11 21"],
    ["SE", "111 20", TODAY, "6 12 25"],
    ["SI", "1000", TODAY, "5 9.5 22"],
    ["SK", "811 01", TODAY, "5 19 23"],
    ["XI", "BT1 1AA", TODAY, "5 20"],
    ["GB", "BT1 1AA", TODAY, "5 20"],
    // On the days around each change
    ["AT", "1010", "2021-12-31", "5 10 13 20"],
    ["AT", "1010", "2022-01-01", "10 13 20"],
    ["AT", "1010", "2026-06-30", "10 13 20"],
    ["AT", "1010", "2026-07-01", "4.9 10 13 20"],
    ["CY", "1010", "2023-07-20", "5 9 19"],
    ["CY", "1010", "2023-07-21", "3 5 9 19"],
    ["CZ", "11000", "2023-12-31", "10 15 21"],
    ["CZ", "11000", "2024-01-01", "12 21"],
    ["EE", "10111", "2022-07-31", "9 20"],
    ["EE", "10111", "2022-08-01", "5 9 20"],
    ["EE", "10111", "2023-12-31", "5 9 20"],
    ["EE", "10111", "2024-01-01", "5 9 22"],
    ["EE", "10111", "2024-12-31", "5 9 22"],
    ["EE", "10111", "2025-01-01", "9 13 22"],
    ["EE", "10111", "2025-06-30", "9 13 22"],
    ["EE", "10111", "2025-07-01", "9 13 24"],
    ["ES", "28001", "2022-06-30", "4 10 21"],
    ["ES", "28001", "2022-07-01", "4 5 10 21"],
    ["ES", "28001", "2024-10-01", "2 4 7.5 10 21"],
    ["ES", "28001", "2025-01-01", "4 10 21"],
    ["FI", "00100", "2024-08-31", "10 14 24"],
    ["FI", "00100", "2024-09-01", "10 14 25.5"],
    ["FI", "00100", "2025-12-31", "10 14 25.5"],
    ["FI", "00100", "2026-01-01", "10 13.5 25.5"],
    ["LT", "01100", "2025-12-31", "5 9 21"],
    ["LT", "01100", "2026-01-01", "5 12 21"],
    ["LU", "1111", "2022-12-31", "3 8 14 17"],
    ["LU", "1111", "2023-01-01", "3 7 13 16"],
    ["LU", "1111", "2023-12-31", "3 7 13 16"],
    ["LU", "1111", "2024-01-01", "3 8 14 17"],
    ["MT", "VLT 1117", "2023-12-31", "5 7 18"],
    ["MT", "VLT 1117", "2024-01-01", "5 7 12 18"],
    ["PT", "9000-001", "2024-09-30", "5 12 22"],
    ["PT", "9000-001", "2024-10-01", "4 12 22"],
    ["RO", "010011", "2025-07-31", "5 9 19"],
    ["RO", "010011", "2025-08-01", "9 11 21"],
    ["RO", "010011", "2026-07-31", "9 11 21"],
    ["RO", "010011", "2026-08-01", "11 21"],
    ["SK", "811 01", "2022-12-31", "10 20"],
    ["SK", "811 01", "2023-01-01", "5 10 20"],
    ["SK", "811 01", "2024-12-31", "5 10 20"],
    ["SK", "811 01", "2025-01-01", "5 19 23"],
    ["XI", undefined, "2021-09-30", "5 20"],
    ["XI", undefined, "2021-10-01", "5 12.5 20"],
    ["XI", undefined, "2022-03-31", "5 12.5 20"],
    ["XI", undefined, "2022-04-01", "5 20"],
    // Regions, and places without a telling postcode
    ["AT", "6991", TODAY, "4.9 10 13 19"],
    ["DE", "87568", TODAY, "4.9 10 13 19"],
    ["AT", undefined, TODAY, "4.9 10 13 19 20"],
    ["FR", "20200", TODAY, "0.9 2.1 5.5 10 13 20"],
    ["FR", undefined, TODAY, "0.9 2.1 5.5 10 13 20"],
    ["MC", "98000", TODAY, "2.1 5.5 10 20"],
    ["PT", "9500-119", TODAY, "4 9 16"],
    ["PT", "9000-001", TODAY, "4 12 22"],
    ["PT", undefined, TODAY, "4 6 9 12 13 16 22 23"],
    ["GR", "81100", "2025-12-31", "4 6 9 13 17 24"],
    ["GR", "81100", "2026-01-01", "3 4 6 9 13 17 24"],
    ["GR", "85303", "2025-12-31", "6 13 24"],
    ["GR", "85303", "2026-01-01", "3 4 6 9 13 17 24"],
    ["GR", undefined, TODAY, "3 4 6 9 13 17 24"],
    ["ES", undefined, TODAY, "4 10 21"],
    // Where there is no VAT of the Union
    ["ES", "35001", TODAY, ""],
    ["IC", undefined, TODAY, ""],
    ["ES", "51001", TODAY, ""],
    ["DE", "78266", TODAY, ""],
    ["FI", "22100", TODAY, ""],
    ["FR", "97400", TODAY, ""],
    ["GB", "SW1A 1AA", TODAY, ""],
    ["US", "10001", TODAY, ""],
    ["GB", "SW1A 1AA", "2020-12-31", ""],
    ["DE", "10115", "2021-06-30", ""],
  ])("%s %s on %s: %s", (country, postcode, day, expected) => {
    expect(ratesAt(country, postcode, day)).toBe(expected);
  });

  test.each([
    ["a state without regions is its own area", "DE", "10115", ["DE"]],
    ["a region is its own area", "PT", "9500-119", ["PT:azores"]],
    ["an unknown region may be each of its state", "PT", undefined, ["PT", "PT:azores", "PT:madeira"]],
    ["Monaco has the rates of mainland France", "MC", undefined, ["FR"]],
    ["outside there is no area", "US", undefined, []],
    ["the Canaries have no rates of VAT", "ES", "35001", []],
  ])("%s", (_, country, postcode, expected) => {
    const place = placeOf({ country, postcode }, civilDate(TODAY));
    expect(place && rateAreasOf(place)).toEqual(expected);
  });
});
