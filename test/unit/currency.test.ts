import { expect, test } from "vitest";
import { currencyDecimals } from "../../src/domain/shared/currency.ts";

test.each([
  ["EUR", 2],
  ["USD", 2],
  ["JPY", 0],
  ["CLP", 0],
  ["KWD", 3],
  ["TND", 3],
  ["CLF", 4],
  ["eur", undefined],
  ["EURO", undefined],
  ["HRK", undefined],
  ["XAU", undefined],
  ["XXX", undefined],
  ["", undefined],
  ["toString", undefined],
])("%s has %s decimals", (code, decimals) => {
  expect(currencyDecimals(code)).toBe(decimals);
});
