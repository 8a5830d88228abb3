/** Every kind of invoice has the same amounts in UBL, Facturae, record and PDF, to the cent. */
import { describe, expect, test } from "vitest";
import type { InvoiceView } from "../../src/domain/invoice/invoice-view.ts";
import { scaleOf } from "../../src/domain/invoice/prepare.ts";
import { isOfMargin, isOss } from "../../src/domain/invoice/tax-groups.ts";
import {
  add,
  type Decimal,
  decimal,
  isZero,
  negate,
  subtract,
  toFixed,
  ZERO,
} from "../../src/domain/shared/decimal.ts";
import { viewerPdf } from "../../src/viewer/viewer.tsx";
import { numberText } from "../../src/words/words.ts";
import { altaOf } from "../support/builders/direct-invoicing.ts";
import { electronicFilesOf } from "../support/einvoice/electronic-files.ts";
import { everyKind } from "../support/einvoice/kinds.ts";
import { type Found, readXml } from "../support/einvoice/read-xml.ts";
import { pagesOf } from "../support/rules/pdf.ts";

/** What a document says, by the sum of rate and surcharge; without a rate 0. */
interface Amounts {
  readonly base: Decimal;
  readonly total: Decimal;
  readonly byRate: Readonly<Record<string, readonly [base: Decimal, tax: Decimal]>>;
}

type Group = readonly [rate: Decimal, base: Decimal, tax: Decimal];

function byRate(groups: readonly Group[]): Amounts["byRate"] {
  const sums = new Map<string, readonly [Decimal, Decimal]>();
  for (const [rate, base, tax] of groups) {
    const [before, taxBefore] = sums.get(rate) ?? [ZERO, ZERO];
    sums.set(rate, [add(before, base), add(taxBefore, tax)]);
  }
  return Object.fromEntries([...sums].toSorted(([a], [b]) => Number(a) - Number(b)));
}

function sumOf(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce(add, ZERO);
}

const textIn = (found: Found, path: string) => decimal(found.all(path)[0] ?? "0");

/** A credit note says a refund as a positive amount. */
function inUbl(xml: string): Amounts {
  const file = readXml(xml);
  const signed = (amount: Decimal) => (file.root === "CreditNote" ? negate(amount) : amount);
  const groups = file.each("TaxTotal/TaxSubtotal").map((group): Group => {
    const [base, tax] = [textIn(group, "TaxableAmount"), textIn(group, "TaxAmount")];
    return [textIn(group, "TaxCategory/Percent"), signed(base), signed(tax)];
  });
  const lines = ["InvoiceLine", "CreditNoteLine"].flatMap((line) => file.all(`${line}/LineExtensionAmount`));
  const base = signed(decimal(file.one("LegalMonetaryTotal/TaxExclusiveAmount")));
  expect(signed(sumOf(lines.map(decimal)))).toBe(base);
  return {
    base,
    total: signed(decimal(file.one("LegalMonetaryTotal/TaxInclusiveAmount"))),
    byRate: byRate(groups),
  };
}

/** The total of a Facturae is less what is withheld, which no other document takes off. */
function inFacturae(xml: string, amount: "TotalAmount" | "EquivalentInEuros" = "TotalAmount"): Amounts {
  const file = readXml(xml);
  const groups = file.each("Invoice/TaxesOutputs/Tax").map((group): Group => {
    const surcharge = textIn(group, `EquivalenceSurchargeAmount/${amount}`);
    return [
      add(textIn(group, "TaxRate"), textIn(group, "EquivalenceSurcharge")),
      textIn(group, `TaxableBase/${amount}`),
      add(textIn(group, `TaxAmount/${amount}`), surcharge),
    ];
  });
  const base = textIn(file, "InvoiceTotals/TotalGrossAmountBeforeTaxes");
  expect(sumOf(file.all("InvoiceLine/GrossAmount").map(decimal))).toBe(base);
  const withheld = textIn(file, "InvoiceTotals/TotalTaxesWithheld");
  return { base, total: add(textIn(file, "InvoiceTotals/InvoiceTotal"), withheld), byRate: byRate(groups) };
}

function inRecord(view: InvoiceView): Amounts {
  const { breakdown, total } = altaOf(view);
  const groups = breakdown.map(
    ({ rate = "0", surchargeRate = "0", base, taxAmount = "0", surchargeAmount = "0" }): Group => [
      add(decimal(rate), decimal(surchargeRate)),
      decimal(base),
      add(decimal(taxAmount), decimal(surchargeAmount)),
    ],
  );
  return { base: sumOf(groups.map(([, base]) => base)), total: decimal(total), byRate: byRate(groups) };
}

/** Every figure that the PDF prints, and those behind the word Total. */
async function printedIn(view: InvoiceView) {
  const pages = await pagesOf(await viewerPdf(view, { language: "es", creator: "test" }));
  const text = pages.join("\n");
  const figures = /[−-]?\d+(?:\.\d{3})*(?:,\d+)?/g;
  const totals = [...text.matchAll(/\bTotal\b.*\n?.*/g)].flatMap(([line]) => line.match(figures) ?? []);
  return { all: new Set(text.match(figures)), totals };
}

const written = (amount: Decimal, places: number) => numberText(toFixed(amount, places), "es");

const KINDS = everyKind().map(({ name, view }) => {
  const files = electronicFilesOf(view);
  return { name, view, xml: (format: string) => files.find((file) => file.format === format)?.xml };
});

/** Groups whose amounts the record has otherwise: the one-stop shop, the margin scheme, other taxes. */
function isOtherwiseInRecord({ document }: InvoiceView): boolean {
  return document.groups.some((group) => group.tax === "05" || isOss(group) || isOfMargin(group.amounts));
}

/** Rate and surcharge of a group as the files add them; without tax they say 0. */
function rateOf(
  { rate, surchargeRate = ZERO, amounts }: InvoiceView["document"]["groups"][number],
  of: string,
) {
  const sum = add(rate, surchargeRate);
  return of === ZERO && isZero(amounts.tax) ? ZERO : sum;
}

describe("the same amounts to the cent", () => {
  test.each(KINDS.map((kind) => [kind.name, kind] as const))("%s", async (_, { view, xml }) => {
    const [ubl, facturae] = [xml("ubl"), xml("facturae")];
    const documents = [
      ...(ubl === undefined ? [] : [inUbl(ubl)]),
      ...(facturae === undefined ? [] : [inFacturae(facturae)]),
    ];
    for (const document of documents) expect(document).toEqual(documents[0]);
    expect(documents.map(({ total }) => total)).toEqual(documents.map(() => view.document.totals.total));
    const isInEuros = view.document.request.currency === "EUR";
    if (!isOtherwiseInRecord(view)) {
      const record = inRecord(view);
      if (isInEuros) for (const document of documents) expect(document).toEqual(record);
      else if (facturae !== undefined)
        expect(inFacturae(facturae, "EquivalentInEuros").byRate).toEqual(record.byRate);
    }
    const printed = await printedIn(view);
    const places = scaleOf(view.document.request.currency);
    for (const { total, byRate: groups } of documents) {
      expect(printed.totals).toContain(written(total, places));
      if (view.document.groups.some(({ amounts }) => isOfMargin(amounts))) continue;
      for (const [rate, [base, tax]] of Object.entries(groups)) {
        const [group, ...others] = view.document.groups.filter((one) => rateOf(one, rate) === rate);
        // Each group has a line of its own, the surcharge another, and no tax is no figure.
        if (!group || others.length > 0) continue;
        const { surcharge } = group.amounts;
        expect(printed.all).toContain(written(base, places));
        if (isZero(tax)) continue;
        expect(printed.all).toContain(written(subtract(tax, surcharge), places));
        if (!isZero(surcharge)) expect(printed.all).toContain(written(surcharge, places));
      }
    }
  });

  test("of most kinds, in each format", () => {
    const counts = ["ubl", "ubl_peppol", "facturae"].map(
      (format) => KINDS.filter(({ xml }) => xml(format) !== undefined).length,
    );
    expect(Math.min(...counts)).toBeGreaterThan(80);
  });
});
