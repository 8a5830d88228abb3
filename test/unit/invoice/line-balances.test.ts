/** What the lines of an invoice are worth, and what goes back of them. */
import { describe, expect, test } from "vitest";
import { balancesOf } from "../../../src/domain/invoice/balance.ts";
import { type LinePart, takeLines } from "../../../src/domain/invoice/line-balances.ts";
import { directOrigin } from "../../../src/domain/invoice/origin.ts";
import { directLines } from "../../../src/domain/invoice/rectified-lines.ts";
import type { InvoiceRequest, RequestLine } from "../../../src/domain/invoice/request.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { issueAll } from "../../support/builders/direct-invoicing.ts";
import { aRequest, correcting, linesOf } from "../../support/builders/requests.ts";
import { mustBeReadable } from "../../support/rules/readable.ts";

/** The lines of an invoice after some rectifications of it. */
function sold(change: Partial<InvoiceRequest>, after: readonly Partial<InvoiceRequest>[] = []) {
  const request = aRequest("e1", change);
  const parts = after.map((each, index) =>
    correcting({ ...request, externalId: `r${index}`, ...each }, ["e1"], each),
  );
  const state = issueAll([request, ...parts]);
  for (const outcome of state.outcomes) expect(outcome.outcome).toBe("issued");
  const stored = state.invoices.get(directOrigin("e1"));
  if (!stored) throw new Error("not issued");
  const { view, rectifiable } = stored;
  const acting = parts.map(({ externalId }) => {
    const found = state.invoices.get(directOrigin(externalId));
    if (!found) throw new Error("not issued");
    return found.view.document;
  });
  const lines = directLines({ document: view.document, rectifiable }, acting);
  return { lines, balances: balancesOf(rectifiable), currency: request.currency };
}

const worths = (change: Partial<InvoiceRequest>) =>
  sold(change).lines.map(({ line, worth }) => `${line}: ${worth}`);

test.each<[string, readonly RequestLine[], Partial<InvoiceRequest>, readonly string[]]>([
  ["net prices with their tax", linesOf("2x40@21 4x10@21 1x25@4"), {}, ["1: 96.8", "2: 48.4", "3: 26"]],
  ["prices that have it", linesOf("1x10@21 1x5@10"), { pricesIncludeTax: true }, ["1: 10", "2: 5"]],
  ["cents of rounding to the largest remainder", linesOf("1x0.83@21 1x0.83@21"), {}, ["1: 1.01", "2: 1"]],
  [
    "less a share of the discount of the rate",
    linesOf("1x30@21 1x10@21 1x-4@21 1x20@10"),
    {},
    ["1: 32.67", "2: 10.89", "4: 22"],
  ],
  [
    "a discount of a cent has one bearer",
    linesOf("1x1@21 1x1@21 1x-0.01@21"),
    { pricesIncludeTax: true },
    ["1: 0.99", "2: 1"],
  ],
  ["with surcharge", linesOf("1x100@21", { surchargeRate: decimal("5.2") }), {}, ["1: 126.2"]],
  ["a rate below zero as it is", linesOf("1x100@21 1x-10@10"), {}, ["1: 121", "2: -11"]],
  [
    "whole amounts of yen",
    linesOf("1x1000@21 1x500@21"),
    { currency: "JPY", exchangeRate: decimal("160"), exchangeRateDate: "2026-11-26" as never },
    ["1: 1210", "2: 605"],
  ],
])("lines are worth %s", (_, lines, change, expected) => {
  expect(worths({ lines, ...change })).toEqual(expected);
});

const TEN = { lines: linesOf("3x3.333333@21"), pricesIncludeTax: true };
const taken = (from: ReturnType<typeof sold>, parts: readonly LinePart[]) => {
  const outcome = takeLines(from.lines, parts, from);
  if (!outcome.ok) {
    mustBeReadable(outcome.error);
    return `${outcome.error.code} ${outcome.error.path}`;
  }
  return outcome.value.map(({ line, gross }) => `${line}: ${gross}`).join(", ");
};
const pieces = (line: number, quantity: string): LinePart => ({ line, quantity: decimal(quantity) });
const amount = (line: number, value: string): LinePart => ({ line, amount: decimal(value) });

test("three pieces for 10.00 go back as 3.33, 3.34 and 3.33", () => {
  const back = (quantity: string, gross: string) => ({
    pricesIncludeTax: true,
    lines: [
      { ...linesOf("1x1@21")[0], description: "Vuelve", quantity: decimal("-1"), priceUnit: decimal(gross) },
    ] as RequestLine[],
    returned: [{ line: 1, quantity: decimal(quantity), gross: decimal(gross) }],
  });
  expect(taken(sold(TEN), [pieces(1, "1")])).toBe("1: 3.33");
  expect(taken(sold(TEN, [back("1", "3.33")]), [pieces(1, "1")])).toBe("1: 3.34");
  expect(taken(sold(TEN, [back("1", "3.33"), back("1", "3.34")]), [pieces(1, "1")])).toBe("1: 3.33");
  expect(taken(sold(TEN, [back("1", "3.33")]), [pieces(1, "2")])).toBe("1: 6.67");
});

describe("of a line with two pieces and one with four", () => {
  const sale = { lines: linesOf("2x40@21 4x10@21") };

  test.each<[string, readonly LinePart[], string]>([
    ["pieces and an amount together", [pieces(1, "1"), amount(2, "5")], "1: 48.4, 2: 5"],
    ["everything", [pieces(1, "2"), pieces(2, "4")], "1: 96.8, 2: 48.4"],
    ["half a piece", [pieces(1, "0.5")], "1: 24.2"],
    ["all but two cents is everything", [amount(1, "96.80"), amount(2, "48.38")], "1: 96.8, 2: 48.4"],
    ["nothing", [], "rectify_nothing_chosen lines"],
    ["a piece of nothing", [pieces(1, "0")], "rectify_nothing_chosen lines"],
    ["a third piece", [pieces(1, "3")], "rectify_quantity_exceeds lines.0.quantity"],
    ["a negative quantity", [pieces(1, "-1")], "rectify_quantity_exceeds lines.0.quantity"],
    ["more than the line", [pieces(2, "1"), amount(1, "96.81")], "rectify_amount_exceeds lines.1.amount"],
    ["a negative amount", [amount(1, "-1")], "rectify_amount_exceeds lines.0.amount"],
    ["half a cent", [amount(1, "1.005")], "rectify_amount_digits lines.0.amount"],
    ["a line that is not there", [pieces(3, "1")], "rectify_line_unknown lines.0.line"],
    ["a line twice", [pieces(1, "1"), amount(1, "1")], "rectify_line_repeated lines.1.line"],
  ])("%s", (_, parts, expected) => {
    expect(taken(sold(sale), parts)).toBe(expected);
  });

  test("what a caller has rectified by the same line counts for it, and so does any other amount", () => {
    const byLine = sold(sale, [{ lines: linesOf("-1x40@21") }]);
    expect(byLine.lines.map(({ left }) => `${left.quantity} ${left.gross}`)).toEqual(["1 48.4", "4 48.4"]);
    const apart = sold(sale, [{ lines: linesOf("-1x90@21", { description: "Rebaja" }) }]);
    expect(apart.lines.map(({ left }) => `${left.quantity} ${left.gross}`)).toEqual(["2 36.3", "4 36.3"]);
    expect(taken(apart, [pieces(1, "1")])).toBe("1: 18.15");
    expect(taken(apart, [pieces(1, "2"), pieces(2, "3")])).toBe("rectify_exceeds lines");
    expect(taken(apart, [pieces(1, "2"), pieces(2, "4")])).toBe("1: 0, 2: 36.3");
  });

  test("the pieces that are left share what a reduction has left of them", () => {
    const reduced = sold(sale, [
      {
        pricesIncludeTax: true,
        lines: linesOf("-1x16.80@21"),
        returned: [{ line: 1, gross: decimal("16.80") }],
      },
    ]);
    expect(taken(reduced, [pieces(1, "1")])).toBe("1: 40");
    expect(taken(reduced, [pieces(1, "2")])).toBe("1: 80");
  });
});
