import { expect, test } from "vitest";
import {
  isCurrencyCode,
  quotedOn,
  type ReferenceRate,
  rateFrom,
  rateOn,
} from "../../../src/domain/exchange/reference-rate.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";

const ROWS: readonly ReferenceRate[] = [
  aRow("2026-03-04", "USD", "1.1649"),
  aRow("2026-03-05", "USD", "1.1618"),
  aRow("2025-12-31", "BGN", "1.9558"),
  aRow("2026-03-05", "XAF", "655.957"),
  aRow("2026-03-04", "JPY", "183.02"),
];

test.each<[string, string, string, object]>([
  ["that day's own", "2026-03-05", "USD", { outcome: "found", rate: "1.1618" }],
  ["an older day's own", "2026-03-04", "USD", { outcome: "found", rate: "1.1649" }],
  ["no row of that day: never an older one", "2026-03-06", "USD", { outcome: "not_yet" }],
  ["a row without the currency", "2026-03-05", "JPY", { outcome: "not_yet" }],
  ["a currency that the ECB does not quote", "2026-03-05", "ARS", { outcome: "not_quoted" }],
  ["a former currency, while it was quoted", "2025-12-31", "BGN", { outcome: "found", rate: "1.9558" }],
  ["a former currency, row still missing", "2025-12-30", "BGN", { outcome: "not_yet" }],
  ["a former currency, since", "2026-01-02", "BGN", { outcome: "not_quoted" }],
  ["a row outranks the list", "2026-03-05", "XAF", { outcome: "found", rate: "655.957" }],
])("%s", (_, date, currency, expected) => {
  const day = civilDate(date);
  expect(rateOn(day, currency, ROWS, quotedOn(day))).toEqual(expected);
});

test.each([
  ["2022-03-01", 31, ["BGN", "RUB"]],
  ["2022-03-02", 30, ["BGN"]],
  ["2025-12-31", 30, ["BGN"]],
  ["2026-01-01", 29, []],
])("on %s the ECB quotes %i currencies", (date, count, departing) => {
  const quoted = quotedOn(civilDate(date));
  expect(quoted.size).toBe(count);
  expect(["BGN", "RUB"].filter((currency) => quoted.has(currency))).toEqual(departing);
});

test.each([
  ["1.1618", "1.1618"],
  ["395.10", "395.1"],
  ["19644.7", "19644.7"],
  ["0", undefined],
  ["0.0000", undefined],
  ["-1.1", undefined],
  ["+1.1", undefined],
  ["1e3", undefined],
  ["1,1", undefined],
  [".5", undefined],
  ["1.", undefined],
  ["1234567890", undefined],
  ["١", undefined],
  ["", undefined],
])("the rate %j is read as %j", (source, expected) => {
  expect(rateFrom(source)).toBe(expected);
});

test.each([
  ["USD", true],
  ["XYZ", true],
  ["usd", false],
  ["US", false],
  ["USDT", false],
  ["US1", false],
  ["USD\n", false],
])("%j has the form of a currency: %j", (name, expected) => {
  expect(isCurrencyCode(name)).toBe(expected);
});

function aRow(day: string, currency: string, rate: string): ReferenceRate {
  return { day: civilDate(day), currency, rate: decimal(rate) };
}
