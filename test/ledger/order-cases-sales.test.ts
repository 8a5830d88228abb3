/** Sales as shops really make them, over HTTP: other territories, surcharges, cards and coupons together. */
import { describe, expect, test } from "vitest";
import type { SalesChange } from "../../src/domain/billing/sales-change.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { declare, documentsOf, orderOf, postOrder, stateOf } from "../support/worlds/http-calls.ts";
import {
  A_SENT_COMPANY,
  aSentLine as line,
  openCommerce,
  aSentOrder as order,
  type SentBody,
} from "../support/worlds/order-calls.ts";
import type { ShopOptions } from "../support/worlds/shop.ts";

interface Sale {
  readonly name: string;
  readonly declared?: SalesChange;
  readonly shop?: ShopOptions;
  readonly sent: SentBody;
  /** Events and changes after the invoice. */
  readonly later?: SentBody;
  readonly told: string;
  readonly documents: readonly string[];
}

const person = (change: SentBody) => ({ client: { first_name: "Ana", last_name: "Pérez", ...change } });
const delivery = { line_kind: "shipping", name: "Envío" };
const event = (type: string, amount?: number, lines?: readonly SentBody[]) => ({
  correction_events: [
    { id_external_event: "e", event_type: type, ...(amount ? { amount: -amount } : {}), lines },
  ],
});
const back = (base: number, tax: number, rate: number, id?: string) => ({
  line_id: id,
  base_delta: -base,
  tax_delta: -tax,
  tax_rate: rate,
});
const canary: ShopOptions = {
  account: {
    territory: "canarias",
    timeZone: "Atlantic/Canary",
    postcode: "35001",
    city: "Las Palmas de Gran Canaria",
  },
};

describe("from one place to another", () => {
  test.each<Sale>([
    {
      name: "to a French consumer with the French tax: without identification, and back",
      declared: { foreignSales: "oss" },
      sent: { breakdown: [line(100, 20, 20)], total: 120, ...person({ country: "FR" }) },
      later: event("return", 60, [back(50, 10, 20)]),
      told: "partially_rectified",
      documents: ["F2 PED-1-Y 100/20/120 [20 N2 17: 100/20]", "R5 PED-1R-Y -50/-10/-60 [20 N2 17: -50/-10]"],
    },
    {
      name: "to a Belgian company, untaxed",
      declared: { foreignSales: "intra_community" },
      sent: {
        breakdown: [line(100, 0, 0)],
        total: 100,
        client: { ...A_SENT_COMPANY, vat_number: "BE 0477.472.701", country: "BE" },
      },
      told: "invoiced",
      documents: ["F1 PED-1-Y 100/0/100 [0 E5 01: 100/0]"],
    },
    ...(
      [
        [
          "a consumer in Germany",
          { breakdown: [line(100, 19, 19)], total: 119, ...person({ country: "DE", postcode: "10115" }) },
          "F2 PED-1-Y 100/19/119 [19 N2 17: 100/19]",
        ],
        [
          "a business in Belgium",
          {
            breakdown: [line(100, 0, 0)],
            total: 100,
            client: { ...A_SENT_COMPANY, vat_number: "BE0477472701", country: "BE" },
          },
          "F1 PED-1-Y 100/0/100 [0 E5 01: 100/0]",
        ],
        [
          "the United States",
          { breakdown: [line(100, 0, 0)], total: 100, ...person({ country: "US", postcode: "10001" }) },
          "F2 PED-1S-Y 100/0/100 [0 E2 02: 100/0]",
        ],
      ] as const
    ).map(
      ([to, sent, document]): Sale => ({
        name: `one shop for every destination, to ${to}`,
        declared: {
          destinations: { euConsumer: "oss", euBusiness: "intra_community", outsideEu: "export" },
        },
        sent,
        told: "invoiced",
        documents: [document],
      }),
    ),
    {
      name: "a service to somebody in the United States who is not identified",
      declared: { destinations: { outsideEu: "not_located" } },
      sent: { breakdown: [line(100, 0, 0)], total: 100, ...person({ country: "US" }) },
      told: "invoiced",
      documents: ["F2 PED-1-Y 100/0/100 [0 N2 01: 100/0]"],
    },
    {
      name: "to a French consumer with shipping at 0 % under its basis",
      declared: { destinations: { euConsumer: "oss" }, zeroRateBasis: "E1" },
      sent: {
        breakdown: [line(100, 20, 20), line(10, 0, 0, delivery)],
        total: 130,
        ...person({ country: "FR" }),
      },
      told: "invoiced",
      documents: ["F2 PED-1-Y 110/20/130 [20 N2 17: 100/20, 0 E1 01: 10/0]"],
    },
    {
      name: "to a Belgian without number, untaxed",
      declared: { foreignSales: "intra_community" },
      sent: { breakdown: [line(100, 0, 0)], total: 100, ...person({ country: "BE" }) },
      told: "held foreign_customer",
      documents: [],
    },
    {
      name: "to the Canaries, taxed although exports are declared",
      declared: { foreignSales: "export" },
      sent: person({ country: "ES", postcode: "38001" }),
      told: "held destination_conflict",
      documents: [],
    },
    {
      name: "delivered in the Canaries, invoiced to Madrid",
      sent: {
        ...person({ country: "ES", postcode: "28001" }),
        delivery: { country: "ES", postcode: "35500" },
      },
      told: "held territory_review",
      documents: [],
    },
    {
      name: "within the Canaries, with IGIC",
      shop: canary,
      sent: { breakdown: [line(100, 7, 7)], total: 107, ...person({ country: "ES", postcode: "38001" }) },
      told: "invoiced",
      documents: ["F2 PED-1S-Y 100/7/107 [7: 100/7]"],
    },
    {
      name: "within the Canaries, with the tax of the mainland",
      shop: canary,
      sent: person({ country: "ES", postcode: "35001" }),
      told: "held tax_mismatch",
      documents: [],
    },
  ])("$name", expectSale);
});

describe("coupons, cards and fees", () => {
  const goods = line(100, 21, 21, { line_id: "a" });
  const books = line(100, 4, 4, { line_id: "b" });
  const card = (tax: number, rate: number) => line(50, tax, rate, { line_kind: "gift_voucher" });
  const fee = line(3, 0.63, 21, { line_kind: "fee", name: "Contra reembolso" });

  test.each<Sale>([
    {
      name: "a coupon for one line takes off its rate alone",
      sent: { breakdown: [goods, books], discounts: [{ amount: 10.4, lines: ["b"] }], total: 214.6 },
      told: "invoiced",
      documents: ["F2 PED-1S-Y 190/24.6/214.6 [21: 100/21, 4: 90/3.6]"],
    },
    {
      name: "a coupon takes nothing off the delivery",
      sent: {
        breakdown: [line(40, 4, 10), line(5, 1.05, 21, delivery)],
        discounts: [{ amount: 10 }],
        total: 40.05,
      },
      told: "invoiced",
      documents: ["F2 PED-1S-Y 35.91/4.14/40.05 [10: 30.91/3.09, 21: 5/1.05]"],
    },
    {
      name: "a gift card among goods is left out, and gives nothing back",
      sent: { breakdown: [goods, { ...card(0, 0), line_id: "g" }], total: 171 },
      later: event("refund", 50, [back(50, 0, 0, "g")]),
      told: "invoiced",
      documents: ["F2 PED-1S-Y 100/21/121 [21: 100/21]"],
    },
    {
      name: "a gift card of one purpose carries its tax",
      declared: { voucherKind: "single_purpose" },
      sent: { breakdown: [card(10.5, 21)], total: 60.5 },
      told: "invoiced",
      documents: ["F2 PED-1S-Y 50/10.5/60.5 [21: 50/10.5]"],
    },
    {
      name: "everything paid by gift card is invoiced in full",
      sent: { discounts: [{ code: "GC-1", amount: 121, kind: "gift_card" }], total: 0 },
      told: "invoiced",
      documents: ["F2 PED-1S-Y 100/21/121 [21: 100/21]"],
    },
    {
      name: "payment on delivery as a line, given back with the goods kept",
      sent: { breakdown: [goods, fee], total: 124.63 },
      later: event("price_reduction", 3.63, [back(3, 0.63, 21)]),
      told: "partially_rectified",
      documents: [
        "F2 PED-1S-Y 103/21.63/124.63 [21: 103/21.63]",
        "R5 PED-1RS-Y -3/-0.63/-3.63 [21: -3/-0.63]",
      ],
    },
    {
      name: "a deposit is no sale",
      declared: { treatments: { deposit: { as: "ignore_non_taxable" } } },
      sent: { unmapped_totals: [{ code: "Deposit", value: 20 }], total: 141 },
      told: "invoiced",
      documents: ["F2 PED-1S-Y 100/21/121 [21: 100/21]"],
    },
    {
      name: "points of the shop reduce the price",
      sent: { discounts: [{ amount: 21, kind: "loyalty" }], total: 100 },
      told: "invoiced",
      documents: ["F2 PED-1S-Y 82.64/17.36/100 [21: 82.64/17.36]"],
    },
    {
      name: "credit that the owner declared a payment",
      declared: { customerCredit: "payment" },
      sent: { discounts: [{ amount: 21, kind: "customer_credit" }], total: 100 },
      told: "invoiced",
      documents: ["F2 PED-1S-Y 100/21/121 [21: 100/21]"],
    },
    {
      name: "a surcharge goes back with its sale",
      sent: { breakdown: [line(100, 26.2, 26.2)], total: 126.2, client: A_SENT_COMPANY },
      later: event("refund", 126.2),
      told: "rectified",
      documents: [
        "F1 PED-1-Y 100/21/5.2/126.2 [21: 100/21+5.2]",
        "R1 PED-1R-Y -100/-21/-5.2/-126.2 [21: -100/-21+-5.2]",
      ],
    },
    {
      name: "a fee of a rate that nothing else has",
      declared: { treatments: { wrap: { as: "fee", rate: decimal("10") } } },
      sent: { unmapped_totals: [{ code: "WRAP", value: 1.1 }], total: 122.1 },
      told: "invoiced",
      documents: ["F2 PED-1S-Y 101/21.1/122.1 [21: 100/21, 10: 1/0.1]"],
    },
  ])("$name", expectSale);
});

async function expectSale({ shop: options, declared, sent, later, told, documents }: Sale): Promise<void> {
  const shop = await openCommerce(options);
  if (declared) await declare(shop, { verb: "declare_sales", change: declared });
  let reply = await postOrder(shop, order("1", sent));
  if (later) reply = await postOrder(shop, order("1", { ...sent, ...later }));
  expect([stateOf(reply), documentsOf(reply)]).toEqual([told, documents]);
  await expectBooksConsistent(shop.connectionId);
}

describe("many at once", () => {
  test("one order 20 times is one invoice: one 201, nineteen 200, one and the same answer", async () => {
    const shop = await openCommerce();
    const replies = await Promise.all(Array.from({ length: 20 }, () => postOrder(shop, order("1"))));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    await expectBooksConsistent(shop.connectionId);
  });

  test("one order in 20 versions is one invoice, and one refund in 20 calls one rectification", async () => {
    const shop = await openCommerce();
    const versions = Array.from({ length: 20 }, (_, index) =>
      order("1", { breakdown: [line(100 + index, 0, 0)], total: 100 + index }),
    );
    await declare(shop, { verb: "declare_sales", change: { zeroRateBasis: "E1" } });
    const sent = await Promise.all(versions.map((body) => postOrder(shop, body)));
    expect(new Set(sent.map((reply) => orderOf(reply).invoices[0]?.full_number)).size).toBe(1);
    const total = Number(orderOf(sent[0] ?? (await postOrder(shop, order("1")))).invoices[0]?.total);
    const sold = order("1", { breakdown: [line(total, 0, 0)], total, ...event("refund", 10) });
    const replies = await Promise.all(Array.from({ length: 20 }, () => postOrder(shop, sold)));
    for (const reply of replies) expect(orderOf(reply).invoices).toHaveLength(2);
    const books = await expectBooksConsistent(shop.connectionId);
    expect(books.invoices).toHaveLength(2);
  });
});
