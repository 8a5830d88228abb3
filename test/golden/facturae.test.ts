/** The Facturae of every kind of invoice: valid by its schema, and the same in every release. */
import { describe, expect, test } from "vitest";
import { facturaeXml } from "../../src/domain/einvoice/facturae/facturae-xml.ts";
import { formatRefusals } from "../../src/domain/einvoice/formats.ts";
import { electronicInvoiceOf } from "../../src/domain/einvoice/view.ts";
import type { InvoiceView } from "../../src/domain/invoice/invoice-view.ts";
import { isOss } from "../../src/domain/invoice/tax-groups.ts";
import { add, decimal, toFixed } from "../../src/domain/shared/decimal.ts";
import { sha256Hex } from "../../src/domain/shared/hash.ts";
import { presentInvoice } from "../../src/viewer/presentation/invoice-presentation.ts";
import { altaOf, issueAll, viewOf } from "../support/builders/direct-invoicing.ts";
import { EVERY_KIND } from "../support/builders/every-kind.ts";
import * as samples from "../support/builders/issued-samples.ts";
import { facturaeErrors, textsAt } from "../support/einvoice/facturae-file.ts";
import { rulesFolder } from "../support/einvoice/rules.ts";

const SAMPLES: readonly (readonly [string, InvoiceView])[] = [
  ["full", samples.full()],
  ["four rates", samples.fourRates()],
  ["sterling", samples.sterling()],
  ["substitution", samples.substitution()],
  ["replacement", samples.replacement()],
  ["qualified", samples.qualified()],
  ["untaxed", samples.untaxed()],
  ["cash accounting", samples.cashAccounting()],
  ["disbursed", samples.disbursed()],
  ["used goods", samples.usedGoods()],
  ["corrected trip", samples.correctedTrip()],
  ["300 lines", samples.manyLines(300)],
];

const KINDS = EVERY_KIND.flatMap(([territory, settings, steps]) =>
  issueAll(steps, { settings })
    .outcomes.filter((outcome) => outcome.outcome === "issued")
    .map((outcome) => viewOf(outcome))
    .map((view) => [`${territory}: ${view.externalId}`, view] as const),
);

const ALL = [...SAMPLES, ...KINDS];
const EXPRESSIBLE = ALL.filter(([, view]) => refusalsOf(view).length === 0);

describe.skipIf(rulesFolder === undefined)("the schema of Facturae 3.2.2", () => {
  test.each(EXPRESSIBLE)("accepts %s", (_, view) => {
    expect(facturaeErrors(xmlOf(view))).toEqual([]);
  });
});

test.each(EXPRESSIBLE)("%s has the totals of page and PDF, and those of its record", (_, view) => {
  const xml = xmlOf(view);
  const { document } = view;
  const [total = "", withheld = ""] = ["InvoiceTotal", "TotalTaxesWithheld"].flatMap((name) =>
    textsAt(xml, `InvoiceTotals/${name}`),
  );
  const whole = add(decimal(total), decimal(withheld));
  expect(whole).toBe(document.totals.total);
  const printed = presentInvoice(view, { language: "es" })
    .total.replace(/[^\d,−]/g, "")
    .replace(",", ".");
  expect(printed.replace("−", "-")).toBe(toFixed(whole, printed.split(".")[1]?.length ?? 0));
  if (
    document.request.currency === "EUR" &&
    !document.groups.some(({ tax, ...key }) => tax === "05" || isOss({ tax, ...key }))
  ) {
    expect(decimal(altaOf(view).total)).toBe(whole);
  }
});

test("every kind has the bytes that it had in the last release", async () => {
  const hashes = Object.fromEntries(EXPRESSIBLE.map(([name, view]) => [name, sha256Hex(xmlOf(view))]));
  await expect(`${JSON.stringify(hashes, null, 2)}\n`).toMatchFileSnapshot("facturae.snapshot.json");
});

test("only simplified invoices, and recipients without a whole address, have none", () => {
  const refused = ALL.filter(([, view]) => refusalsOf(view).length > 0).map(([name]) => name);
  const withoutAddress = ["f1person", "f1-03", "f1-04", "f1-05", "f1-06"];
  const withoutRecipient = ["f2", "f2b", "f2d", "t3", "r5", "r5d"];
  const mainland = [...withoutAddress, ...withoutRecipient].map((name) => `mainland: ${name}`);
  expect(refused).toEqual([...mainland, "Canary Islands: c5"]);
});

function refusalsOf(view: InvoiceView) {
  return formatRefusals(electronicInvoiceOf(view), "facturae");
}

function xmlOf(view: InvoiceView): string {
  return facturaeXml(electronicInvoiceOf(view));
}
