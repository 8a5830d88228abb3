/** Answers to one order that are meant for all. */
import { expect, test } from "vitest";
import { declaredForAll } from "../../../src/console/orders/answers.ts";
import { destinationsOf } from "../../../src/domain/billing/sales-settings.ts";
import type { OwnSales } from "../../../src/domain/order/answers/sale.ts";
import type { OrderAnswer } from "../../../src/domain/order/answers/table.ts";

const declaring = (sales: OwnSales): OrderAnswer => ({ answer: "declare_sales", sales });

test.each<[string, OrderAnswer[], object | undefined]>([
  ["nothing of sales", [{ answer: "approve" }], undefined],
  [
    "two destinations, one answer each",
    [
      declaring({ destinations: { euConsumer: "oss" } }),
      declaring({ destinations: { outsideEu: "export" }, zeroRateBasis: "E1" }),
    ],
    { destinations: { euConsumer: "oss", outsideEu: "export" }, zeroRateBasis: "E1" },
  ],
  [
    "the shorthand, which takes nothing back here",
    [declaring({ foreignSales: "oss" })],
    { destinations: { euConsumer: "oss" } },
  ],
  [
    "the shorthand for all four",
    [declaring({ foreignSales: "domestic" })],
    { destinations: destinationsOf("domestic") },
  ],
  ["a basis alone", [declaring({ zeroRateBasis: "N1" })], { zeroRateBasis: "N1" }],
])("%s", (_, answers, expected) => {
  expect(declaredForAll(answers)).toEqual(expected);
});
