/** Orders of real Magento shops, from their documents to the invoice, to the cent. */
import { describe, expect, test } from "vitest";
import type { SentOrder } from "../../src/domain/order/sent-order.ts";
import { type MagentoDocuments, mapOrder } from "../../src/domain/shop/magento/magento.ts";
import { STATUS_PRESETS } from "../../src/domain/shop/presets.ts";
import { hasPayloads, payload, payloadText } from "../support/builders/shop-payloads.ts";
import {
  AS_SENT,
  decidedIn,
  documentsIn,
  EXPORT,
  NL,
  outcomeIn,
  type PayloadRow,
  payloadShop,
  sentOf,
  withEvents,
} from "../support/worlds/shop-invoices.ts";

function magento(documents: MagentoDocuments, change: Partial<SentOrder> = {}): SentOrder {
  const mapped = mapOrder(documents, {});
  const order = mapped.order && { ...mapped.order, ...change };
  return sentOf({ ...mapped, ...(order ? { order } : {}) }, STATUS_PRESETS.magento);
}

const PROCESSING = { status: "processing" };

/** The official invoice, as the order that it is of. */
function invoiceAsOrder(): SentOrder {
  const { order_id: id, ...invoice } = JSON.parse(payloadText("magento2_01"));
  const order = { ...invoice, entity_id: id, state: "processing" };
  return magento({ order }, { client: { country: "US" }, delivery: { country: "US" } });
}

const MAGENTO: readonly PayloadRow[] = [
  {
    what: "2_01: a bundle with a parent without an amount, exported",
    order: invoiceAsOrder,
    mode: { ...EXPORT, rate: "1.1618" },
    outcome: "invoiced",
    documents: ["F2 165.00 / 0.00 / 165.00 USD [0: 165.00 / 0.00]"],
  },
  {
    what: "1_02: not paid yet",
    order: () => magento({ order: payload("magento1_02") }),
    mode: AS_SENT,
    outcome: "stored not_a_candidate",
  },
  {
    what: "1_02: half a cent of tax, in the one-stop shop",
    order: () => magento({ order: payload("magento1_02") }, PROCESSING),
    mode: NL,
    outcome: "invoiced",
    documents: ["F2 225.00 / 18.56 / 243.56 EUR [8.25: 225.00 / 18.56]"],
  },
  {
    what: "1_04: configurable parents with children at 0, untaxed shipping, in the one-stop shop",
    order: () => magento({ order: payload("magento1_04") }, PROCESSING),
    mode: NL,
    outcome: "invoiced",
    documents: ["F2 356.31 / 30.96 / 387.27 EUR [9: 344.00 / 30.96, 0: 12.31 / 0.00]"],
  },
  {
    what: "2_es: prices with tax, a discount in the lines",
    order: () => magento({ order: payload("magento2_es_21") }),
    mode: AS_SENT,
    outcome: "invoiced",
    documents: ["F1 40.00 / 8.40 / 48.40 EUR [21: 40.00 / 8.40]"],
  },
];

describe.runIf(hasPayloads)("Magento", () => {
  test.each(MAGENTO)("$what", async ({ order, mode, outcome, documents = [] }) => {
    const view = await decidedIn(mode, order());
    expect([outcomeIn(view), documentsIn(view)]).toEqual([outcome, documents]);
  });

  test("2_01: an invoice alone is no order", () => {
    const { order, missing } = mapOrder({ order: payload("magento2_01") }, {});
    expect([order, missing.map(({ what }) => what)]).toEqual([undefined, ["order"]]);
  });

  test.each([
    ["with its order", (order: SentOrder) => order],
    [
      "alone",
      (order: SentOrder) => ({
        ...order,
        events: mapOrder({ creditmemos: payload("magento2_es_creditmemo") }, {}).events,
      }),
    ],
  ])("2_es: then one unit goes back, by a credit memo that comes %s", async (_, refunded) => {
    const documents = {
      order: payload("magento2_es_21"),
      creditmemos: payload("magento2_es_creditmemo"),
    };
    const order = magento(documents);
    const shop = await payloadShop(AS_SENT);
    await shop.send(withEvents(order, 0));
    expect(documentsIn(await shop.send(refunded(order)))).toEqual([
      "F1 40.00 / 8.40 / 48.40 EUR [21: 40.00 / 8.40]",
      "R1 -18.00 / -3.78 / -21.78 EUR [21: -18.00 / -3.78]",
    ]);
  });
});
