/** Orders of real shops: put into the stand-in, delivered by it, and fetched by the product's own clients. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Mappers } from "../../src/domain/shop/documents.ts";
import { mapOrder as magento } from "../../src/domain/shop/magento/magento.ts";
import { prestashopPreset, type ShopPlatform, STATUS_PRESETS } from "../../src/domain/shop/presets.ts";
import { mapOrder as prestashop } from "../../src/domain/shop/prestashop/prestashop.ts";
import { mapOrder as shopify } from "../../src/domain/shop/shopify/shopify.ts";
import { mapOrder as woocommerce } from "../../src/domain/shop/woocommerce/woocommerce.ts";
import { shopApis } from "../../src/shops/shop-apis.ts";
import { HOUR, NOON } from "../support/builders/callbacks.ts";
import { bare, hasPayloads, parsed, payload, payloadText } from "../support/builders/shop-payloads.ts";
import { aNativeShop } from "../support/worlds/native-shops.ts";
import { orderConnector, orderIn } from "../support/worlds/order-calls.ts";
import {
  AS_SENT,
  documentsIn,
  ES_COMPANY,
  EXPORT,
  keepRates,
  type Mode,
  NL,
  OSS,
  outcomeIn,
  quote,
} from "../support/worlds/shop-invoices.ts";
import { CREDENTIALS, STAND_IN, standIn } from "../support/worlds/stand-in.ts";

const TOPICS: Readonly<Record<ShopPlatform, string>> = {
  ...{ woocommerce: "order.updated", shopify: "orders/updated", prestashop: "order", magento: "order" },
};
const MODULE = ["X-Cuadre-Signature", "X-Cuadre-Delivery-Id", "X-Cuadre-Topic"] as const;
const HEADERS: Readonly<Record<ShopPlatform, readonly [signature: string, id: string, topic: string]>> = {
  woocommerce: ["X-WC-Webhook-Signature", "X-WC-Webhook-Delivery-ID", "X-WC-Webhook-Topic"],
  shopify: ["X-Shopify-Hmac-SHA256", "X-Shopify-Webhook-Id", "X-Shopify-Topic"],
  prestashop: MODULE,
  magento: MODULE,
};
const PAID = Object.fromEntries(["2", "3", "4", "5", "7"].map((id) => [id, { paid: true }]));
const STATUSES = { ...STATUS_PRESETS, prestashop: prestashopPreset(PAID) };

/** The product's mappers, whose orders are changed as the mode says and dated behind the cutoff. */
function mappersIn({ change = (order) => order }: Mode): Mappers {
  const mappers = { woocommerce, shopify, prestashop, magento } satisfies Mappers;
  const dated = (mapped: ReturnType<typeof woocommerce>) => {
    const { order } = mapped;
    const orderDate = { local: "2026-11-20T12:00:00.000" };
    return order ? { ...mapped, order: { ...change(order), orderDate } } : mapped;
  };
  return {
    woocommerce: (documents, tables) => dated(mappers.woocommerce(documents, tables)),
    shopify: (documents, tables) => dated(mappers.shopify(documents, tables)),
    prestashop: (documents, tables) => dated(mappers.prestashop(documents, tables)),
    magento: (documents, tables) => dated(mappers.magento(documents, tables)),
  };
}

interface Setting {
  readonly platform: ShopPlatform;
  readonly mode: Mode;
  /** With credentials the shop is fetched from; without them the posted documents decide. */
  readonly by: "fetched" | "posted";
  /** Units of its currency per euro. */
  readonly rate?: string;
}

async function connected({ platform, mode, by, rate }: Setting) {
  const webhooks: { name: string; url: string; secret: string; sends: "documents" | "hint" }[] = [];
  const answers: unknown[] = [];
  const stand = standIn({
    webhooks,
    async receive({ headers, text }) {
      const [signature, deliveryId, topic] = HEADERS[platform].map((name) => headers.get(name) ?? "");
      const [row] = await native.rows<{ readonly nonce: string }>(
        "SELECT nonce FROM shop WHERE connection_id = ?",
      );
      const outcome = await native.ledger.receiveDelivery({
        ...{ connectionId: native.shop.connectionId, platform, requestId: "test", nonce: row?.nonce ?? "" },
        ...{ signature: signature ?? "", deliveryId: deliveryId ?? "", topic: topic ?? "" },
        body: Uint8Array.from(new TextEncoder().encode(text)),
      });
      answers.push(outcome);
      return Response.json(outcome, { status: outcome.outcome === "received" ? 200 : 400 });
    },
  });
  stand.now = NOON;
  const apis = shopApis({
    fetch: (url, init) => stand.fetch(url, init),
    after: () => () => {},
    now: () => stand.now,
    inTurn: (_, __, call) => call(),
    userAgent: "Cuadre/1.0.0",
  });
  const mappers = mappersIn(mode);
  const native = await aNativeShop({ now: () => stand.now }, mappers, apis);
  const access = CREDENTIALS[platform];
  const secret = await native.connect({
    ...{ platform, statuses: STATUSES[platform] },
    ...(by === "fetched" ? { url: `${STAND_IN}/${platform}`, credentials: access } : {}),
    ...(by === "posted" && platform === "shopify" ? { credentials: { secret: access.secret ?? "" } } : {}),
  });
  const sends = by === "fetched" ? "hint" : "documents";
  webhooks.push({
    name: "the shop's",
    url: "https://cuadre.example",
    sends,
    secret: secret || (access.secret ?? ""),
  });
  if (mode.sales) await native.act({ verb: "declare_sales", change: mode.sales });
  if (by === "posted" && platform === "prestashop") {
    const set = "UPDATE shop SET tables = ?, tables_at = ? WHERE connection_id = ?";
    const tables = { timeZone: "Europe/Madrid", currencies: { "1": "EUR" }, countries: { "6": "ES" } };
    const { connectionId } = native.shop;
    await env.LEDGER_000.prepare(set).bind(JSON.stringify(tables), NOON, connectionId).run();
  }
  await native.ledger.wake();
  return {
    ...{ stand, native, answers },
    async put(resource: string, id: string, document: unknown) {
      const answer = await stand.put(`/${platform}/_sandbox/${resource}/${id}`, document);
      if (!answer.ok) throw new Error(await answer.text());
      const read = rate === undefined ? {} : { order: bare(parsed(String(document))) };
      const { order } = mappers[platform]?.(read, {}) ?? {};
      if (order) await quote(order, rate);
    },
    /** Delivers, fetches what the delivery is a hint of, and answers the order as it is then. */
    async decided(id: string, topic = TOPICS[platform]) {
      const answer = await stand.deliver(platform, { topic, id });
      if (!answer.ok) throw new Error(await answer.text());
      stand.now += 10_000;
      await native.ledger.wake();
      const view = orderIn(await orderConnector(native.shop, native.ledger).read(id));
      return keepRates(native.shop, view);
    },
  };
}

interface Row {
  readonly what: string;
  readonly platform: ShopPlatform;
  readonly file: string;
  /** Members of the order that are not as found. */
  readonly with?: Readonly<Record<string, unknown>>;
  readonly mode: Mode;
  /** Units of its currency per euro. */
  readonly rate?: string;
  readonly outcome: string;
  readonly documents?: readonly string[];
}

const DOLLARS = "1.1618";
const PROCESSING = { state: "processing", status: "processing" };
const TO_HONG_KONG: Mode = {
  ...EXPORT,
  change: ({ client, ...order }) => ({
    ...order,
    client: { ...client, country: "HK" },
    delivery: { country: "HK" },
  }),
};

const ROWS: readonly Row[] = [
  {
    ...{ what: "woo_02: gift cards, and nothing declared", platform: "woocommerce", file: "woo_02" },
    ...{ mode: AS_SENT, rate: DOLLARS, outcome: "held foreign_customer" },
  },
  {
    ...{ what: "woo_02: exported", platform: "woocommerce", file: "woo_02", mode: EXPORT, rate: DOLLARS },
    ...{ outcome: "invoiced", documents: ["F2 28.00 / 0.00 / 28.00 USD [0: 28.00 / 0.00]"] },
  },
  {
    ...{ what: "woo_03: its two refunds netted", platform: "woocommerce", file: "woo_03", mode: EXPORT },
    ...{ rate: DOLLARS, outcome: "invoiced" },
    documents: ["F2 280.15 / 0.00 / 280.15 USD [0: 280.15 / 0.00]"],
  },
  {
    ...{ what: "woo_06: as sent", platform: "woocommerce", file: "woo_06", mode: AS_SENT, rate: DOLLARS },
    outcome: "held foreign_customer",
  },
  {
    ...{ what: "woo_06: in the one-stop shop", platform: "woocommerce", file: "woo_06", mode: NL },
    outcome: "invoiced",
    documents: ["F2 1619.73 / 108.58 / 1728.31 EUR [7: 1551.00 / 108.58, 0: 68.73 / 0.00]"],
  },
  {
    ...{ what: "woo_12: a renewal", platform: "woocommerce", file: "woo_12", mode: EXPORT, rate: DOLLARS },
    ...{ outcome: "invoiced", documents: ["F2 14.50 / 0.00 / 14.50 USD [0: 14.50 / 0.00]"] },
  },
  {
    ...{ what: "woo_13: as sent", platform: "woocommerce", file: "woo_13", mode: AS_SENT, rate: DOLLARS },
    outcome: "held foreign_customer",
  },
  {
    ...{ what: "woo_13: the official example", platform: "woocommerce", file: "woo_13", mode: NL },
    outcome: "invoiced",
    documents: ["F2 28.00 / 1.35 / 29.35 EUR [7.5: 18.00 / 1.35, 0: 10.00 / 0.00]"],
  },
  {
    ...{ what: "woo_es: three rates", platform: "woocommerce", file: "woo_es", mode: AS_SENT },
    outcome: "invoiced",
    documents: ["F1 41.19 / 4.83 / 46.02 EUR [4: 17.22 / 0.69, 10: 8.10 / 0.81, 21: 15.87 / 3.33]"],
  },
  {
    ...{ what: "shopify_01: złoty", platform: "shopify", file: "shopify_01", mode: OSS },
    ...{ rate: "4.25", outcome: "invoiced" },
    documents: ["F2 1746.00 / 401.58 / 2147.58 PLN [23: 1746.00 / 401.58]"],
  },
  {
    ...{ what: "shopify_02: no address", platform: "shopify", file: "shopify_02", mode: AS_SENT },
    ...{ rate: "9.05", outcome: "held country_unknown" },
  },
  {
    ...{ what: "shopify_02: to Hong Kong", platform: "shopify", file: "shopify_02", mode: TO_HONG_KONG },
    ...{ rate: "9.05", outcome: "invoiced" },
    documents: ["F2 186.90 / 0.00 / 186.90 HKD [0: 186.90 / 0.00]"],
  },
  {
    ...{ what: "shopify_05: a test", platform: "shopify", file: "shopify_05", mode: AS_SENT },
    outcome: "stored test_order",
  },
  {
    ...{ what: "shopify_05: in earnest", platform: "shopify", file: "shopify_05", with: { test: false } },
    ...{ mode: ES_COMPANY, outcome: "invoiced" },
    documents: ["F1 320.00 / 0.00 / 320.00 EUR [0: 320.00 / 0.00]"],
  },
  {
    ...{ what: "shopify_07: the sample of a test", platform: "shopify", file: "shopify_07", mode: AS_SENT },
    outcome: "stored test_order",
  },
  {
    ...{ what: "magento1_02: not paid yet", platform: "magento", file: "magento1_02", mode: AS_SENT },
    outcome: "stored not_a_candidate",
  },
  {
    ...{ what: "magento1_02: half a cent", platform: "magento", file: "magento1_02", with: PROCESSING },
    ...{ mode: NL, outcome: "invoiced" },
    documents: ["F2 225.00 / 18.56 / 243.56 EUR [8.25: 225.00 / 18.56]"],
  },
  {
    ...{ what: "magento1_04: children at 0", platform: "magento", file: "magento1_04", with: PROCESSING },
    ...{ mode: NL, outcome: "invoiced" },
    documents: ["F2 356.31 / 30.96 / 387.27 EUR [9: 344.00 / 30.96, 0: 12.31 / 0.00]"],
  },
  {
    ...{ what: "magento2_es: prices with tax", platform: "magento", file: "magento2_es_21", mode: AS_SENT },
    outcome: "invoiced",
    documents: ["F1 40.00 / 8.40 / 48.40 EUR [21: 40.00 / 8.40]"],
  },
  {
    ...{ what: "prestashop_01: XML, not paid", platform: "prestashop", file: "prestashop_01", mode: AS_SENT },
    outcome: "stored not_a_candidate",
  },
  {
    ...{ what: "prestashop_es: a voucher over two rates", platform: "prestashop", file: "prestashop_es" },
    ...{ mode: AS_SENT, outcome: "invoiced" },
    documents: ["F1 26.50 / 5.07 / 31.57 EUR [21: 22.00 / 4.62, 10: 4.50 / 0.45]"],
  },
];

/** The document as it is sent, and its id. */
function documentOf({ file, with: change = {} }: Row): readonly [id: string, document: unknown] {
  const text = payloadText(file);
  const [, xmlId] = /<id><!\[CDATA\[(\d+)\]\]><\/id>/.exec(text) ?? [];
  if (xmlId !== undefined) return [xmlId, text];
  const found = bare(payload(file));
  const id = found.first("entity_id", "id", "order_id").id() ?? found.at("order", "id").id() ?? "";
  if (Object.keys(change).length === 0) return [id, text];
  const order = JSON.parse(text);
  return [id, { ...(order.order ?? order.data ?? order), ...change }];
}

const BY = ["fetched", "posted"] as const;
const BOTH = ROWS.flatMap((row) => (["fetched", "posted"] as const).map((by) => ({ ...row, by })));

describe.runIf(hasPayloads)("an order that the stand-in delivers", () => {
  test.each(BOTH)("$what, $by", async (row) => {
    const { platform, mode, rate, by } = row;
    const shop = await connected({ platform, mode, by, ...(rate ? { rate } : {}) });
    const [id, document] = documentOf(row);
    await shop.put("orders", id, document);
    const view = await shop.decided(id);
    expect([outcomeIn(view), documentsIn(view)]).toEqual([row.outcome, row.documents ?? []]);
  });

  test("woo_01: a total without its fee and shipping is held", async () => {
    const shop = await connected({ platform: "woocommerce", mode: AS_SENT, by: "fetched", rate: DOLLARS });
    await shop.put("orders", bare(payload("woo_01")).at("id").id() ?? "", payloadText("woo_01"));
    const view = await shop.decided(bare(payload("woo_01")).at("id").id() ?? "");
    const codes = view.reasons.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(["totals_mismatch", "foreign_customer"]));
  });

  test("woo_08: to a company at home, then its four refunds", async () => {
    const shop = await connected({ platform: "woocommerce", mode: ES_COMPANY, by: "fetched" });
    const order = JSON.parse(payloadText("woo_08"));
    await shop.put("orders", "560", { ...order, refunds: [] });
    expect(documentsIn(await shop.decided("560"))).toEqual([
      "F1 1198.50 / 0.00 / 1198.50 EUR [0: 1198.50 / 0.00]",
    ]);
    await shop.put("refunds", "560", payloadText("woo_09"));
    const texts = documentsIn(await shop.decided("560")).map((text) => text.replace(/ EUR.*/, ""));
    expect(texts.toSorted()).toEqual([
      "F1 1198.50 / 0.00 / 1198.50",
      "R1 -117.00 / 0.00 / -117.00",
      "R1 -18.00 / 0.00 / -18.00",
      "R1 -27.00 / 0.00 / -27.00",
      "R1 -63.00 / 0.00 / -63.00",
    ]);
  });

  test.each(["fetched", "posted"] as const)("shopify_05, then its refund, %s", async (by) => {
    const shop = await connected({ platform: "shopify", mode: ES_COMPANY, by });
    const { order } = JSON.parse(payloadText("shopify_05"));
    const id = String(order.id);
    await shop.put("orders", id, { ...order, test: false, financial_status: "paid", refunds: [] });
    await shop.decided(id);
    await shop.put("refunds", id, payloadText("shopify_06"));
    expect(documentsIn(await shop.decided(id, "refunds/create"))).toEqual([
      "F1 470.00 / 0.00 / 470.00 EUR [0: 470.00 / 0.00]",
      "R1 -150.00 / 0.00 / -150.00 EUR [0: -150.00 / 0.00]",
    ]);
  });

  test.each(["fetched", "posted"] as const)("magento2_es, then its credit memo, %s", async (by) => {
    const shop = await connected({ platform: "magento", mode: AS_SENT, by });
    await shop.put("orders", "9005", payloadText("magento2_es_21"));
    await shop.decided("9005");
    await shop.put("creditmemos", "1", payloadText("magento2_es_creditmemo"));
    const answer = await shop.stand.deliver("magento", { topic: "creditmemo", id: "1" });
    expect(answer.status).toBe(200);
    expect(documentsIn(await shop.decided("9005"))).toEqual([
      "F1 40.00 / 8.40 / 48.40 EUR [21: 40.00 / 8.40]",
      "R1 -18.00 / -3.78 / -21.78 EUR [21: -18.00 / -3.78]",
    ]);
  });

  test.each(BY)("woo_04: a refund whose money is not its lines leaves the invoice, %s", async (by) => {
    const shop = await connected({ platform: "woocommerce", mode: AS_SENT, by });
    const id = bare(payload("woo_es")).at("id").id() ?? "";
    await shop.put("orders", id, payloadText("woo_es"));
    const sold = documentsIn(await shop.decided(id));
    await shop.put("refunds", id, payloadText("woo_04"));
    const view = await shop.decided(id);
    // A webhook of WooCommerce has the sums of the refunds alone.
    const isHeld = by === "fetched";
    const codes = view.reasons.map(({ code }) => code);
    expect([view.state, codes.includes("correction_amount_mismatch")]).toEqual(["held", isHeld]);
    expect(documentsIn(view)).toEqual(sold);
  });

  test.each(BY)("shopify_03: a refund whose money is not its lines leaves the invoice, %s", async (by) => {
    const shop = await connected({ platform: "shopify", mode: NL, by });
    const { refund } = JSON.parse(payloadText("shopify_03"));
    const id = String(refund.order_id);
    const lines = refund.refund_line_items.map((line: { line_item_id: number }) => ({
      ...{ id: line.line_item_id, title: "iPod nano", quantity: 1, price: "199.00", requires_shipping: true },
      tax_lines: [{ title: "State Tax", rate: 0.06, price: "11.94" }],
    }));
    await shop.put("orders", id, {
      ...{ id: refund.order_id, name: "#1001", created_at: "2026-11-20T10:00:00Z", currency: "USD" },
      ...{ total_price: "421.88", total_tax: "23.88", taxes_included: false, financial_status: "paid" },
      ...{ line_items: lines, tax_lines: [{ title: "State Tax", rate: 0.06, price: "23.88" }] },
      ...{ refunds: [], discount_applications: [], shipping_lines: [], test: false },
    });
    const sold = ["F2 398.00 / 23.88 / 421.88 EUR [6: 398.00 / 23.88]"];
    expect(documentsIn(await shop.decided(id))).toEqual(sold);
    await shop.put("refunds", id, payloadText("shopify_03"));
    const view = await shop.decided(id, "refunds/create");
    expect(view.reasons.map(({ code }) => code)).toContain("correction_amount_mismatch");
    expect(documentsIn(view)).toEqual(sold);
  });

  test.each([
    ["fetched", "accepted"],
    ["posted", "unreadable"],
  ] as const)("shopify_08: a refund of an order that is not known issues nothing, %s", async (by, as) => {
    const shop = await connected({ platform: "shopify", mode: AS_SENT, by });
    const refund = bare(payload("shopify_08"));
    await shop.put("refunds", refund.at("order_id").id() ?? "", payloadText("shopify_08"));
    const id = refund.at("id").id();
    const answer = await shop.stand.deliver("shopify", { topic: "refunds/create", id: id ?? "" });
    expect(answer.status).toBe(200);
    for (const afterMs of [10_000, 10_000, 60_000, 300_000]) {
      shop.stand.now += afterMs;
      await shop.native.ledger.wake();
    }
    expect(shop.answers).toMatchObject([{ outcome: "received", as }]);
    expect(await shop.native.rows("SELECT 1 FROM shop_order WHERE connection_id = ?")).toEqual([]);
  });

  test.each(BY)("magento2_01: a bundle whose parent has no amount, exported, %s", async (by) => {
    const { change } = EXPORT;
    const toTheStates: Mode = {
      ...EXPORT,
      change: (order) => {
        const { client, ...sold } = change ? change(order) : order;
        return { ...sold, client: { ...client, country: "US" }, delivery: { country: "US" } };
      },
    };
    const shop = await connected({ platform: "magento", mode: toTheStates, by, rate: DOLLARS });
    const { order_id: id, ...invoice } = JSON.parse(payloadText("magento2_01"));
    await shop.put("orders", String(id), JSON.stringify({ ...invoice, entity_id: id, ...PROCESSING }));
    const view = await shop.decided(String(id));
    expect([outcomeIn(view), documentsIn(view)]).toEqual([
      "invoiced",
      ["F2 165.00 / 0.00 / 165.00 USD [0: 165.00 / 0.00]"],
    ]);
  });

  test.each(BY)("prestashop_02: a module's payment fee with a rate of its own, %s", async (by) => {
    const shop = await connected({ platform: "prestashop", mode: OSS, by });
    const text = payloadText("prestashop_02");
    const [amount, quantity] = [/<fees>\s*<amount>([^<]*)/, /<qty>([^<]*)/].map((at) => at.exec(text)?.[1]);
    await shop.put("orders", "1256", {
      order: {
        ...{ id: "1256", id_currency: "1", current_state: "2", date_add: "2026-11-20 10:00:00" },
        ...{ total_paid_tax_incl: "274.63", total_shipping_tax_excl: "8.200000" },
        ...{ total_shipping_tax_incl: "10.004000", carrier_tax_rate: "22.000" },
        ...{ fees: { amount, tax_rate: "22.000000" }, associations: {} },
      },
      order_details: [
        {
          ...{ id: "1", id_order: "1256", product_name: "ISA009026", product_quantity: quantity },
          ...{ total_price_tax_excl: "209.016390", total_price_tax_incl: "254.999996" },
          associations: { taxes: [{ id: "1" }] },
        },
      ],
      taxes: [{ id: "1", rate: "22.000" }],
      address_invoice: { id: "5", firstname: "Nombre", lastname: "Apellido", id_country: "10" },
      country_invoice: { id: "10", iso_code: "IT" },
    });
    // The tables of its ids are read once a day.
    shop.stand.now += 25 * HOUR;
    await shop.native.ledger.wake();
    const view = await shop.decided("1256");
    expect([outcomeIn(view), documentsIn(view)]).toEqual([
      "invoiced",
      ["F2 225.11 / 49.52 / 274.63 EUR [22: 225.11 / 49.52]"],
    ]);
  });

  test.each(BY)("prestashop_03: a currency without decimals, not paid yet, %s", async (by) => {
    const shop = await connected({ platform: "prestashop", mode: EXPORT, by });
    await shop.put("currencies", "3", { id: 3, iso_code: "XOF", name: "Franc CFA" });
    const { order } = JSON.parse(payloadText("prestashop_03"));
    await shop.put("orders", "114", { order });
    const view = await shop.decided("114");
    expect([outcomeIn(view), documentsIn(view)]).toEqual(["stored not_a_candidate", []]);
    const lacking = await shop.native.rows("SELECT missing FROM shop_document WHERE connection_id = ?");
    expect(lacking).toEqual([{ missing: "[]" }]);
  });

  test("an order that is put is found by the search for changes, without any delivery", async () => {
    for (const [platform, file] of [
      ["woocommerce", "woo_es"],
      ["prestashop", "prestashop_es"],
      ["magento", "magento2_es_21"],
    ] as const) {
      const shop = await connected({ platform, mode: AS_SENT, by: "fetched" });
      const row = ROWS.find((each) => each.file === file);
      const [id, document] = row ? documentOf(row) : ["", ""];
      await shop.put("orders", id, document);
      shop.stand.now += HOUR;
      await shop.native.ledger.wake();
      const view = orderIn(await orderConnector(shop.native.shop, shop.native.ledger).read(id));
      expect([platform, view.state]).toEqual([platform, "invoiced"]);
      expect(shop.answers).toEqual([]);
    }
  });
});
