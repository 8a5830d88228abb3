/** Orders of real WooCommerce shops, from their documents to the invoice, to the cent. */
import { describe, expect, test } from "vitest";
import type { SentOrder } from "../../src/domain/order/sent-order.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { STATUS_PRESETS } from "../../src/domain/shop/presets.ts";
import type { ShopTables } from "../../src/domain/shop/tables.ts";
import { mapOrder as mapWoo } from "../../src/domain/shop/woocommerce/woocommerce.ts";
import { eur } from "../support/builders/facts.ts";
import { eventText, hasPayloads, payload } from "../support/builders/shop-payloads.ts";
import {
  AS_SENT,
  decidedIn,
  documentsIn,
  ES_COMPANY,
  EXPORT,
  factsOf,
  type Mode,
  NL,
  outcomeIn,
  type PayloadRow,
  payloadShop,
  sentOf,
  withEvents,
} from "../support/worlds/shop-invoices.ts";

/** A document of WooCommerce with the documents of its refunds. */
function woo(name: string, refunds?: string, tables: ShopTables = {}): SentOrder {
  const documents = { order: payload(name), ...(refunds === undefined ? {} : { refunds: payload(refunds) }) };
  return sentOf(mapWoo(documents, tables), STATUS_PRESETS.woocommerce);
}

const DOLLARS: Mode = { ...EXPORT, rate: "1.1618" };

const WOO: readonly PayloadRow[] = [
  {
    what: "woo_02: gift cards, and nothing declared",
    order: () => woo("woo_02_gift_cards"),
    mode: { ...AS_SENT, rate: "1.1618" },
    outcome: "held foreign_customer",
  },
  {
    what: "woo_02: exported, paid in part by two gift cards",
    order: () => woo("woo_02_gift_cards"),
    mode: DOLLARS,
    outcome: "invoiced",
    documents: ["F2 28.00 / 0.00 / 28.00 USD [0: 28.00 / 0.00]"],
  },
  {
    what: "woo_03: exported, its two refunds netted",
    order: () => woo("woo_03_two_partial_refunds_zero_tax"),
    mode: DOLLARS,
    outcome: "invoiced",
    documents: ["F2 280.15 / 0.00 / 280.15 USD [0: 280.15 / 0.00]"],
  },
  {
    what: "woo_06: fees and lines with tax, and nothing declared",
    order: () => woo("woo_06_fees_taxed_lines_cod"),
    mode: { ...AS_SENT, rate: "1.1618" },
    outcome: "held foreign_customer",
  },
  {
    what: "woo_06: in the one-stop shop",
    order: () => woo("woo_06_fees_taxed_lines_cod"),
    mode: NL,
    outcome: "invoiced",
    documents: ["F2 1619.73 / 108.58 / 1728.31 EUR [7: 1551.00 / 108.58, 0: 68.73 / 0.00]"],
  },
  {
    what: "woo_08: exported to a person, above the limit",
    order: () => withEvents(woo("woo_08_order_560_four_partial_refunds"), 0),
    mode: DOLLARS,
    outcome: "held recipient_incomplete",
  },
  {
    what: "woo_08: in the one-stop shop, with nothing taxed",
    order: () => woo("woo_08_order_560_four_partial_refunds", "woo_09_refunds_of_560_with_lines"),
    mode: NL,
    outcome: "held destination_conflict",
  },
  {
    what: "woo_08: to a company at home, its refunds netted",
    order: () => woo("woo_08_order_560_four_partial_refunds", "woo_09_refunds_of_560_with_lines"),
    mode: ES_COMPANY,
    outcome: "invoiced",
    documents: ["F1 973.50 / 0.00 / 973.50 EUR [0: 973.50 / 0.00]"],
  },
  {
    what: "woo_12: a renewal, exported",
    order: () => woo("woo_12_subscription_renewal"),
    mode: DOLLARS,
    outcome: "invoiced",
    documents: ["F2 14.50 / 0.00 / 14.50 USD [0: 14.50 / 0.00]"],
  },
  {
    what: "woo_13: the official example, and nothing declared",
    order: () => woo("woo_13_rest_docs_v3_order"),
    mode: { ...AS_SENT, rate: "1.1618" },
    outcome: "held foreign_customer",
  },
  {
    what: "woo_13: in the one-stop shop, at the rate that its amounts prove",
    order: () => woo("woo_13_rest_docs_v3_order"),
    mode: NL,
    outcome: "invoiced",
    documents: ["F2 28.00 / 1.35 / 29.35 EUR [7.5: 18.00 / 1.35, 0: 10.00 / 0.00]"],
  },
  {
    what: "woo_es: three rates with tax, a coupon in the lines, shipping, a fee",
    order: () => woo("woo_es_4_10_21_included_coupon_cod"),
    mode: AS_SENT,
    outcome: "invoiced",
    documents: ["F1 41.19 / 4.83 / 46.02 EUR [4: 17.22 / 0.69, 10: 8.10 / 0.81, 21: 15.87 / 3.33]"],
  },
];

describe.runIf(hasPayloads)("WooCommerce", () => {
  test.each(WOO)("$what", async ({ order, mode, outcome, documents = [] }) => {
    const view = await decidedIn(mode, order());
    expect([outcomeIn(view), documentsIn(view)]).toEqual([outcome, documents]);
  });

  test("woo_01: a total without its fee and shipping", async () => {
    const view = await (await payloadShop({ rate: "1.1618" })).send(woo("woo_01_coupon_fee_inconsistent"));
    expect(view.reasons.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["totals_mismatch", "foreign_customer"]),
    );
    const { computed, total } = factsOf(view, "totals_mismatch") ?? {};
    expect([computed, total]).toMatchObject([{ amount: "289.70" }, { amount: "31.20" }]);
  });

  test("woo_03: exported, then its two refunds", async () => {
    const order = woo("woo_03_two_partial_refunds_zero_tax");
    const shop = await payloadShop(DOLLARS);
    await shop.send(withEvents(order, 0));
    await shop.send(withEvents(order, 1));
    expect(documentsIn(await shop.send(order))).toEqual([
      "F2 304.45 / 0.00 / 304.45 USD [0: 304.45 / 0.00]",
      "R5 -8.10 / 0.00 / -8.10 USD [0: -8.10 / 0.00]",
      "R5 -16.20 / 0.00 / -16.20 USD [0: -16.20 / 0.00]",
    ]);
  });

  test("woo_04: a refund whose money is not its lines leaves the invoice as it is", async () => {
    const order = woo("woo_es_4_10_21_included_coupon_cod");
    const { events } = mapWoo({ refunds: payload("woo_04_refund_line_and_shipping_tax") }, {});
    expect(events.map(({ lines, amount }) => [lines.map((line) => line.baseDelta), amount])).toEqual([
      [["-27", "-7"], "-27"],
    ]);
    const shop = await payloadShop(AS_SENT);
    await shop.send(order);
    const view = await shop.send({ ...order, events });
    expect(view.reasons.map(({ code }) => code)).toContain("correction_amount_mismatch");
    expect(factsOf(view, "correction_amount_mismatch")).toMatchObject({
      lines_total: eur("-34.62"),
      amount: eur("-27.00"),
    });
    expect(documentsIn(view)).toHaveLength(1);
  });

  test("woo_08: to a company at home, then its four refunds", async () => {
    const order = woo("woo_08_order_560_four_partial_refunds", "woo_09_refunds_of_560_with_lines");
    const shop = await payloadShop(ES_COMPANY);
    for (const count of [0, 1, 2, 3]) await shop.send(withEvents(order, count));
    expect(documentsIn(await shop.send(order)).map((text) => text.replace(/ EUR.*/, ""))).toEqual([
      "F1 1198.50 / 0.00 / 1198.50",
      "R1 -27.00 / 0.00 / -27.00",
      "R1 -18.00 / 0.00 / -18.00",
      "R1 -117.00 / 0.00 / -117.00",
      "R1 -63.00 / 0.00 / -63.00",
    ]);
    expect(order.events.map(eventText)).toHaveLength(4);
  });

  test("woo_08: the limit is compared in euros", async () => {
    const shop = await payloadShop(DOLLARS);
    const view = await shop.send(withEvents(woo("woo_08_order_560_four_partial_refunds"), 0));
    expect(factsOf(view, "recipient_incomplete")).toMatchObject({ total: eur("1031.59") });
  });
});

test.runIf(hasPayloads)("what a shop lacks goes with its order", () => {
  const order = woo("woo_13_rest_docs_v3_order");
  expect([order.missing, order.breakdown[0]?.taxRate]).toEqual([undefined, decimal("7.5")]);
});
