import { describe, expect, test } from "vitest";
import {
  isFoundBy,
  type SearchableInvoice,
  termsOf,
  wordsOf,
} from "../../../src/domain/invoice/invoice-entry.ts";

const INVOICE: SearchableInvoice = {
  fullNumber: "PED-T1-2026-000423",
  number: 423,
  orderId: "100987",
  orderReference: "#WEB-55501",
  customer: "García-Pérez S. L.",
  taxNumber: "BE0477472701",
};

const isFound = (search: string, invoice = INVOICE) => isFoundBy(wordsOf(invoice), termsOf(search));

describe("an invoice is found by", () => {
  test.each([
    ["its whole number", "PED-T1-2026-000423"],
    ["its number without leading zeros", "423"],
    ["the end of its number", "0423"],
    ["a part inside its number", "0042"],
    ["digits over year and number", "26000"],
    ["a part inside the order's id", "0098"],
    ["a part inside the order's reference", "550"],
    ["the end of the order's reference", "501"],
    ["its customer, without accents", "garcia"],
    ["its customer's VAT number without the country", "0477472701"],
    ["several words of it", "perez 0423"],
  ])("%s", (_, search) => {
    expect(isFound(search)).toBe(true);
  });
});

describe("an invoice is not found by", () => {
  test.each([
    ["two digits of its number", "42"],
    ["digits that are not side by side", "2623"],
    ["a part inside a name", "arcia"],
    ["a part inside a VAT number", "7747"],
    ["one word of two that is not there", "garcia 999"],
  ])("%s", (_, search) => {
    expect(isFound(search)).toBe(false);
  });
});

test("the words of an invoice stay few, with the longest texts that a caller may send", () => {
  const long = { fullNumber: `A-${"1".repeat(50)}`, number: 1, orderId: "7".repeat(1_000) };
  expect(wordsOf({ ...long, externalId: "9".repeat(255) }).length).toBeLessThan(80);
});
