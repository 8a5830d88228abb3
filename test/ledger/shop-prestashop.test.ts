/** PrestaShop: the preset of the shop's own states, and documents that are posted as XML. */
import { beforeEach, describe, expect, test } from "vitest";
import { STATUS_PRESETS } from "../../src/domain/shop/presets.ts";
import { mapOrder } from "../../src/domain/shop/prestashop/prestashop.ts";
import type { OrderState } from "../../src/domain/shop/tables.ts";
import { HOUR, NOON } from "../support/builders/callbacks.ts";
import { aNativeShop, type NativeShop } from "../support/worlds/native-shops.ts";
import { scriptedApi } from "../support/worlds/shop-deps.ts";

const FETCHING = {
  platform: "prestashop",
  url: "https://tienda.example",
  credentials: { key: "KEY123456789" },
  statuses: STATUS_PRESETS.prestashop,
} as const;
const STATES: Readonly<Record<string, OrderState>> = {
  "1": { paid: false, template: "cheque", name: "Esperando el cheque" },
  "2": { paid: true, template: "payment", name: "Pago aceptado" },
  "6": { paid: false, template: "order_canceled", name: "Cancelado" },
  "7": { paid: false, template: "refund", name: "Reembolsado" },
  "8": { paid: true, template: "payment_error", name: "Error en el pago" },
};
const PRESET = {
  ...{ "0": "nothing", "1": "nothing", "2": "invoice", "6": "cancelled", "7": "invoice", "8": "nothing" },
  deleted: "cancelled",
};

let now: number;
let states: Readonly<Record<string, OrderState>>;
let native: NativeShop;

beforeEach(async () => {
  [now, states] = [NOON, STATES];
  const { woocommerce: api, ...apis } = scriptedApi({
    readOrder: async () => ({ answer: "gone" }),
    listOrders: async () => ({ answer: "given", value: { orders: [] } }),
  });
  const readTables = async () => ({ answer: "given", value: { orderStates: states } }) as const;
  const prestashop = { ...api, readTables };
  native = await aNativeShop(
    { now: () => now },
    { prestashop: mapOrder },
    {
      ...apis,
      ...{ woocommerce: api, prestashop },
    },
  );
});

const settings = async () => {
  const [row] = await native.rows<{ readonly settings: string }>(
    "SELECT settings FROM shop WHERE connection_id = ?",
  );
  return JSON.parse(row?.settings ?? "{}");
};
const wake = async (at = now) => {
  now = at;
  await native.ledger.wake();
};

describe("the preset", () => {
  test("is the shop's own states, with one line by the service, and marks those that cancel", async () => {
    await native.connect(FETCHING);
    await wake();
    expect((await settings()).statuses).toEqual(PRESET);
    expect(
      await native.rows(
        "SELECT user_id, facts FROM audit_log WHERE connection_id = ? AND verb = 'adopt_shop_statuses'",
      ),
    ).toEqual([{ user_id: "operator", facts: '{"statuses":"7"}' }]);
    expect(
      await native.rows(
        "SELECT id_external FROM shop_status WHERE connection_id = ? AND cancelled = 1 ORDER BY id_external",
      ),
    ).toEqual([{ id_external: "6" }, { id_external: "deleted" }]);
  });

  test("follows the states that the shop adds", async () => {
    await native.connect(FETCHING);
    await wake();
    states = { ...STATES, "12": { paid: true, template: "" } };
    await wake(NOON + 25 * HOUR);
    expect((await settings()).statuses).toEqual({ ...PRESET, "12": "invoice" });
  });

  test("changes no map of the owner's own, also after another access", async () => {
    await native.connect(FETCHING);
    await wake();
    const statuses = { ...PRESET, "2": "nothing" } as typeof STATUS_PRESETS.prestashop;
    await native.act({ verb: "choose_shop_statuses", statuses });
    states = { ...STATES, "12": { paid: true } };
    await native.connect({ ...FETCHING, credentials: { key: "OTHER123456789" } });
    await wake(NOON + 25 * HOUR);
    expect(await settings()).toMatchObject({ statuses, areStatusesOwn: true });
    expect((await settings()).statuses).not.toHaveProperty("12");
  });
});

const XML = `<?xml version="1.0" encoding="UTF-8"?>
<prestashop xmlns:xlink="http://www.w3.org/1999/xlink">
  <order>
    <id><![CDATA[9004]]></id><reference><![CDATA[XKBK]]></reference>
    <id_currency xlink:href="https://t.es/api/currencies/1"><![CDATA[1]]></id_currency>
    <current_state><![CDATA[2]]></current_state>
    <date_add><![CDATA[2026-11-27 12:00:00]]></date_add>
    <total_paid_tax_incl><![CDATA[121.000000]]></total_paid_tax_incl>
  </order>
  <order_details>
    <order_detail>
      <id>1</id><product_quantity>1</product_quantity><product_name>Té &amp; pan</product_name>
      <total_price_tax_excl>100.000000</total_price_tax_excl>
      <total_price_tax_incl>121.000000</total_price_tax_incl>
      <associations><taxes nodeType="tax"><tax><id>1</id></tax></taxes></associations>
    </order_detail>
  </order_details>
  <taxes><tax><id>1</id><rate>21.000</rate></tax></taxes>
  <currency><id>1</id><iso_code>EUR</iso_code></currency>
</prestashop>`;

describe("documents as XML", () => {
  test("decide their order, and are stored in the form of JSON", async () => {
    await native.connect({ platform: "prestashop", statuses: { "2": "invoice" } });
    expect(await native.deliver(XML, { platform: "prestashop", topic: "order" })).toMatchObject({
      ...{ outcome: "received", as: "decided", order: { idExternal: "9004" } },
    });
    const [row] = await native.rows<{ readonly documents: string; readonly status: string }>(
      "SELECT documents, status FROM shop_document WHERE connection_id = ?",
    );
    const kept = new TextDecoder().decode(
      Uint8Array.from(atob(row?.documents ?? ""), (c) => c.charCodeAt(0)),
    );
    expect(JSON.parse(kept)).toMatchObject({
      order: { id: "9004", current_state: "2" },
      order_details: { order_detail: { product_name: "Té & pan" } },
    });
    const [order] = await native.rows<{ readonly facts: string }>(
      "SELECT facts FROM shop_order WHERE connection_id = ?",
    );
    expect(JSON.parse(order?.facts ?? "{}")).toMatchObject({ total: "121", breakdown: [{ taxRate: "21" }] });
  });

  test("with a document type are unreadable, and kept as such", async () => {
    await native.connect({ platform: "prestashop" });
    const hostile = XML.replace("<prestashop", '<!DOCTYPE p [<!ENTITY x "1">]><prestashop');
    expect(await native.deliver(hostile, { platform: "prestashop", topic: "order" })).toMatchObject({
      as: "unreadable",
    });
    expect(await native.rows("SELECT 1 FROM shop_order WHERE connection_id = ?")).toEqual([]);
  });
});
