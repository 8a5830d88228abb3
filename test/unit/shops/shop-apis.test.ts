/** The calls of shops' APIs against scripted answers: authentication, paths, paging, refusals. */
import { describe, expect, test } from "vitest";
import type { OpenedShop, ShopApi } from "../../../src/platform/shop-api.ts";
import { type AskDeps, turns } from "../../../src/shops/ask.ts";
import { shopApis } from "../../../src/shops/shop-apis.ts";

const ALL_ORDERS = { accessScopes: [{ handle: "read_orders" }, { handle: "read_all_orders" }] };
const NOON = Date.UTC(2026, 10, 27, 12);
const URLS = {
  woocommerce: "https://tienda.example",
  shopify: "https://tienda.myshopify.com",
  prestashop: "https://tienda.example/ps",
  magento: "https://tienda.example",
} as const;
const CREDENTIALS = {
  woocommerce: { consumer_key: "ck", consumer_secret: "cs" },
  shopify: { token: "shpat_x", secret: "s" },
  prestashop: { key: "KEY" },
  magento: { token: "T" },
} as const;

interface Asked {
  readonly method: string | undefined;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

type Script = (path: string, body: string | undefined) => Response | unknown;

function json(value: unknown, headers: Record<string, string> = {}, status = 200): Response {
  return new Response(JSON.stringify(value), { headers, status });
}

const nothingThere = () => new Response("", { status: 404 });

function aShop(platform: keyof typeof URLS, script: Script, change: Partial<AskDeps> = {}) {
  const asked: Asked[] = [];
  const apis = shopApis({
    fetch: async (url, { headers, body, redirect, method }) => {
      expect(redirect).toBe("manual");
      const sent = body === undefined || body === null ? undefined : String(body);
      asked.push({ method, url, headers: Object.fromEntries(new Headers(headers)), body: sent });
      const answer = script(decodeURIComponent(url.slice(URLS[platform].length)), sent);
      return answer instanceof Response ? answer : json(answer);
    },
    after: () => () => {},
    now: () => NOON,
    inTurn: (_, __, call) => call(),
    userAgent: "Cuadre/1.0.0",
    ...change,
  });
  const shop: OpenedShop = { platform, url: URLS[platform], credentials: CREDENTIALS[platform] };
  const api: ShopApi = apis[platform];
  return { asked, api, shop };
}

describe("an answer", () => {
  const rows: readonly (readonly [string, () => Response, object])[] = [
    [
      "404 in WooCommerce's own words",
      () => json({ code: "woocommerce_rest_shop_order_invalid_id", message: "x" }, {}, 404),
      { answer: "gone" },
    ],
    ["404 without words", () => new Response("", { status: 404 }), { answer: "failed", cause: "not_found" }],
    [
      "404 of a page",
      () => new Response("<html>woocommerce_rest_shop_order_invalid_id", { status: 404 }),
      { answer: "failed", cause: "not_found" },
    ],
    [
      "404 of a WordPress without WooCommerce",
      () => json({ code: "rest_no_route", message: "x" }, {}, 404),
      { answer: "failed", cause: "not_found" },
    ],
    ["410", () => new Response("", { status: 410 }), { answer: "failed", cause: "not_found" }],
    ["401", () => new Response("", { status: 401 }), { answer: "refused" }],
    ["403", () => new Response("", { status: 403 }), { answer: "refused" }],
    ["500", () => new Response("", { status: 500 }), { answer: "failed", cause: "server_error" }],
    ["400", () => new Response("", { status: 400 }), { answer: "failed", cause: "client_error" }],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { Location: "https://10.0.0.1/" } }),
      { answer: "failed", cause: "redirected" },
    ],
    ["a page", () => new Response("<html>"), { answer: "failed", cause: "not_json" }],
    ["half a document", () => new Response('{"id":"1"'), { answer: "failed", cause: "not_json" }],
    ["another order", () => json({ id: 2 }), { answer: "failed", cause: "unexpected" }],
    ["5 MiB", () => new Response(`"${"x".repeat(5 * 1_048_576)}"`), { answer: "failed", cause: "too_large" }],
    [
      "429 with seconds",
      () => new Response("", { status: 429, headers: { "Retry-After": "90" } }),
      { answer: "failed", cause: "rate_limited", waitMs: 90_000 },
    ],
    [
      "503 with a date",
      () =>
        new Response("", { status: 503, headers: { "Retry-After": new Date(NOON + 5_000).toUTCString() } }),
      { answer: "failed", cause: "server_error", waitMs: 5_000 },
    ],
    [
      "429 for a day",
      () => new Response("", { status: 429, headers: { "Retry-After": "86400" } }),
      { answer: "failed", cause: "rate_limited", waitMs: 3_600_000 },
    ],
    [
      "a broken connection",
      () => {
        throw new TypeError("https://tienda.example cannot be reached");
      },
      { answer: "failed", cause: "no_connection" },
    ],
  ];
  test.each(rows)("%s", async (_, answer, expected) => {
    const { api, shop } = aShop("woocommerce", answer);
    expect(await api.readOrder(shop, "1")).toEqual(expected);
  });

  test.each([
    ["that breaks once is asked for again at once", 1, "given", 2],
    ["that breaks twice is a failure", 2, "failed", 2],
  ] as const)("%s", async (_, breaks, expected, calls) => {
    let broken = 0;
    const { api, shop, asked } = aShop("magento", () => {
      broken += 1;
      if (broken <= breaks) throw new TypeError("the kept connection was closed");
      return { items: [], total_count: 0 };
    });
    const { answer } = await api.listOrders(shop, { by: "modified", since: NOON });
    expect([answer, asked.length]).toEqual([expected, calls]);
  });

  test("a change that breaks is not made again: it may have been made", async () => {
    const { api, shop, asked } = aShop("woocommerce", () => {
      throw new TypeError("the connection was closed");
    });
    const target = { topic: "order.updated", url: "https://api.example/v1/shops/woocommerce/sa_1" };
    expect(await api.webhooks?.create(shop, target)).toEqual({ answer: "failed", cause: "no_connection" });
    expect(asked).toHaveLength(1);
  });

  test("that does not come in 20 seconds is given up", async () => {
    const limits: number[] = [];
    const { api, shop } = aShop("woocommerce", () => new Promise(() => {}), {
      fetch: () => new Promise(() => {}),
      after: (delayMs, callback) => {
        limits.push(delayMs);
        queueMicrotask(callback);
        return () => {};
      },
    });
    expect(await api.readOrder(shop, "1")).toEqual({ answer: "failed", cause: "timeout" });
    expect(limits).toEqual([20_000]);
  });
});

describe("WooCommerce", () => {
  test("an order is read with six decimals and its refunds, by HTTP Basic", async () => {
    const { asked, api, shop } = aShop("woocommerce", (path) =>
      path.includes("/refunds")
        ? [{ id: 7, amount: "1.0" }]
        : { id: 9004, total: "1.10", refunds: [{ id: 7 }] },
    );
    const read = await api.readOrder(shop, "9004");
    expect(asked.map(({ url }) => url.slice(URLS.woocommerce.length))).toEqual([
      "/wp-json/wc/v3/orders/9004?dp=6",
      "/wp-json/wc/v3/orders/9004/refunds?dp=6&per_page=100&page=1",
    ]);
    expect(asked[0]?.headers.authorization).toBe(`Basic ${btoa("ck:cs")}`);
    expect(read).toMatchObject({ answer: "given", value: { order: {}, refunds: [{ amount: "1.0" }] } });
  });

  test("a search goes on from the last time seen, and by pages within one second", async () => {
    const page = (time: string) =>
      Array.from({ length: 50 }, (_, at) => ({ id: at + 1, date_modified_gmt: time }));
    const { asked, api, shop } = aShop("woocommerce", () => page("2026-11-27T13:00:00"));
    const first = await api.listOrders(shop, { by: "modified", since: NOON });
    const next = first.answer === "given" ? (first.value.next ?? "") : "";
    expect(next).toBe(`${NOON + 3_600_000}.1`);
    const second = await api.listOrders(shop, { by: "modified", since: NOON, page: next });
    expect(second.answer === "given" && second.value.next).toBe(`${NOON + 3_600_000}.2`);
    expect(asked[0]?.url).toContain("modified_after=2026-11-27T11%3A59%3A59");
    expect(asked[0]?.url).toContain("dates_are_gmt=true");
  });

  test("an answer to a search that is no list is no end of it", async () => {
    const { api, shop } = aShop("woocommerce", () => ({ code: "x" }));
    expect(await api.listOrders(shop, { by: "modified", since: NOON })).toMatchObject({ answer: "failed" });
  });
});

describe("Shopify", () => {
  const line = (id: number) => ({ id: `gid://shopify/LineItem/${id}` });
  const pageOf = (nodes: object[], cursor?: string, updatedAt = "2026-11-27T12:00:00Z") => ({
    data: {
      order: {
        ...{
          id: "gid://shopify/Order/1",
          legacyResourceId: "1",
          updatedAt,
          refunds: [{ id: "gid://shopify/Refund/7" }],
        },
        lineItems: { nodes, pageInfo: { hasNextPage: cursor !== undefined, endCursor: cursor ?? null } },
      },
    },
  });
  const refund = {
    data: {
      refund: { legacyResourceId: "7", refundLineItems: { nodes: [], pageInfo: { hasNextPage: false } } },
    },
  };
  const isRefund = (body: string | undefined) => body?.includes("query Refund") ?? false;

  test("an order is read with all pages of its lines and all of its refunds", async () => {
    const { asked, api, shop } = aShop("shopify", (_, body) => {
      if (isRefund(body)) return refund;
      return body?.includes('"lines":"c1"') ? pageOf([line(2)]) : pageOf([line(1)], "c1");
    });
    expect(await api.readOrder(shop, "1")).toMatchObject({
      answer: "given",
      value: { order: { lineItems: { nodes: [line(1), line(2)] }, refunds: [{ legacyResourceId: "7" }] } },
    });
    expect(asked[0]).toMatchObject({
      url: "https://tienda.myshopify.com/admin/api/2025-10/graphql.json",
      headers: { "x-shopify-access-token": "shpat_x" },
    });
  });

  test("an order that changes between two pages is read again later", async () => {
    const { api, shop } = aShop("shopify", (_, body) =>
      body?.includes('"lines":"c1"')
        ? pageOf([line(2)], undefined, "2026-11-27T12:00:01Z")
        : pageOf([line(1)], "c1"),
    );
    expect(await api.readOrder(shop, "1")).toEqual({ answer: "failed", cause: "unexpected" });
  });

  test("pages that lead to themselves end", async () => {
    const { asked, api, shop } = aShop("shopify", () => pageOf([line(1)], "c1"));
    expect(await api.readOrder(shop, "1")).toEqual({ answer: "failed", cause: "unexpected" });
    expect(asked).toHaveLength(2);
  });

  test("a query that is throttled waits for its points", async () => {
    const { api, shop } = aShop("shopify", () => ({
      errors: [{ extensions: { code: "THROTTLED" } }],
      extensions: {
        cost: { requestedQueryCost: 500, throttleStatus: { currentlyAvailable: 100, restoreRate: 50 } },
      },
    }));
    expect(await api.readOrder(shop, "1")).toEqual({
      answer: "failed",
      cause: "rate_limited",
      waitMs: 8_000,
    });
  });

  test("a client's token is asked for once a day", async () => {
    const { asked, api, shop } = aShop("shopify", (path) =>
      path.includes("access_token")
        ? { access_token: "fresh", expires_in: 86_399 }
        : { data: { order: null, currentAppInstallation: ALL_ORDERS } },
    );
    const client = { ...shop, credentials: { client_id: "id", secret: "s" } };
    expect([await api.readOrder(client, "1"), await api.readOrder(client, "2")]).toEqual([
      { answer: "gone" },
      { answer: "gone" },
    ]);
    expect(asked.filter(({ url }) => url.includes("access_token"))).toHaveLength(1);
    expect(asked.at(-1)?.headers["x-shopify-access-token"]).toBe("fresh");
  });
});

describe("PrestaShop", () => {
  test("an order is read with its lists and the documents that it names", async () => {
    const { asked, api, shop } = aShop("prestashop", (path) => {
      if (path.includes("/orders/5")) {
        return {
          order: { id: 5, reference: "XK", id_address_invoice: "9", id_currency: "1", current_state: "2" },
        };
      }
      if (path.includes("order_details")) return { order_details: [{ id: 1 }] };
      if (path.includes("addresses")) return { address: { id: 9 } };
      if (path.includes("currencies")) return { currency: { id: 1 } };
      return path.includes("order_states") ? { order_state: { id: 2 } } : [];
    });
    expect(await api.readOrder(shop, "5")).toMatchObject({
      answer: "given",
      value: {
        order: {},
        order_details: [{}],
        order_slips: [],
        address_invoice: {},
        currency: {},
        order_state: {},
      },
    });
    expect(asked[0]).toMatchObject({
      url: "https://tienda.example/ps/api/orders/5?output_format=JSON",
      headers: { authorization: `Basic ${btoa("KEY:")}` },
    });
  });
});

describe("Magento", () => {
  test("a hint about a credit memo reads its order with all memos", async () => {
    const { asked, api, shop } = aShop("magento", (path) => {
      if (path.includes("/orders/12")) return { entity_id: 12 };
      return { items: [{ entity_id: 3, order_id: 12 }], total_count: 1 };
    });
    expect(await api.readOrder(shop, "creditmemo:3")).toMatchObject({
      answer: "given",
      value: { order: {}, creditmemos: [{}] },
    });
    expect(asked[0]?.headers.authorization).toBe("Bearer T");
  });
});

describe("webhooks", () => {
  const TARGET = {
    topic: "order.updated",
    url: "https://api.example/v1/shops/woocommerce/sa_x",
    secret: "w",
  };

  test("WooCommerce lists all pages, and takes the secret with each change", async () => {
    const full = Array.from({ length: 100 }, (_, index) => ({
      id: index + 2,
      topic: "x",
      delivery_url: "y",
    }));
    const { asked, api, shop } = aShop("woocommerce", (path) => {
      if (path.endsWith("page=1")) return full;
      return path.endsWith("page=2") ? [{ id: 1, topic: "order.created", delivery_url: TARGET.url }] : {};
    });
    const listed = await api.webhooks?.list(shop);
    expect(listed).toMatchObject({ answer: "given" });
    expect(listed?.answer === "given" && listed.value.at(-1)).toEqual({
      ...{ id: "1", topic: "order.created", url: TARGET.url },
    });
    await api.webhooks?.create(shop, TARGET);
    await api.webhooks?.change(shop, "7", TARGET);
    expect(await api.webhooks?.remove(shop, "7")).toMatchObject({ answer: "given" });
    const path = "https://tienda.example/wp-json/wc/v3/webhooks";
    expect(asked.slice(2).map(({ method, url }) => [method, url])).toEqual([
      ["POST", path],
      ["PUT", `${path}/7`],
      ["DELETE", `${path}/7?force=true`],
    ]);
    const body = {
      ...{ name: "Cuadre order.updated", topic: "order.updated", delivery_url: TARGET.url },
      ...{ secret: "w", status: "active" },
    };
    expect(asked.slice(2, 4).map((one) => JSON.parse(one.body ?? ""))).toEqual([body, body]);
  });

  test("Shopify names topics in its own way, and is told no secret", async () => {
    const nodes = [{ id: "gid://1", topic: "REFUNDS_CREATE", uri: TARGET.url }];
    const { asked, api, shop } = aShop("shopify", (_, body = "") => {
      if (body.includes("query CuadreWebhooks")) {
        return { data: { webhookSubscriptions: { nodes, pageInfo: { hasNextPage: false } } } };
      }
      const member = /webhookSubscription(Create|Update|Delete)/.exec(body)?.[0] ?? "";
      return { data: { [member]: { userErrors: [] } } };
    });
    expect(await api.webhooks?.list(shop)).toEqual({
      answer: "given",
      value: [{ id: "gid://1", topic: "refunds/create", url: TARGET.url }],
    });
    const target = { topic: "orders/updated", url: TARGET.url };
    expect(await api.webhooks?.create(shop, target)).toEqual({ answer: "given", value: {} });
    expect(await api.webhooks?.change(shop, "gid://1", target)).toEqual({ answer: "given", value: {} });
    expect(await api.webhooks?.remove(shop, "gid://1")).toEqual({ answer: "given", value: {} });
    expect(asked.slice(1).map(({ body }) => JSON.parse(body ?? "").variables)).toEqual([
      { topic: "ORDERS_UPDATED", webhook: { uri: TARGET.url, format: "JSON" } },
      { id: "gid://1", webhook: { uri: TARGET.url } },
      { id: "gid://1" },
    ]);
  });

  test.each([
    ["an error of the user", { data: { webhookSubscriptionDelete: { userErrors: [{ message: "x" }] } } }],
    ["no answer to the change", { data: {} }],
  ])("Shopify: %s is a failure", async (_, answer) => {
    const { api, shop } = aShop("shopify", () => answer);
    expect(await api.webhooks?.remove(shop, "gid://1")).toMatchObject({ answer: "failed" });
  });

  test("modules deliver for PrestaShop and Magento", () => {
    expect(aShop("prestashop", () => ({})).api.webhooks).toBeUndefined();
    expect(aShop("magento", () => ({})).api.webhooks).toBeUndefined();
  });
});

describe("a test of PrestaShop", () => {
  test("tells version, currency, zone, the last order and the resources that the key may read", async () => {
    const { api, shop } = aShop("prestashop", (path) => {
      if (path.includes("PS_VERSION_DB")) return { configurations: [{ value: "8.1.7" }] };
      if (path.includes("PS_TIMEZONE")) return { configurations: [{ value: "Europe/Madrid" }] };
      if (path.includes("PS_CURRENCY_DEFAULT")) return { configurations: [{ value: "1" }] };
      if (path.includes("/currencies/1")) return { currency: { iso_code: "EUR" } };
      if (path.includes("order_slip")) return new Response("", { status: 401 });
      return path.includes("/orders") ? { orders: [{ id: 9004, reference: "XKBK" }] } : [];
    });
    const tested = await api.test(shop);
    expect(tested).toMatchObject({
      answer: "given",
      value: {
        ...{ version: "8.1.7", currency: "EUR", timeZone: "Europe/Madrid", lastOrder: "XKBK" },
        lacking: ["order_slip"],
      },
    });
    expect(tested.answer === "given" && tested.value.scopes).toContain("orders");
    expect(tested.answer === "given" && tested.value.scopes).not.toContain("order_slip");
  });

  test("its tables have the states with what they are called", async () => {
    const { api, shop } = aShop("prestashop", (path) =>
      path.includes("order_states")
        ? {
            order_states: [
              {
                id: 2,
                paid: "1",
                template: [{ id: "1", value: "payment" }],
                name: [{ id: "1", value: "Pago aceptado" }],
              },
              { id: 6, paid: "0", template: "order_canceled", name: "Cancelado" },
            ],
          }
        : [],
    );
    expect(await api.readTables(shop)).toMatchObject({
      value: {
        orderStates: {
          "2": { paid: true, template: "payment", name: "Pago aceptado" },
          "6": { paid: false, template: "order_canceled", name: "Cancelado" },
        },
      },
    });
  });
});

describe("an order that is not found is gone only if the platform says so", () => {
  const rows: readonly (readonly [string, "prestashop" | "magento", string, unknown, object])[] = [
    ["PrestaShop lists none", "prestashop", "1", [], { answer: "gone" }],
    ["PrestaShop lists it", "prestashop", "1", { orders: [{ id: 1 }] }, { cause: "not_found" }],
    ["PrestaShop's list is not found either", "prestashop", "1", nothingThere(), { cause: "not_found" }],
    ["PrestaShop's list is a page", "prestashop", "1", new Response("<html>"), { cause: "not_json" }],
    ["PrestaShop has no such slip", "prestashop", "order_slip:4", [], { answer: "gone" }],
    [
      "PrestaShop's slips are not found",
      "prestashop",
      "order_slip:4",
      nothingThere(),
      { cause: "not_found" },
    ],
    ["Magento counts none", "magento", "1", { items: null, total_count: 0 }, { answer: "gone" }],
    ["Magento counts one", "magento", "1", { items: [{}], total_count: 1 }, { cause: "not_found" }],
    ["Magento knows no such route", "magento", "1", nothingThere(), { cause: "not_found" }],
    [
      "Magento's list is under repair",
      "magento",
      "1",
      new Response("", { status: 503 }),
      { cause: "server_error" },
    ],
    [
      "Magento has no such memo",
      "magento",
      "creditmemo:4",
      { items: [], total_count: 0 },
      { answer: "gone" },
    ],
    ["Magento's memos are not found", "magento", "creditmemo:4", nothingThere(), { cause: "not_found" }],
  ];
  test.each(rows)("%s", async (_, platform, id, list, expected) => {
    const { api, shop } = aShop(platform, (path) => (/orders\/1\b/.test(path) ? nothingThere() : list));
    expect(await api.readOrder(shop, id)).toMatchObject(expected);
  });

  test("Shopify hides older orders from an app that may not see all", async () => {
    const scopes = (...handles: string[]) => ({ accessScopes: handles.map((handle) => ({ handle })) });
    const read = async (data: object) => {
      const { api, shop } = aShop("shopify", () => ({ data }));
      return api.readOrder(shop, "1");
    };
    const few = scopes("read_orders");
    expect(await read({ order: null, currentAppInstallation: ALL_ORDERS })).toEqual({ answer: "gone" });
    expect(await read({ order: null, currentAppInstallation: few })).toEqual({
      answer: "gone",
      hidesOlderThanMs: 60 * 86_400_000,
    });
    expect(await read({ order: null })).toEqual({ answer: "failed", cause: "unexpected" });
    expect(await read({ currentAppInstallation: ALL_ORDERS })).toEqual({
      answer: "failed",
      cause: "unexpected",
    });
  });

  test("the documents that an order names may be gone without the order", async () => {
    const { api, shop } = aShop("prestashop", (path) => {
      if (path.includes("/orders/5")) return { order: { id: 5, reference: "XK", id_address_invoice: "9" } };
      return path.includes("addresses") ? nothingThere() : [];
    });
    expect(await api.readOrder(shop, "5")).toMatchObject({ answer: "given", value: { order_details: [] } });
  });
});

describe("a list is read whole or not at all", () => {
  const many = (count: number, from = 1) => Array.from({ length: count }, (_, at) => ({ id: from + at }));
  const pageIn = (path: string) => Number(/[?&](?:page|searchCriteria\[currentPage\])=(\d+)/.exec(path)?.[1]);

  test("WooCommerce's refunds and taxes of all pages", async () => {
    const { api, shop } = aShop("woocommerce", (path) => {
      if (path.includes("/refunds") || path.includes("/taxes")) {
        return json(pageIn(path) === 1 ? many(100) : many(30, 101), { "X-WP-TotalPages": "2" });
      }
      return { id: 1, refunds: [{ id: 1 }] };
    });
    const read = await api.readOrder(shop, "1");
    expect(read.answer === "given" && read.value.refunds).toHaveLength(130);
    const tables = await api.readTables(shop);
    expect(tables).toMatchObject({ answer: "given" });
  });

  test("Magento's memos, as often as it counts them", async () => {
    const memos = (page: number) => many(page < 3 ? 50 : 20, page * 50).map(({ id }) => ({ entity_id: id }));
    const { api, shop } = aShop("magento", (path) =>
      path.includes("/orders/1") ? { entity_id: 1 } : { items: memos(pageIn(path)), total_count: 120 },
    );
    const read = await api.readOrder(shop, "1");
    expect(read.answer === "given" && read.value.creditmemos).toHaveLength(120);
  });

  test("a list of PrestaShop that may be cut is not taken", async () => {
    const { api, shop } = aShop("prestashop", (path) => {
      if (path.includes("/orders/5")) return { order: { id: 5, reference: "XK" } };
      return path.includes("order_slip") ? { order_slips: many(500) } : [];
    });
    expect(await api.readOrder(shop, "5")).toEqual({ answer: "failed", cause: "unexpected" });
  });

  test.each([
    ["woocommerce", { code: "x" }],
    ["shopify", { data: {} }],
    ["prestashop", { errors: [{ code: 1 }] }],
    ["magento", { message: "x" }],
    ["magento", []],
  ] as const)("tables of %s that are none replace no others: %o", async (platform, said) => {
    const { api, shop } = aShop(platform, () => said);
    expect(await api.readTables(shop)).toEqual({ answer: "failed", cause: "unexpected" });
  });

  test("a PrestaShop that is not found has no empty tables, and a key without any right is refused", async () => {
    const away = aShop("prestashop", nothingThere);
    expect(await away.api.readTables(away.shop)).toEqual({ answer: "failed", cause: "not_found" });
    const closed = aShop("prestashop", () => new Response("", { status: 401 }));
    expect(await closed.api.readTables(closed.shop)).toEqual({ answer: "refused" });
  });
});

describe("a search ends", () => {
  const order = (at: number) => ({ entity_id: at + 1, updated_at: "2026-11-27 13:00:00" });
  const page = Array.from({ length: 50 }, (_, at) => order(at));

  test("where Magento has counted all, although it answers its last page for ever", async () => {
    const { asked, api, shop } = aShop("magento", () => ({ items: page, total_count: 100 }));
    let next: string | undefined;
    for (let pages = 0; pages < 10; pages += 1) {
      const listed = await api.listOrders(shop, {
        ...{ by: "modified", since: NOON },
        ...(next === undefined ? {} : { page: next }),
      });
      next = listed.answer === "given" ? listed.value.next : undefined;
      if (next === undefined) break;
    }
    expect(asked).toHaveLength(3);
    expect(decodeURIComponent(asked[0]?.url ?? "")).toContain(
      "fields=items[entity_id,updated_at,created_at]",
    );
  });

  test("PrestaShop goes on from the last time seen, in the order of changes", async () => {
    const list = (date_upd: string) => Array.from({ length: 50 }, (_, at) => ({ id: at + 1, date_upd }));
    const { asked, api, shop } = aShop("prestashop", (path) =>
      path.includes("configurations")
        ? { configurations: [{ name: "PS_TIMEZONE", value: "Europe/Madrid" }] }
        : { orders: list("2026-11-27 14:00:00") },
    );
    const first = await api.listOrders(shop, { by: "modified", since: NOON });
    const next = first.answer === "given" ? (first.value.next ?? "") : "";
    expect(next).toBe(`${NOON + 3_600_000}.1`);
    const second = await api.listOrders(shop, { by: "modified", since: NOON, page: next });
    expect(second.answer === "given" && second.value.next).toBe(`${NOON + 3_600_000}.2`);
    expect(decodeURIComponent(asked[1]?.url ?? "")).toContain("sort=[date_upd_ASC,id_ASC]&limit=0,50");
  });
});

test("while a shop asks to be left alone, it is called for nothing", async () => {
  let now = NOON;
  const { asked, api, shop } = aShop(
    "woocommerce",
    () => new Response("", { status: 429, headers: { "Retry-After": "90" } }),
    { now: () => now },
  );
  await api.readOrder(shop, "1");
  now += 30_000;
  const waits = { answer: "failed", cause: "rate_limited", waitMs: 60_000 };
  expect([await api.readOrder(shop, "2"), await api.readTables(shop), await api.test(shop)]).toEqual([
    ...[waits, waits, waits],
  ]);
  expect(asked).toHaveLength(1);
  now += 60_000;
  await api.readOrder(shop, "2");
  expect(asked).toHaveLength(2);
});

describe("a token of Shopify", () => {
  const client = (secret: string) => ({ client_id: "id", secret });
  test("of earlier credentials serves no later ones", async () => {
    const { asked, api, shop } = aShop("shopify", (path) =>
      path.includes("access_token") ? { access_token: "t", expires_in: 86_399 } : { data: { shop: {} } },
    );
    await api.readTables({ ...shop, credentials: client("one") });
    await api.readTables({ ...shop, credentials: client("two") });
    expect(asked.filter(({ url }) => url.includes("access_token"))).toHaveLength(2);
  });

  test("that was ended early is asked for once more before the credentials count as refused", async () => {
    const alive = new Set(["t1"]);
    let tokens = 0;
    const { api, shop } = aShop("shopify", () => ({}), {
      async fetch(url, { headers }) {
        if (url.includes("access_token")) return json({ access_token: `t${++tokens}`, expires_in: 86_399 });
        const token = new Headers(headers).get("X-Shopify-Access-Token") ?? "";
        return alive.has(token) ? json({ data: { shop: {} } }) : new Response("", { status: 401 });
      },
    });
    const opened = { ...shop, credentials: client("one") };
    expect(await api.readTables(opened)).toMatchObject({ answer: "given" });
    alive.clear();
    alive.add("t2");
    expect(await api.readTables(opened)).toMatchObject({ answer: "given" });
    alive.clear();
    expect(await api.readTables(opened)).toEqual({ answer: "refused" });
  });
});

test("a shop gets two calls at once, at its pace", async () => {
  let now = 0;
  const waits: number[] = [];
  const inTurn = turns({
    now: () => now,
    sleep: async (delayMs) => {
      waits.push(delayMs);
      now += delayMs;
    },
  });
  let open = 0;
  let most = 0;
  const call = async () => {
    open += 1;
    most = Math.max(most, open);
    await Promise.resolve();
    open -= 1;
  };
  await Promise.all(Array.from({ length: 6 }, () => inTurn("a", 4, call)));
  expect(most).toBeLessThanOrEqual(2);
  expect(waits.every((waited) => waited <= 250)).toBe(true);
  expect(now).toBeGreaterThanOrEqual(1_250);
});
