/** Declarations that were written with one word for all destinations are read by destination. */
import { expect, test } from "vitest";
import { salesFrom } from "../../../src/db/book-reads.ts";
import { type OrderRow, storedOrder } from "../../../src/db/orders/order-reads.ts";
import {
  type Destinations,
  type ForeignSales,
  UNDECLARED,
} from "../../../src/domain/billing/sales-settings.ts";

const ROWS: readonly [ForeignSales, Destinations][] = [
  ["oss", { euConsumer: "oss" }],
  ["intra_community", { euBusiness: "intra_community" }],
  ["export", { outsideEu: "export", otherSpanish: "export" }],
  [
    "domestic",
    { euConsumer: "domestic", euBusiness: "domestic", outsideEu: "domestic", otherSpanish: "domestic" },
  ],
];

test.each(ROWS)("sales were declared as %s", (foreignSales, destinations) => {
  const stored = JSON.stringify({ issuingMode: "review", foreignSales });
  expect(salesFrom(stored)).toStrictEqual({ ...UNDECLARED, issuingMode: "review", destinations });
});

test.each(ROWS)("an order was answered to be %s", (foreignSales, destinations) => {
  const { answers } = storedOrder(rowWith({ sales: { foreignSales, zeroRateBasis: "E1" } }));
  expect(answers.sales).toStrictEqual({ destinations, zeroRateBasis: "E1" });
});

test.each<[string, string | null, Destinations]>([
  ["nothing was ever declared", null, {}],
  ["nothing of destinations was declared", "{}", {}],
  [
    "destinations are read as they were written",
    JSON.stringify({ destinations: { outsideEu: "not_located" } }),
    { outsideEu: "not_located" },
  ],
])("%s", (_, stored, destinations) => {
  expect(salesFrom(stored)).toStrictEqual({ ...UNDECLARED, destinations });
});

test("an order was answered something else", () => {
  expect(storedOrder(rowWith({ sales: { zeroRateBasis: "N1" } })).answers.sales).toStrictEqual({
    zeroRateBasis: "N1",
  });
  expect(storedOrder(rowWith({})).answers.sales).toStrictEqual({});
});

/** The columns of the row that are read. */
function rowWith(answers: object): OrderRow {
  const row = {
    ...{ orderDay: "2026-11-20", dueDate: "2026-11-20", facts: "{}", reasons: "[]", warnings: "[]" },
    ...{ acted: "[]", soldFingerprint: null, decideFrom: null, state: "held" },
    answers: JSON.stringify(answers),
  };
  return row as unknown as OrderRow;
}
