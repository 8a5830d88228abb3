/** Orders of real Shopify shops, from their documents to the invoice, to the cent. */
import { describe, expect, test } from "vitest";
import type { SentOrder } from "../../src/domain/order/sent-order.ts";
import { STATUS_PRESETS } from "../../src/domain/shop/presets.ts";
import { mapOrder } from "../../src/domain/shop/shopify/shopify.ts";
import { eur } from "../support/builders/facts.ts";
import { hasPayloads, payload } from "../support/builders/shop-payloads.ts";
import { objectOf } from "../support/worlds/ledger-client.ts";
import { openCommerce } from "../support/worlds/order-calls.ts";
import { callerOf } from "../support/worlds/shop.ts";
import {
  AS_SENT,
  decidedIn,
  documentsIn,
  ES_COMPANY,
  EXPORT,
  factsOf,
  NL,
  OSS,
  outcomeIn,
  type PayloadRow,
  payloadShop,
  sentOf,
  withEvents,
} from "../support/worlds/shop-invoices.ts";

function shopify(name: string, change: Partial<SentOrder> = {}): SentOrder {
  const mapped = mapOrder({ order: payload(name) }, {});
  const order = mapped.order && { ...mapped.order, ...change };
  return sentOf({ ...mapped, ...(order ? { order } : {}) }, STATUS_PRESETS.shopify);
}

const IN_EARNEST = { test: false } as const;
const TO_HONG_KONG = { client: { country: "HK" }, delivery: { country: "HK" } };

const SHOPIFY: readonly PayloadRow[] = [
  {
    what: "01: złoty in the one-stop shop, above the limit of simplified invoices",
    order: () => shopify("shopify_01"),
    mode: { ...OSS, rate: "4.25" },
    outcome: "invoiced",
    documents: ["F2 1746.00 / 401.58 / 2147.58 PLN [23: 1746.00 / 401.58]"],
  },
  {
    what: "02: no address at all",
    order: () => shopify("shopify_02"),
    mode: { ...AS_SENT, rate: "9.05" },
    outcome: "held country_unknown",
  },
  {
    what: "02: two discounts on one line, exported to Hong Kong",
    order: () => shopify("shopify_02", TO_HONG_KONG),
    mode: { ...EXPORT, rate: "9.05" },
    outcome: "invoiced",
    documents: ["F2 186.90 / 0.00 / 186.90 HKD [0: 186.90 / 0.00]"],
  },
  {
    what: "05: a test",
    order: () => shopify("shopify_05"),
    mode: AS_SENT,
    outcome: "stored test_order",
  },
  {
    what: "05: in earnest to a company, its refund netted",
    order: () => shopify("shopify_05", IN_EARNEST),
    mode: ES_COMPANY,
    outcome: "invoiced",
    documents: ["F1 320.00 / 0.00 / 320.00 EUR [0: 320.00 / 0.00]"],
  },
  {
    what: "07: the sample of a test of webhooks",
    order: () => shopify("shopify_07"),
    mode: AS_SENT,
    outcome: "stored test_order",
  },
];

describe.runIf(hasPayloads)("Shopify", () => {
  test.each(SHOPIFY)("$what", async ({ order, mode, outcome, documents = [] }) => {
    const view = await decidedIn(mode, order());
    expect([outcomeIn(view), documentsIn(view)]).toEqual([outcome, documents]);
  });

  test("01: in euros, where the QR has the base alone", async () => {
    const view = await decidedIn({ ...OSS, rate: "4.25" }, shopify("shopify_01"));
    const [group] = view.invoices.flatMap(({ groups }) => groups);
    expect(group?.eur).toMatchObject({ base: "410.82", tax: "94.49" });
  });

  test("03: a refund whose money is not its lines leaves the invoice as it is", async () => {
    const refund = payload("shopify_03");
    const items = refund.at("refund", "refund_line_items").items();
    // The document says 6 % and has 2 % of tax, which no order is invoiced with.
    const lines = items.map((line) => ({
      ...{ id: line.at("line_item_id").id(), quantity: 1, price: "199.00" },
      tax_lines: [{ title: "State Tax", rate: 0.06, price: "11.94" }],
    }));
    const sold = {
      ...{ id: 450789469, created_at: "2026-11-20T10:00:00Z", currency: "USD", total_price: "421.88" },
      ...{ taxes_included: false, financial_status: "paid", line_items: lines },
    };
    const { events } = mapOrder({ refunds: refund }, { taxesIncluded: false });
    const order = sentOf(mapOrder({ order: sold }, {}), STATUS_PRESETS.shopify);
    const shop = await payloadShop(NL);
    const first = await shop.keepRates(await shop.send(order));
    expect(documentsIn(first)).toEqual(["F2 398.00 / 23.88 / 421.88 EUR [6: 398.00 / 23.88]"]);
    const view = await shop.send({ ...order, events });
    expect(view.reasons.map(({ code }) => code)).toContain("correction_amount_mismatch");
    expect(factsOf(view, "correction_amount_mismatch")).toMatchObject({
      lines_total: eur("-405.96"),
      amount: eur("-209.00"),
    });
    expect(documentsIn(view)).toHaveLength(1);
  });

  test.each([
    ["in the order", (order: SentOrder) => order],
    [
      "alone",
      (order: SentOrder) => ({
        ...order,
        events: mapOrder({ refunds: payload("shopify_06") }, { taxesIncluded: true }).events,
      }),
    ],
  ])("05: in earnest to a company, then its refund, which comes %s", async (_, refunded) => {
    const order = shopify("shopify_05", IN_EARNEST);
    const shop = await payloadShop(ES_COMPANY);
    await shop.send(withEvents(order, 0));
    expect(documentsIn(await shop.send(refunded(order)))).toEqual([
      "F1 470.00 / 0.00 / 470.00 EUR [0: 470.00 / 0.00]",
      "R1 -150.00 / 0.00 / -150.00 EUR [0: -150.00 / 0.00]",
    ]);
  });

  test("07: as if it were real, its discount is in no line", async () => {
    const order = shopify("shopify_07", { ...IN_EARNEST, status: "paid" });
    const view = await decidedIn({ ...EXPORT, rate: "1.1618" }, order);
    expect(outcomeIn(view)).toMatch(/^held totals_mismatch/);
    const { computed, total } = factsOf(view, "totals_mismatch") ?? {};
    expect([computed, total]).toMatchObject([{ amount: "424.95" }, { amount: "404.95" }]);
    expect(factsOf(view, "shop_facts_contradict")).toMatchObject({ what: { phrase: "discounts" } });
  });

  test("08: a refund of an order that is not known issues nothing", async () => {
    const { idExternal = "", order, events } = mapOrder({ refunds: payload("shopify_08") }, {});
    expect([order, events.length]).toEqual([undefined, 1]);
    const shop = await openCommerce();
    const sent = { idExternal, events, refunds: [], contractVersion: "1.9" };
    const outcome = await objectOf(shop).submitEvents(callerOf(shop), { sent, preview: false });
    expect(outcome).toMatchObject({ outcome: "refused", refusal: { code: "order_not_found" } });
  });
});
