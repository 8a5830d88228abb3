/** Errors of the AEAT that the shape of a request already excludes: no such request reaches a rule. */
import { expect, test } from "vitest";
import { shapeProblems } from "../../support/sent-invoice.ts";

const BODY = `{ "external_id": "e1", "invoice_type": "R1", "description": "Devolución", "currency": "EUR",
  "rectification_method": "difference",
  "rectifies": [ { "number": "V/7", "issue_date": "2026-02-03", "invoice_type": "F1", "base": 100, "tax": 21 } ],
  "recipient": { "company": "Cliente SL", "vat_number": "B12345674", "country": "ES", "address1": "Calle 1",
    "postcode": "28001", "city": "Madrid" },
  "lines": [ { "description": "Silla", "quantity": -10, "price_unit": 1, "tax_rate": 21, "qualification": "S1",
    "type_tax": "01" } ] }`;

test.each<[number, string, string, string, string]>([
  [1101, "a country that does not exist", `"XX"`, `"ES"`, "recipient.country"],
  [1101, "EL for Greece", `"EL"`, `"ES"`, "recipient.country"],
  [
    1102,
    "a type of identifier that does not exist",
    `"id_type": "01", "city"`,
    `"city"`,
    "recipient.id_type",
  ],
  [1106, "a type of invoice that does not exist", `"F4"`, `"R1"`, "invoice_type"],
  [1107, "a method that does not exist", `"both"`, `"difference"`, "rectification_method"],
  [1114, "R1 without method", `null`, `"difference"`, "rectification_method"],
  [1115, "F1 with a method", `"F1"`, `"R1"`, "rectifies"],
  [1117, "F1 that rectifies", `"F1"`, `"R1"`, "rectifies"],
  [1104, "a cited number of 61 characters", `"${"9".repeat(61)}"`, `"V/7"`, "rectifies.0"],
  [1130, "a cited number with ñ", `"AÑO/7"`, `"V/7"`, "rectifies.0"],
  [1130, "a cited number with a no-break space", `"A\u00A07"`, `"V/7"`, "rectifies.0"],
  [1287, "a cited number with <", `"A<7"`, `"V/7"`, "rectifies.0"],
  [1287, "a cited number with an apostrophe", `"A'7"`, `"V/7"`, "rectifies.0"],
  [1145, "a date that does not exist", `"2026-02-30"`, `"2026-02-03"`, "rectifies.0"],
  [1181, "a qualification that does not exist", `"E9"`, `"S1"`, "lines.0.qualification"],
  [1218, "a tax that does not exist", `"04"`, `"01"`, "lines.0.type_tax"],
  [1100, "a control character", `"a\\u0007"`, `"Devolución"`, "description"],
  [4102, "an amount of 13 digits", `1000000000000`, `-10`, "lines.0.quantity"],
])("%i %s", (_, __, bad, good, path) => {
  expect(shapeProblems(BODY)).toEqual([]);
  expect(BODY).toContain(good);
  const problems = shapeProblems(BODY.replace(good, bad));
  expect(problems.some((problem) => problem.startsWith(path))).toBe(true);
});

test("4102 more than 1,000 cited invoices", () => {
  const cited = Array.from({ length: 1001 }, (_, index) => ({ external_id: `e${index}` }));
  const body = { ...JSON.parse(BODY), rectifies: cited };
  expect(shapeProblems(JSON.stringify(body))).toEqual(["rectifies"]);
});
