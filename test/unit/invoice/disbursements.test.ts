/** Suplidos: in addition to the total, never in it. */
import { describe, expect, test } from "vitest";
import { rectificationOf } from "../../../src/domain/invoice/owner-rectification.ts";
import type { Disbursement, InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { payableOf } from "../../../src/domain/invoice/totals.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { qrUrl } from "../../../src/domain/verifactu/record.ts";
import {
  altaOf,
  issueAll,
  issued,
  outcomeOf,
  recordTotalsIn,
  refusalOf,
  totalsIn,
} from "../../support/builders/direct-invoicing.ts";
import {
  anUnnamed,
  aQualified,
  aRequest,
  aTicket,
  correcting,
  linesOf,
} from "../../support/builders/requests.ts";

function disbursing(...amounts: readonly string[]): { readonly disbursements: readonly Disbursement[] } {
  return {
    disbursements: amounts.map((amount) => ({ description: "Tasa registral", amount: decimal(amount) })),
  };
}

const SALE = { lines: linesOf("1x1800@21") };

test("1800.00 at 21 % and 100.00 disbursed: record and QR say 2178.00, and 2278.00 are to be paid", () => {
  const view = issued(aRequest("e1", { ...SALE, ...disbursing("100") }));
  expect(totalsIn(view)).toBe("1800.00 / 378.00 / 2178.00");
  expect(recordTotalsIn(view)).toBe("378.00 / 2178.00");
  expect(altaOf(view).total).toBe("2178.00");
  const { key, total } = altaOf(view);
  expect(qrUrl({ environment: "test", key, total })).toContain("importe=2178.00");
  expect(payableOf(view.document)).toBe("2278");
});

test.each<[string, Partial<InvoiceRequest>, string | undefined]>([
  ["without anything in addition to the total there is no payable amount", {}, undefined],
  ["several add up", disbursing("62.5", "37.50"), "2278"],
  ["each is rounded to the cent", disbursing("0.005", "0.005"), "2178.02"],
  [
    "withholding is of the base, not of them",
    { ...disbursing("100"), withholdingRate: decimal("15") },
    "2008",
  ],
  [
    "in the decimals of the currency",
    {
      ...disbursing("100.5"),
      currency: "JPY",
      exchangeRate: decimal("160"),
      exchangeRateDate: civilDate("2026-11-26"),
    },
    "2279",
  ],
])("the payable amount: %s", (_, change, expected) => {
  expect(payableOf(issued(aRequest("e1", { ...SALE, ...change })).document)).toBe(expected);
});

test("gift cards reduce the payable amount", () => {
  const { document } = issued(aRequest("e1", { ...SALE, ...disbursing("100") }));
  const payments = [{ name: "Tarjeta regalo", amount: decimal("78") }];
  expect(payableOf({ ...document, payments })).toBe("2200");
});

describe("they are allowed on whole invoices", () => {
  const sale = aRequest("e1");
  const ticket = aTicket("t1");
  const substitution = { rectificationMethod: "substitution" } as const;
  test.each<[string, InvoiceRequest, string]>([
    ["F1", aRequest("e9"), "issued"],
    ["qualified F1", aQualified("e9"), "issued"],
    ["F2", aTicket("e9"), "issued"],
    ["F2 without recipient", anUnnamed("e9"), "issued"],
    ["F3", aRequest("e9", { invoiceType: "F3", rectifies: [{ externalId: "t1" }] }), "issued"],
    ["R1 by substitution", correcting(aRequest("e9"), ["e1"], substitution), "issued"],
    ["R5 by substitution", correcting(aTicket("e9"), ["t1"], substitution), "issued"],
    [
      "R1 by difference",
      correcting(aRequest("e9", { lines: linesOf("-1x1@21") }), ["e1"]),
      "disbursements_not_allowed",
    ],
    [
      "R5 by difference",
      correcting(aTicket("e9", { lines: linesOf("-1x1@21") }), ["t1"]),
      "disbursements_not_allowed",
    ],
  ])("%s: %s", (_, request, expected) => {
    expect(outcomeOf([sale, ticket, { ...request, ...disbursing("10") }])).toBe(expected);
  });

  test("the refusal names the member and the type", () => {
    const back = correcting(aRequest("e9", { lines: linesOf("-1x1@21") }), ["e1"], disbursing("10"));
    expect(refusalOf([sale, back])).toEqual({
      code: "disbursements_not_allowed",
      facts: { invoice_type: "R1" },
      path: "disbursements",
    });
  });
});

test("they count in no limit of simplified invoices", () => {
  expect(
    outcomeOf(aTicket("e1", { pricesIncludeTax: true, lines: linesOf("1x400@21"), ...disbursing("5000") })),
  ).toBe("issued");
});

test("the payable amount has at most twelve integer digits", () => {
  const lines = linesOf("1x800000000000@21");
  const most = "31999999999.99";
  expect(outcomeOf(aRequest("e1", { lines, ...disbursing(most) }))).toBe("issued");
  expect(outcomeOf(aRequest("e1", { lines, ...disbursing("32000000000") }))).toBe("total_out_of_range");
});

test("an owner's substitution claims back what its invoice did, a difference nothing", () => {
  const books = issueAll([aRequest("e1", { ...SALE, ...disbursing("100") })]);
  const stored = books.invoices.get("direct:e1");
  if (!stored) throw new Error("the invoice was issued");
  const registered = altaOf(stored.view);
  const invoice = {
    document: stored.view.document,
    rectifiable: stored.rectifiable,
    registered,
    content: registered,
  };
  const amounts = [{ group: "01|01|S1|21|", amount: decimal("10") }];
  const asked = { externalId: "console:1", invoiceType: "R1", cause: "Error", amounts } as const;
  const instead = rectificationOf({ ...asked, method: "substitution" }, invoice);
  expect(instead).toMatchObject({ ok: true, value: disbursing("100") });
  const part = rectificationOf({ ...asked, method: "difference" }, invoice);
  expect(part.ok && part.value).not.toHaveProperty("disbursements");
});
