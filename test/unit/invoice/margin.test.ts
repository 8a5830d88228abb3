/** Sales taxed by their margin: used goods (03) and travel agencies (05). */
import { describe, expect, test } from "vitest";
import { type OwnerRectification, rectificationOf } from "../../../src/domain/invoice/owner-rectification.ts";
import { documentStatus } from "../../../src/domain/invoice/rectifiable.ts";
import type { InvoiceRequest, RequestLine } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  altaOf,
  cancelling,
  groupsIn,
  issueAll,
  issued,
  outcomeOf,
  recordTotalsIn,
  refusalOf,
  type State,
  totalsIn,
  totalsInEur,
} from "../../support/builders/direct-invoicing.ts";
import { withDocument } from "../../support/builders/issued-samples.ts";
import { aRequest, aTicket, correcting, elsewhere, linesOf } from "../../support/builders/requests.ts";

/** `used("1x10@21", "1")`: the price, and how much of it is margin. */
function used(text: string, margin: string, change: Partial<RequestLine> = {}): RequestLine[] {
  return linesOf(text, { regime: "03", taxableMargin: decimal(margin), ...change });
}

const GROSS = { pricesIncludeTax: true } as const;
const SALE = aRequest("e1", { ...GROSS, lines: used("1x10@21", "1") });
const PLAIN = linesOf("1x10@21", { regime: "03" });

function back(lines: readonly RequestLine[], change: Partial<InvoiceRequest> = {}): InvoiceRequest {
  return correcting({ ...SALE, externalId: "back", lines }, ["e1"], change);
}

function instead(lines: readonly RequestLine[], change: Partial<InvoiceRequest> = {}): InvoiceRequest {
  return back(lines, { rectificationMethod: "substitution", ...change });
}

test("sold for 10.00 with a margin of 1.00: 0.83 and 0.17 in the record, 10.00 in its total and on the invoice", () => {
  const view = issued(SALE);
  expect(groupsIn(view)).toEqual(["21: 0.83 / 0.17"]);
  expect(view.document.totals).toEqual({
    base: "0.83",
    tax: "0.17",
    surcharge: "0",
    outsideMargin: "9",
    total: "10",
  });
  expect(altaOf(view)).toMatchObject({
    breakdown: [
      { tax: "01", regime: "03", qualification: "S1", rate: "21.00", base: "0.83", taxAmount: "0.17" },
    ],
    taxTotal: "0.17",
    total: "10.00",
  });
});

test.each<[string, readonly RequestLine[], string, string]>([
  ["all of the price", used("1x10@21", "10"), "8.26 / 1.74 / 10.00", "1.74 / 10.00"],
  ["nothing, of a sale at a loss", used("1x10@21", "0"), "0.00 / 0.00 / 10.00", "0.00 / 10.00"],
  [
    "several lines are one base",
    [...used("1x10@21", "1"), ...used("3x20@21", "6.5")],
    "6.20 / 1.30 / 70.00",
    "1.30 / 70.00",
  ],
  [
    "a return in the same invoice",
    [...used("2x10@21", "2"), ...used("-1x10@21", "-1")],
    "0.83 / 0.17 / 10.00",
    "0.17 / 10.00",
  ],
  [
    "after the discount",
    used("1x20@21", "10", { discountRate: decimal("50") }),
    "8.26 / 1.74 / 10.00",
    "1.74 / 10.00",
  ],
  ["travel agencies", used("1x10@21", "1", { regime: "05" }), "0.83 / 0.17 / 10.00", "0.17 / 10.00"],
  [
    "parts of a cent count together",
    [...used("1x10@21", "0.505"), ...used("1x10@21", "0.505")],
    "0.83 / 0.18 / 20.00",
    "0.18 / 20.00",
  ],
  [
    "next to ordinary taxed lines",
    [...used("1x10@21", "1"), ...linesOf("1x121@21")],
    "100.83 / 21.17 / 131.00",
    "21.17 / 131.00",
  ],
])("the margin is %s", (_, lines, totals, recorded) => {
  const view = issued(aRequest("e1", { ...GROSS, lines }));
  expect(totalsIn(view)).toBe(totals);
  expect(recordTotalsIn(view)).toBe(recorded);
});

test("IGIC has the scheme too", () => {
  const settings = { territory: "canarias", timeZone: "Atlantic/Canary" } as const;
  const view = issued(aRequest("e1", { ...GROSS, lines: used("1x10@7", "1.07") }), { settings });
  expect(totalsIn(view)).toBe("1.00 / 0.07 / 10.00");
});

test("another currency: base, tax and the untaxed part are converted separately", () => {
  const dollars = {
    currency: "USD",
    exchangeRate: decimal("1.1"),
    exchangeRateDate: civilDate("2026-11-26"),
  };
  const view = issued({ ...SALE, ...dollars });
  expect(totalsIn(view)).toBe("0.83 / 0.17 / 10.00");
  expect(totalsInEur(view)).toBe("0.75 / 0.15 / 9.08");
  expect(recordTotalsIn(view)).toBe("0.15 / 9.08");
});

test("the limits of simplified invoices are those of the price", () => {
  const ticket = (price: string) => aTicket("e1", { ...GROSS, lines: used(`1x${price}@21`, "1") });
  expect(outcomeOf(ticket("400"))).toBe("issued");
  expect(outcomeOf(ticket("400.01"))).toBe("simplified_limit_exceeded");
});

describe("what the lines must say", () => {
  test.each<[string, Partial<InvoiceRequest>, string, string | undefined]>([
    ["no margin", { ...GROSS, lines: PLAIN }, "taxable_margin_required", "lines.0.taxable_margin"],
    [
      "no margin, of a travel agency",
      { ...GROSS, lines: linesOf("1x10@21", { regime: "05" }) },
      "taxable_margin_required",
      "lines.0.taxable_margin",
    ],
    [
      "one line of two",
      { ...GROSS, lines: [...used("1x10@21", "1"), ...PLAIN] },
      "taxable_margin_required",
      "lines.1.taxable_margin",
    ],
    ["net prices", { lines: used("1x10@21", "1") }, "taxable_margin_required", "prices_include_tax"],
    [
      "regime 01",
      { ...GROSS, lines: used("1x10@21", "1", { regime: "01" }) },
      "taxable_margin_not_allowed",
      "lines.0.taxable_margin",
    ],
    [
      "the regime of the account",
      { ...GROSS, lines: linesOf("1x10@21", { taxableMargin: decimal("1") }) },
      "taxable_margin_not_allowed",
      "lines.0.taxable_margin",
    ],
    [
      "an exempt sale",
      { lines: used("1x10@0", "1", { qualification: "E1" }) },
      "taxable_margin_not_allowed",
      "lines.0.taxable_margin",
    ],
    [
      "more than the price",
      { ...GROSS, lines: used("1x10@21", "10.01") },
      "taxable_margin_out_of_range",
      "lines.0.taxable_margin",
    ],
    [
      "less than nothing",
      { ...GROSS, lines: used("1x10@21", "-0.01") },
      "taxable_margin_out_of_range",
      "lines.0.taxable_margin",
    ],
    [
      "a return with a margin above zero",
      { ...GROSS, lines: [...used("2x10@21", "2"), ...used("-1x10@21", "1")] },
      "taxable_margin_out_of_range",
      "lines.1.taxable_margin",
    ],
    [
      "an equivalence surcharge",
      { ...GROSS, lines: used("1x10@21", "1", { surchargeRate: decimal("5.2") }) },
      "surcharge_not_allowed",
      "lines.0.equivalence_surcharge_rate",
    ],
    [
      "an exempt sale without it",
      { lines: linesOf("1x10@0", { regime: "03", qualification: "E1" }) },
      "issued",
      undefined,
    ],
  ])("%s: %s", (_, change, code, path) => {
    const request = aRequest("e1", change);
    expect(outcomeOf(request)).toBe(code);
    if (path !== undefined) expect(refusalOf(request)).toMatchObject({ path });
  });
});

describe("by difference price and margin are taken apart", () => {
  test.each<[string, readonly RequestLine[], string]>([
    ["all of it", used("-1x10@21", "-1"), "-0.83 / -0.17 / -10.00"],
    ["a price reduction, which is all margin", used("-1x0.4@21", "-0.4"), "-0.33 / -0.07 / -0.40"],
    ["a part of both", used("-1x5@21", "-0.5"), "-0.41 / -0.09 / -5.00"],
    ["price without margin", used("-1x9@21", "0"), "0.00 / 0.00 / -9.00"],
    ["more margin than there is", used("-1x5@21", "-1.01"), "rectification_exceeds"],
    ["more price than there is", used("-1x10.01@21", "-1"), "rectification_exceeds"],
    ["more of the untaxed part than there is", used("-1x9.5@21", "0"), "rectification_exceeds"],
    ["no margin stated", linesOf("-1x10@21", { regime: "03" }), "taxable_margin_required"],
    [
      "the same without regime, of which nothing was sold",
      linesOf("-1x10@21", { regime: "01" }),
      "rectification_exceeds",
    ],
  ])("%s", (_, lines, expected) => {
    const steps = [SALE, back(lines)];
    if (/\d/.test(expected)) expect(totalsIn(issued(steps))).toBe(expected);
    else expect(outcomeOf(steps)).toBe(expected);
  });

  test("parts add up to the exact negative of the whole", () => {
    const part = (id: string) => ({ ...back(used("-1x3@21", "-0.3")), externalId: id });
    const steps = [
      SALE,
      part("p1"),
      part("p2"),
      part("p3"),
      { ...back(used("-1x1@21", "-0.1")), externalId: "p4" },
    ];
    const books = issueAll(steps);
    const totals = books.outcomes
      .slice(1)
      .map((outcome) => totalsIn("invoice" in outcome ? outcome.invoice : fail()));
    expect(totals).toEqual([
      "-0.25 / -0.05 / -3.00",
      "-0.25 / -0.05 / -3.00",
      "-0.25 / -0.05 / -3.00",
      "-0.08 / -0.02 / -1.00",
    ]);
    expect(standingOf(books)).toEqual({ is: "rectified" });
  });

  test("the remainder of the untaxed part alone is still open", () => {
    expect(standingOf(issueAll([SALE, back(used("-1x1@21", "-1"))]))).toEqual({ is: "partially_rectified" });
    expect(standingOf(issueAll([SALE, back(used("-1x9@21", "0"))]))).toEqual({ is: "partially_rectified" });
  });

  test("the refusal names the margin where the price would fit", () => {
    const { facts } = refusalOf([SALE, back(used("-1x5@21", "-1.01"))]);
    expect(facts).toMatchObject({
      requested: { phrase: "of_margin", amount: { amount: "1.01", currency: "EUR" } },
      remaining: { phrase: "of_margin", amount: { amount: "1.00", currency: "EUR" } },
    });
  });

  test("the refusal names the untaxed part where both price and margin would fit", () => {
    expect(refusalOf([SALE, back(used("-1x9.5@21", "0"))]).facts).toMatchObject({
      requested: { phrase: "outside_margin", amount: { amount: "9.50", currency: "EUR" } },
      remaining: { phrase: "outside_margin", amount: { amount: "9.00", currency: "EUR" } },
    });
    expect(refusalOf([SALE, back(used("-1x11@21", "-1"))]).facts).toMatchObject({
      requested: { amount: "11.00", currency: "EUR" },
      remaining: { amount: "10.00", currency: "EUR" },
    });
  });

  test("an increase of price that was drawn on cannot be cancelled", () => {
    const more = { ...back(used("1x5@21", "0")), externalId: "more" };
    const less = { ...back(used("-1x12@21", "0")), externalId: "less" };
    expect(outcomeOf([SALE, more, less, cancelling("more")])).toBe("cancellation_exceeds");
    expect(outcomeOf([SALE, more, cancelling("more")])).toBe("cancelled");
  });

  test("for an invoice issued elsewhere the stated amounts limit the margin", () => {
    const cited = { rectifies: [elsewhere({ base: decimal("0.83"), tax: decimal("0.17") })] };
    expect(totalsIn(issued(back(used("-1x10@21", "-1"), cited)))).toBe("-0.83 / -0.17 / -10.00");
    expect(outcomeOf(back(used("-1x10@21", "-1.01"), cited))).toBe("rectification_exceeds");
  });
});

describe("by substitution", () => {
  test("the new price and margin replace the old, with the record repeating their base and tax", () => {
    const view = issued([SALE, instead(used("1x9@21", "0.5"))]);
    expect(totalsIn(view)).toBe("0.41 / 0.09 / 9.00");
    expect(altaOf(view)).toMatchObject({ rectifiedAmounts: { base: "0.83", tax: "0.17" }, total: "9.00" });
  });

  test.each<[string, readonly RequestLine[], string]>([
    ["needs the margin", PLAIN, "taxable_margin_required"],
    ["is never below zero", used("-1x10@21", "0"), "substitution_negative"],
    ["by nothing", used("1x0@21", "0"), "issued"],
  ])("%s: %s", (_, lines, expected) => {
    expect(outcomeOf([SALE, instead(lines)])).toBe(expected);
  });
});

describe("an F3", () => {
  const ticket = { ...aTicket("t1", { ...GROSS, lines: used("1x10@21", "1") }) };
  const f3 = (lines: readonly RequestLine[]) =>
    aRequest("f3", { ...GROSS, invoiceType: "F3", rectifies: [{ externalId: "t1" }], lines });

  test.each<[string, readonly RequestLine[], string]>([
    ["takes price and margin over", used("1x10@21", "1"), "issued"],
    ["another margin", used("1x10@21", "1.2"), "replaced_amount_mismatch"],
    ["another price", used("1x10.01@21", "1"), "replaced_amount_mismatch"],
    ["no margin", PLAIN, "taxable_margin_required"],
  ])("%s: %s", (_, lines, expected) => {
    expect(outcomeOf([ticket, f3(lines)])).toBe(expected);
  });

  test("has the total of the ticket", () => {
    expect(totalsIn(issued([ticket, f3(used("1x10@21", "1"))]))).toBe("0.83 / 0.17 / 10.00");
  });
});

describe("an invoice from before margins were asked for", () => {
  const after = issuedWithoutMargin();

  test.each<[string, InvoiceRequest, string]>([
    [
      "is corrected by difference as it was issued",
      back(linesOf("-1x10@21", { regime: "03" })),
      "-8.26 / -1.74 / -10.00",
    ],
    ["takes no margin by difference", back(used("-1x10@21", "-1")), "taxable_margin_not_allowed"],
    ["may be substituted as it was", instead(linesOf("1x9@21", { regime: "03" })), "7.44 / 1.56 / 9.00"],
    ["is put right by substitution", instead(used("1x10@21", "1")), "0.83 / 0.17 / 10.00"],
    [
      "but with the margin of every line",
      instead([...used("1x10@21", "1"), ...PLAIN]),
      "taxable_margin_required",
    ],
  ])("%s", (_, request, expected) => {
    if (/\d/.test(expected)) expect(totalsIn(issued(request, { after }))).toBe(expected);
    else expect(outcomeOf(request, { after })).toBe(expected);
  });
});

describe("from the console", () => {
  const ask = (method: OwnerRectification["method"], amount: string) => {
    const books = issueAll([SALE]);
    const stored = books.invoices.get("direct:e1");
    if (!stored) throw new Error("the invoice was issued");
    const registered = altaOf(stored.view);
    const request = rectificationOf(
      {
        ...{ externalId: "console:1", invoiceType: "R1", method, cause: "Devolución" },
        amounts: [{ group: "01|03|S1|21|", amount: decimal(amount) }],
      },
      { document: stored.view.document, rectifiable: stored.rectifiable, registered, content: registered },
    );
    return request.ok ? totalsIn(issued(request.value, { after: books })) : request.error.code;
  };

  test.each<[OwnerRectification["method"], string, string]>([
    ["difference", "10", "-0.83 / -0.17 / -10.00"],
    ["difference", "4", "rectification_margin_unknown"],
    ["substitution", "10", "0.83 / 0.17 / 10.00"],
    ["substitution", "0", "0.00 / 0.00 / 0.00"],
    ["substitution", "9", "rectification_margin_unknown"],
  ])("by %s, %s of the price: %s", (method, amount, expected) => {
    expect(ask(method, amount)).toBe(expected);
  });
});

/** As earlier releases issued it: its whole price was taxed. */
function issuedWithoutMargin(): State {
  const books = issueAll([{ ...SALE, lines: linesOf("1x10@21") }]);
  const stored = books.invoices.get("direct:e1");
  if (!stored) throw new Error("the invoice was issued");
  const groups = stored.view.document.groups.map((group) => ({ ...group, regime: "03" }));
  const view = withDocument(stored.view, { groups, request: { ...SALE, lines: PLAIN } });
  return {
    ...books,
    invoices: new Map([["direct:e1", { view, rectifiable: { ...stored.rectifiable, groups } }]]),
  };
}

function standingOf({ invoices }: State) {
  const stored = invoices.get("direct:e1");
  if (!stored) throw new Error("the invoice was issued");
  return documentStatus(stored.rectifiable);
}

function fail(): never {
  throw new Error("it was issued");
}
