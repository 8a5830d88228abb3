import { expect, test } from "vitest";
import { typedAmount } from "../../../src/web/pages/invoices/typed-amount.ts";

test.each([
  ["1.234,56", "es", "1234.56"],
  ["1.234", "es", "1234"],
  ["12,5", "es", "12.5"],
  ["12.5", "es", "12.5"],
  [" 1.234.567,8 € ", "es", "1234567.8"],
  ["1,234.56", "en", "1234.56"],
  ["1,234", "en", "1234"],
  ["12.5", "en", "12.5"],
  ["−1.234,56", "es", "-1234.56"],
  ["-12.5", "en", "-12.5"],
  ["uno", "es", "uno"],
] as const)("%s in %s is %s", (typed, language, exact) => {
  expect(typedAmount(typed, language)).toBe(exact);
});
