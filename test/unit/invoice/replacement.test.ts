/** F3: a full invoice in the place of simplified ones. */
import { describe, expect, test } from "vitest";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  altaOf,
  cancelling,
  groupsIn,
  issueAll,
  issued,
  outcomeOf,
  refusalOf,
  totalsIn,
} from "../../support/builders/direct-invoicing.ts";
import { amounts } from "../../support/builders/facts.ts";
import {
  anUnnamed,
  aRequest,
  aTicket,
  correcting,
  elsewhere,
  linesOf,
} from "../../support/builders/requests.ts";

const DOLLARS = { currency: "USD", exchangeRate: decimal("1.1"), exchangeRateDate: civilDate("2026-11-26") };
const GROSS = { pricesIncludeTax: true } as const;

describe("its groups equal the tickets less their R5", () => {
  test.each<[string, InvoiceRequest[], Partial<InvoiceRequest>, string]>([
    ["one ticket", [aTicket("e1")], { lines: linesOf("1x100@21") }, "100.00 / 21.00 / 121.00"],
    [
      "one ticket in other lines",
      [aTicket("e1")],
      { lines: linesOf("2x30@21 1x40@21") },
      "100.00 / 21.00 / 121.00",
    ],
    [
      "one ticket with gross prices, net",
      [gross("e1", "1x100@21")],
      { lines: linesOf("1x82.64@21") },
      "82.64 / 17.36 / 100.00",
    ],
    [
      "one net ticket, with gross prices",
      [aTicket("e1")],
      { ...GROSS, lines: linesOf("1x121@21") },
      "100.00 / 21.00 / 121.00",
    ],
    [
      "three of 0.05 gross, each rounded separately",
      [gross("e1", "1x0.05@21"), gross("e2", "1x0.05@21"), gross("e3", "1x0.05@21")],
      { ...GROSS, lines: linesOf("3x0.05@21") },
      "0.12 / 0.03 / 0.15",
    ],
    [
      "less an R5",
      [aTicket("e1"), back("e2", "-1x40@21")],
      { lines: linesOf("1x60@21") },
      "60.00 / 12.60 / 72.60",
    ],
    [
      "two rates, one of them returned",
      [aTicket("e1", { lines: linesOf("1x10@21 1x5@10") }), back("e2", "-1x5@10")],
      { lines: linesOf("1x10@21") },
      "10.00 / 2.10 / 12.10",
    ],
    ["a surcharge", [aTicket("e1", surcharged())], surcharged(), "100.00 / 21.00 + 5.20 / 126.20"],
    [
      "one issued elsewhere",
      [],
      { rectifies: [elsewhere({ invoiceType: "F2" })], lines: linesOf("1x100@21") },
      "100.00 / 21.00 / 121.00",
    ],
    [
      "one of each",
      [aTicket("e1")],
      { rectifies: [{ externalId: "e1" }, elsewhere({ invoiceType: "F2" })], lines: linesOf("1x200@21") },
      "200.00 / 42.00 / 242.00",
    ],
  ])("%s", (_, before, change, expected) => {
    const cited = before.map(({ externalId }) => ({ externalId }));
    const view = issued([...before, full("e9", { rectifies: cited, ...change })]);
    expect(totalsIn(view)).toBe(expected);
  });

  test.each<[string, InvoiceRequest[], Partial<InvoiceRequest>, string, string]>([
    [
      "a cent more",
      [aTicket("e1")],
      { lines: linesOf("1x100.01@21") },
      "21: 100.00 + 21.00",
      "21: 100.01 + 21.00",
    ],
    [
      "a cent less",
      [aTicket("e1")],
      { lines: linesOf("1x99.99@21") },
      "21: 100.00 + 21.00",
      "21: 99.99 + 21.00",
    ],
    [
      "a cent of gross more",
      [gross("e1", "1x100@21")],
      { ...GROSS, lines: linesOf("1x100.01@21") },
      "21: 82.64 + 17.36",
      "21: 82.65 + 17.36",
    ],
    [
      "another rate",
      [aTicket("e1")],
      { lines: linesOf("1x100@10") },
      "21: 100.00 + 21.00",
      "21: 0.00 + 0.00",
    ],
    [
      "one more rate",
      [aTicket("e1")],
      { lines: linesOf("1x100@21 1x1@4") },
      "4: 0.00 + 0.00",
      "4: 1.00 + 0.04",
    ],
    [
      "without the surcharge",
      [aTicket("e1", surcharged())],
      { lines: linesOf("1x100@21") },
      "21: 100.00 + 21.00 + 5.20",
      "21: 0.00 + 0.00",
    ],
    [
      "as if the R5 were not",
      [aTicket("e1"), back("e2", "-1x40@21")],
      { lines: linesOf("1x100@21") },
      "21: 60.00 + 12.60",
      "21: 100.00 + 21.00",
    ],
    [
      "other than one issued elsewhere",
      [],
      { rectifies: [elsewhere({ invoiceType: "F2" })], lines: linesOf("1x99@21") },
      "100.00 + 21.00",
      "99.00 + 20.79",
    ],
  ])("not %s", (_, before, change, expected, received) => {
    const cited = before.map(({ externalId }) => ({ externalId }));
    expect(refusalOf([...before, full("e9", { rectifies: cited, ...change })])).toEqual({
      code: "replaced_amount_mismatch",
      facts: { expected: amounts(expected), received: amounts(received) },
    });
  });
});

test("groups keep the order of the F3 and the amounts of the tickets", () => {
  const tickets = [gross("e1", "1x100@21 1x10@10"), gross("e2", "1x100@21")];
  const lines = linesOf("1x10@10 1x200@21");
  const rectifies = [{ externalId: "e1" }, { externalId: "e2" }];
  const view = issued([...tickets, full("e9", { ...GROSS, lines, rectifies })]);
  expect(groupsIn(view)).toEqual(["10: 9.09 / 0.91", "21: 165.28 / 34.72"]);
});

describe("what it may replace", () => {
  const R5 = back("e2", "-1x40@21");

  test.each<[string, InvoiceRequest[], Partial<InvoiceRequest>, string]>([
    ["a ticket without its R5", [aTicket("e1"), R5], {}, "rectification_incomplete"],
    [
      "an R5 without its ticket",
      [aTicket("e1"), R5],
      { rectifies: [{ externalId: "e2" }] },
      "rectification_incomplete",
    ],
    ["a full invoice", [aRequest("e1")], {}, "rectified_invoice_type_mismatch"],
    ["one without recipient", [anUnnamed("e1")], {}, "rectified_invoice_type_mismatch"],
    ["a full one issued elsewhere", [], { rectifies: [elsewhere()] }, "rectified_invoice_type_mismatch"],
    ["one already replaced", [aTicket("e1"), full("e2")], {}, "rectified_invoice_superseded"],
    [
      "an R5 by substitution, for its ticket",
      [aTicket("e1"), back("e2", "1x60@21", "substitution")],
      { rectifies: [{ externalId: "e2" }], lines: linesOf("1x60@21") },
      "issued",
    ],
    [
      "a ticket that was substituted",
      [aTicket("e1"), back("e2", "1x60@21", "substitution")],
      {},
      "rectified_invoice_superseded",
    ],
    ["one of another currency", [aTicket("e1")], DOLLARS, "rectified_currency_mismatch"],
    ["a missing invoice", [], {}, "rectified_invoice_unknown"],
  ])("%s: %s", (_, before, change, expected) => {
    expect(outcomeOf([...before, full("e9", change)])).toBe(expected);
  });

  test("not a cancelled one; and once the F3 is cancelled, the ticket again", () => {
    const cancelled = issueAll([aTicket("e1"), cancelling("e1")]);
    expect(outcomeOf(full("e9"), { after: cancelled })).toBe("rectified_invoice_cancelled");
    const reopened = issueAll([aTicket("e1"), full("e2"), cancelling("e2")]);
    expect(outcomeOf(full("e9"), { after: reopened })).toBe("issued");
  });
});

test("the record names the tickets as replaced", () => {
  const after = issueAll([aTicket("e1"), full("e2")]);
  const replaced = after.outcomes.flatMap((outcome) =>
    "invoice" in outcome ? [altaOf(outcome.invoice)] : [],
  );
  expect(replaced[1]).toMatchObject({
    invoiceType: "F3",
    replaced: [{ issuerNif: "B58378431", number: "API-1S-2026-000001", date: "27-11-2026" }],
  });
  expect(replaced[1]?.rectified).toBeUndefined();
});

function full(externalId: string, change: Partial<InvoiceRequest> = {}): InvoiceRequest {
  return aRequest(externalId, { invoiceType: "F3", rectifies: [{ externalId: "e1" }], ...change });
}

function gross(externalId: string, text: string): InvoiceRequest {
  return aTicket(externalId, { ...GROSS, lines: linesOf(text) });
}

function back(
  externalId: string,
  text: string,
  rectificationMethod: "difference" | "substitution" = "difference",
): InvoiceRequest {
  return correcting(aTicket(externalId, { lines: linesOf(text) }), ["e1"], { rectificationMethod });
}

function surcharged() {
  return { lines: linesOf("1x100@21", { surchargeRate: decimal("5.2") }) };
}
