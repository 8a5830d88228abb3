/** A Facturae of any invoice: valid by its schema, and its amounts add up by BigInt. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { facturaeXml } from "../../../src/domain/einvoice/facturae/facturae-xml.ts";
import { formatRefusals } from "../../../src/domain/einvoice/formats.ts";
import { electronicInvoiceOf } from "../../../src/domain/einvoice/view.ts";
import { toFixed } from "../../../src/domain/shared/decimal.ts";
import { unitsOf } from "../../support/builders/facts.ts";
import { ANY_STEPS, anyInvoice } from "../../support/builders/random-invoices.ts";
import { facturaeErrors, textsAt } from "../../support/einvoice/facturae-file.ts";
import { rulesFolder } from "../../support/einvoice/rules.ts";
import { often } from "../../support/rules/often.ts";

const SCALE = 8;

test("any invoice is valid by the XSD, and its totals are sums of its parts and those of the document", () => {
  fc.assert(
    fc.property(ANY_STEPS, (steps) => {
      const view = anyInvoice(steps);
      const invoice = electronicInvoiceOf(view);
      expect(formatRefusals(invoice, "facturae")).toEqual([]);
      const xml = facturaeXml(invoice);
      if (rulesFolder !== undefined) expect(facturaeErrors(xml)).toEqual([]);
      const all = (path: string) => textsAt(xml, path).map((text) => unitsOf(text, SCALE));
      const one = (path: string) => all(path).reduce((total, amount) => total + amount, 0n);
      const totals = (name: string) => one(`InvoiceTotals/${name}`);
      const base = one("Invoice/TaxesOutputs/Tax/TaxableBase/TotalAmount");
      const tax = one("Invoice/TaxesOutputs/Tax/TaxAmount/TotalAmount");
      const surcharge = one("Invoice/TaxesOutputs/Tax/EquivalenceSurchargeAmount/TotalAmount");
      expect(one("InvoiceLine/GrossAmount")).toBe(base);
      expect(totals("TotalGrossAmountBeforeTaxes")).toBe(base);
      expect(totals("TotalTaxOutputs")).toBe(tax + surcharge);
      const withheld = totals("TotalTaxesWithheld");
      expect(totals("InvoiceTotal")).toBe(base + tax + surcharge - withheld);
      const { total } = view.document.totals;
      expect(totals("InvoiceTotal") + withheld).toBe(unitsOf(toFixed(total, SCALE), SCALE));
      const left = totals("InvoiceTotal") - totals("TotalPaymentsOnAccount");
      expect(totals("TotalOutstandingAmount")).toBe(left);
      expect(totals("TotalExecutableAmount")).toBe(left + totals("TotalReimbursableExpenses"));
      for (const discount of all("InvoiceLine/DiscountsAndRebates/Discount/DiscountAmount")) {
        expect(discount >= 0n || invoice.correction !== undefined).toBe(true);
      }
    }),
    often(1_000),
  );
});
