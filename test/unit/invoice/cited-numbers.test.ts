/** Invoices cited by number: a number in the account's books is never from elsewhere. */
import { describe, expect, test } from "vitest";
import { partsOfNumber } from "../../../src/domain/billing/series.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import type { Fact } from "../../../src/domain/shared/fact.ts";
import {
  altaOf,
  aState,
  issueAll,
  issued,
  outcomeOf,
  refusalOf,
  remainingOf,
  totalsIn,
} from "../../support/builders/direct-invoicing.ts";
import { aRequest, aTicket, correcting, elsewhere, linesOf } from "../../support/builders/requests.ts";
import { sentenceOf } from "../../support/rules/readable.ts";

const BACK = { lines: linesOf("-1x10@21") };
const TODAY = civilDate("2026-11-27");
const INVOICE = cited("API-1-2026-000001", { invoiceType: "F1" });
const TICKET = cited("API-1S-2026-000001", { invoiceType: "F2" });
const ISSUED = issueAll([aRequest("e1"), aTicket("t1")]);

describe("a direct invoice of this connection that is cited by its number", () => {
  test("is the same as by its external_id", () => {
    const after = issueAll([fix("r1", INVOICE, BACK)], { after: ISSUED });
    const [outcome] = after.outcomes;
    if (outcome?.outcome !== "issued" || !("document" in outcome.invoice)) throw new Error("not issued");
    expect(outcome.invoice.document.cited).toMatchObject([
      { externalId: "e1", number: "API-1-2026-000001", issueDate: "2026-11-27", invoiceType: "F1" },
    ]);
    expect(altaOf(outcome.invoice).rectified).toEqual([
      { issuerNif: "B58378431", number: "API-1-2026-000001", date: "27-11-2026" },
    ]);
    expect(remainingOf(after, "e1")).toEqual(["21: 90.00 / 18.90"]);
  });

  test.each<[string, InvoiceRequest, string]>([
    [
      "takes no more than remains",
      fix("r1", INVOICE, { lines: linesOf("-1x101@21") }),
      "rectification_exceeds",
    ],
    ["is corrected in its family", fix("r1", TICKET, BACK), "rectified_invoice_type_mismatch"],
    ["is replaced in its amounts", f3("f1", [TICKET], "1x99@21"), "replaced_amount_mismatch"],
    ["is replaced by an F3", f3("f1", [TICKET], "1x100@21"), "issued"],
    [
      "is not cited twice",
      fix("r1", INVOICE, { ...BACK, rectifies: [{ externalId: "e1" }, INVOICE] }),
      "rectified_reference_invalid",
    ],
    ["is substituted", fix("r1", INVOICE, { rectificationMethod: "substitution" }), "issued"],
  ])("%s", (_, request, expected) => {
    expect(outcomeOf(request, { after: ISSUED })).toBe(expected);
  });

  test("is found in the group in which it was issued", () => {
    expect(outcomeOf([aRequest("e1"), fix("r1", INVOICE, BACK)])).toBe("issued");
  });

  test("has its rectifications by difference cited by their numbers as well", () => {
    const after = issueAll([fix("r1", INVOICE, BACK)], { after: ISSUED });
    const part = cited("API-1R-2026-000001", {
      invoiceType: "R1",
      base: decimal("-10"),
      tax: decimal("-2.1"),
    });
    const whole = { rectificationMethod: "substitution", lines: linesOf("1x50@21") } as const;
    expect(refusalOf(fix("s1", INVOICE, whole), { after })).toMatchObject({
      code: "rectification_incomplete",
      facts: { missing: { all: ["r1"] } },
    });
    const view = issued(fix("s1", INVOICE, { ...whole, rectifies: [INVOICE, part] }), { after });
    expect([totalsIn(view), altaOf(view).rectifiedAmounts]).toEqual([
      "50.00 / 10.50 / 60.50",
      { base: "90.00", tax: "18.90" },
    ]);
  });

  test("is undone with its F3", () => {
    const after = issueAll([f3("f1", [TICKET], "1x100@21")], { after: ISSUED });
    expect(outcomeOf(f3("u1", [TICKET], "-1x100@21"), { after })).toBe("issued");
    expect(outcomeOf(f3("u1", [TICKET], "1x100@21"), { after })).toBe("rectified_invoice_superseded");
  });

  test.each<[string, ReturnType<typeof cited>, readonly Fact[]]>([
    [
      "date",
      { ...INVOICE, issueDate: civilDate("2025-03-01") },
      [{ phrase: "member_is", member: "issue_date", value: { date: TODAY } }],
    ],
    [
      "type",
      { ...INVOICE, invoiceType: "R1" },
      [{ phrase: "member_is", member: "invoice_type", value: "F1" }],
    ],
    [
      "base",
      { ...INVOICE, base: decimal("1000") },
      [{ phrase: "member_is", member: "base", value: { amount: "100.00", currency: "EUR" } }],
    ],
    [
      "tax and surcharge",
      { ...INVOICE, tax: decimal("10"), surcharge: decimal("5.2") },
      [
        { phrase: "member_is", member: "tax", value: { amount: "21.00", currency: "EUR" } },
        { phrase: "member_is", member: "surcharge", value: { amount: "0.00", currency: "EUR" } },
      ],
    ],
    [
      "date, which lies in the future",
      { ...INVOICE, issueDate: civilDate("2026-11-28") },
      [{ phrase: "member_is", member: "issue_date", value: { date: TODAY } }],
    ],
  ])("is refused with another %s", (_, reference, found) => {
    expect(refusalOf(fix("r1", reference, BACK), { after: ISSUED })).toEqual({
      code: "rectified_reference_invalid",
      facts: {
        reference: "API-1-2026-000001",
        detail: { phrase: "issued_here_otherwise", found: { all: found } },
        fix: { phrase: "correct_or_cite", external_id: "e1" },
      },
      path: "rectifies.0",
    });
  });

  test("has its amounts compared in one currency only", () => {
    const dollars = {
      currency: "USD",
      exchangeRate: decimal("1.1"),
      exchangeRateDate: civilDate("2026-11-26"),
    };
    const request = fix(
      "r1",
      { ...INVOICE, base: decimal("110"), tax: decimal("23.1") },
      { ...BACK, ...dollars },
    );
    expect(outcomeOf(request, { after: ISSUED })).toBe("rectified_currency_mismatch");
  });
});

describe("an invoice of the account that is corrected in another place", () => {
  const after = {
    ...aState(),
    numbered: new Map(
      [
        {
          fullNumber: "PED-1S-2026-000007",
          origin: "order:1001",
          isOfConnection: true,
          connectionName: "API",
        },
        {
          fullNumber: "PED-1RS-2026-000001",
          origin: "event:a%3A1:9",
          isOfConnection: true,
          connectionName: "API",
        },
        {
          fullNumber: "API-2S-2026-000001",
          origin: "direct:x",
          isOfConnection: false,
          connectionName: "Web",
        },
        {
          fullNumber: "A-2026-000003",
          origin: "order:1001",
          isOfConnection: false,
          connectionName: "Tienda",
        },
      ].map((held) => [held.fullNumber, held]),
    ),
  };

  test.each<[string, string, object]>([
    [
      "of an order",
      "PED-1S-2026-000007",
      { detail: { phrase: "issued_for_order", order: "1001" }, fix: { phrase: "correct_in_order" } },
    ],
    [
      "of an order's event",
      "PED-1RS-2026-000001",
      { detail: { phrase: "issued_for_order", order: "a:1" }, fix: { phrase: "correct_in_order" } },
    ],
    [
      "of another connection",
      "API-2S-2026-000001",
      { detail: { phrase: "issued_through", connection: "Web" }, fix: { phrase: "correct_there" } },
    ],
    [
      "of an order of another connection",
      "A-2026-000003",
      { detail: { phrase: "issued_through", connection: "Tienda" }, fix: { phrase: "correct_there" } },
    ],
  ])("%s", (_, number, facts) => {
    const reference = cited(number, { invoiceType: "F2", issueDate: civilDate("2025-01-01") });
    const requests = [
      correcting(aTicket("r1", { lines: linesOf("-1000x1@21") }), [], { rectifies: [reference] }),
      correcting(aTicket("r1"), [], { rectifies: [reference], rectificationMethod: "substitution" }),
      f3("f1", [reference], "1x100@21"),
    ];
    for (const request of requests) {
      expect(refusalOf(request, { after })).toEqual({
        code: "rectified_reference_invalid",
        facts: { reference: number, ...facts },
        path: "rectifies.0",
      });
    }
  });

  test("is refused with the place of correction, in both languages", () => {
    const reference = cited("API-2S-2026-000001", { invoiceType: "F2" });
    const refusal = refusalOf(f3("f1", [reference], "1x100@21"), { after });
    expect(sentenceOf(refusal, "en")).toBe(
      "The cited invoice “API-2S-2026-000001” is not valid (it was issued through the connection “Web” of " +
        "this issuer); correct it through that connection.",
    );
    expect(sentenceOf(refusal, "es")).toBe(
      "La factura citada «API-2S-2026-000001» no es válida (se emitió por la conexión «Web» del mismo " +
        "emisor); rectifícala desde esa conexión.",
    );
  });
});

test.each<[string, ReturnType<typeof partsOfNumber>]>([
  ["API-1S-2026-000001", { code: "API-1S-2026", number: 1 }],
  ["A-2026-1000000", { code: "A-2026", number: 1_000_000 }],
  ["API-1S-2026-0000001", undefined],
  ["API-1S-2026-000000", undefined],
  ["API-1S-2026-00001", undefined],
  ["-000001", undefined],
  ["VIEJA/7", undefined],
])("the parts of %s", (text, parts) => {
  expect(partsOfNumber(text)).toEqual(parts);
});

/** Today's, of 100.00 / 21.00. */
function cited(number: string, change: Parameters<typeof elsewhere>[0]) {
  return elsewhere({ number, issueDate: TODAY, ...change });
}

function fix(
  externalId: string,
  reference: ReturnType<typeof cited>,
  change: Partial<InvoiceRequest>,
): InvoiceRequest {
  return correcting(aRequest(externalId), [], { rectifies: [reference], ...change });
}

function f3(
  externalId: string,
  rectifies: readonly ReturnType<typeof cited>[],
  lines: string,
): InvoiceRequest {
  return aRequest(externalId, { invoiceType: "F3", lines: linesOf(lines), rectifies });
}
