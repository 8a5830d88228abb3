/** The shops' documents of `npm run prove:crash`: each of them makes the outcome that its plan expects. */
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Mappers } from "../../src/domain/shop/documents.ts";
import { mapOrder as magento } from "../../src/domain/shop/magento/magento.ts";
import {
  prestashopPreset,
  SHOP_PLATFORMS,
  type ShopPlatform,
  STATUS_PRESETS,
} from "../../src/domain/shop/presets.ts";
import { mapOrder as prestashop } from "../../src/domain/shop/prestashop/prestashop.ts";
import { mapOrder as shopify } from "../../src/domain/shop/shopify/shopify.ts";
import { mapOrder as woocommerce } from "../../src/domain/shop/woocommerce/woocommerce.ts";
import { shopApis } from "../../src/shops/shop-apis.ts";
import type { ShopWay } from "../prove/crash/call.ts";
import { NATIVE_FORMS, type NativeOrder } from "../prove/crash/shops/documents.ts";
import { aNativeShop } from "../support/worlds/native-shops.ts";
import { orderConnector, orderIn } from "../support/worlds/order-calls.ts";
import { CREDENTIALS, NOON, STAND_IN, standIn } from "../support/worlds/stand-in.ts";

const MAPPERS = { woocommerce, shopify, prestashop, magento } satisfies Mappers;
const PAID = Object.fromEntries(["2", "3", "4", "5", "7"].map((id) => [id, { paid: true }]));
const CANCELLED = { "6": { paid: false, template: "order_canceled" } };
const STATUSES = { ...STATUS_PRESETS, prestashop: prestashopPreset({ ...PAID, ...CANCELLED }) };
const WAYS: readonly ShopWay[] = ["posting", "fetching"];

async function connected(platform: ShopPlatform, way: ShopWay) {
  const stand = standIn();
  stand.now = NOON;
  const apis = shopApis({
    fetch: (url, init) => stand.fetch(url, init),
    after: () => () => {},
    now: () => stand.now,
    inTurn: (_, __, call) => call(),
    userAgent: "Cuadre/1.0.0",
  });
  const native = await aNativeShop({ now: () => stand.now }, MAPPERS, apis);
  const { shop, ledger } = native;
  await native.connect({
    ...{ platform, statuses: STATUSES[platform] },
    ...(way === "fetching" ? { url: `${STAND_IN}/${platform}`, credentials: CREDENTIALS[platform] } : {}),
    ...(way === "posting" && platform === "shopify" ? { credentials: { secret: "shpss_test" } } : {}),
  });
  if (way === "posting" && platform === "prestashop") {
    const tables = { timeZone: "Europe/Madrid", currencies: { "1": "EUR" }, countries: { "6": "ES" } };
    const set = "UPDATE shop SET tables = ?, tables_at = ? WHERE connection_id = ?";
    await env.LEDGER_000.prepare(set).bind(JSON.stringify(tables), NOON, shop.connectionId).run();
  }
  const secret = CREDENTIALS[platform].secret;
  return async (order: NativeOrder): Promise<readonly [state: string, ...documents: string[]]> => {
    const { puts, posted, topic } = NATIVE_FORMS[platform];
    if (way === "fetching") {
      for (const { resource, id, document } of puts(order)) {
        const answer = await stand.put(`/${platform}/_sandbox/${resource}/${id}`, document);
        if (!answer.ok) throw new Error(await answer.text());
      }
    }
    const received = await native.deliver(posted(order), {
      ...{ platform, topic },
      ...(platform === "shopify" && secret !== undefined ? { secret } : {}),
    });
    expect(received).toMatchObject({ as: way === "posting" ? "decided" : "accepted" });
    stand.now += 10_000;
    await ledger.wake();
    const { state, reasons, invoices } = orderIn(await orderConnector(shop, ledger).read(order.id));
    return [state, ...reasons.map(({ code }) => code), ...invoices.map(({ totals }) => totals.total)];
  };
}

const ORDER: NativeOrder = {
  ...{ id: "7001000", orderedAt: NOON - 3_600_000, modifiedAt: NOON - 3_000_000, status: "waiting" },
};

describe.each(SHOP_PLATFORMS)("%s", (platform) => {
  test.each(WAYS)("%s: waits, is paid, and one of two pieces comes back", async (way) => {
    const decided = await connected(platform, way);
    expect(await decided(ORDER)).toEqual(["stored", "not_a_candidate"]);
    const paid = { ...ORDER, status: "paid", modifiedAt: NOON - 2_000_000 } as const;
    expect(await decided(paid)).toEqual(["invoiced", "24.2"]);
    const refunded = { ...paid, isRefunded: true, modifiedAt: NOON - 1_000_000 };
    expect(await decided(refunded)).toEqual(["partially_rectified", "24.2", "-12.1"]);
  });

  test.each(WAYS)("%s: is cancelled before its invoice", async (way) => {
    const decided = await connected(platform, way);
    await decided(ORDER);
    expect(await decided({ ...ORDER, status: "cancelled", modifiedAt: NOON })).toEqual([
      "cancelled",
      "cancelled_before_invoice",
    ]);
  });
});
