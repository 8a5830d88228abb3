/** Invoices of any content are valid in every format that they may have. `npm run prove:einvoice` tries more. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANY_STEPS, anyInvoice } from "../../support/builders/random-invoices.ts";
import { electronicFilesOf } from "../../support/einvoice/electronic-files.ts";
import { rulesFolder } from "../../support/einvoice/rules.ts";
import { schemaErrors } from "../../support/einvoice/schemas.ts";
import { findingsIn, openValidator } from "../../support/einvoice/validator.ts";

const INVOICES = 1_000;
/** The rules take a tenth of a second for a file. */
const RULED = 50;
const SEED = 20_261_130;

const files = fc
  .sample(ANY_STEPS, { seed: SEED, numRuns: INVOICES })
  .map((steps) => electronicFilesOf(anyInvoice(steps)));

test("every invoice has a Facturae, and many have UBL for both profiles", () => {
  const count = (format: string) => files.flat().filter((file) => file.format === format).length;
  expect(count("facturae")).toBe(INVOICES);
  expect(count("ubl")).toBeGreaterThan(INVOICES / 3);
  expect(count("ubl_peppol")).toBeGreaterThan(INVOICES / 3);
});

describe.skipIf(rulesFolder === undefined)("valid", () => {
  test("by the schemas, each of them", () => {
    for (const [index, of] of files.entries())
      for (const { format, xml } of of)
        expect([index, format, schemaErrors(xml)]).toEqual([index, format, []]);
  });

  test("by the rules of EN 16931 and Peppol without a warning, a spread of them", async () => {
    const check = await openValidator();
    const all = [...files.entries()].filter(([, of]) => of.some(({ format }) => format === "ubl"));
    const spread = all.filter((_, place) => place % Math.floor(all.length / RULED) === 0);
    expect(spread.length).toBeGreaterThanOrEqual(RULED);
    for (const [index, of] of spread) {
      for (const { format, xml } of of) {
        const found = findingsIn(check(xml, { peppol: format === "ubl_peppol" }));
        expect([index, format, found]).toEqual([index, format, []]);
      }
    }
  });
});
