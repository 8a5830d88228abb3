/** The stand-in shops answer the calls of an API as each platform does. */
import { describe, expect, test } from "vitest";
import { CREDENTIALS, NOON, STAND_IN, type StandIn, standIn } from "../../support/worlds/stand-in.ts";

const basic = (user: string, password: string) => ({ Authorization: `Basic ${btoa(`${user}:${password}`)}` });
const WOO = basic(CREDENTIALS.woocommerce.consumer_key ?? "", CREDENTIALS.woocommerce.consumer_secret ?? "");
const PRESTASHOP = basic(CREDENTIALS.prestashop.key ?? "", "");
const MAGENTO = { Authorization: `Bearer ${CREDENTIALS.magento.token}` };

async function get(stand: StandIn, path: string, headers: Record<string, string>) {
  const answer = await stand.fetch(`${STAND_IN}${path}`, { headers });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    json: text.startsWith("<") ? text : JSON.parse(text),
  };
}

describe("WooCommerce", () => {
  const API = "/woocommerce/wp-json/wc/v3";
  const order = { number: "7", status: "processing", total: "1.10", date_created_gmt: "2026-11-20T10:00:00" };

  test("an order is dated at the moment it is put, and keeps its digits", async () => {
    const stand = standIn();
    await stand.put("/woocommerce/_sandbox/orders/7", '{"id":7,"total":1.10,"cart_id":12345678901234567890}');
    const answer = await stand.fetch(`${STAND_IN}${API}/orders/7`, { headers: WOO });
    const text = await answer.text();
    expect(text).toContain('"total":1.10');
    expect(text).toContain('"cart_id":12345678901234567890');
    expect(JSON.parse(text)).toMatchObject({
      date_modified_gmt: "2026-11-27T12:00:00",
      date_modified: "2026-11-27T13:00:00",
    });
  });

  test.each([
    ["no key", {}, "/orders/7", 401, "woocommerce_rest_cannot_view"],
    ["another secret", basic("ck_test", "x"), "/orders/7", 401, "woocommerce_rest_cannot_view"],
    ["an order that is not there", WOO, "/orders/8", 404, "woocommerce_rest_shop_order_invalid_id"],
    ["a path that is not there", WOO, "/nothing", 404, "rest_no_route"],
    ["a page of 101", WOO, "/orders?per_page=101", 400, "rest_invalid_param"],
  ])("%s", async (_, headers, path, status, code) => {
    const stand = standIn();
    await stand.put("/woocommerce/_sandbox/orders/7", order);
    const { json, ...answer } = await get(stand, API + path, headers);
    expect([answer.status, json.code]).toEqual([status, code]);
  });

  test("a search is exclusive, sorted, and says how many pages it has", async () => {
    const stand = standIn();
    for (const id of [1, 2, 3]) {
      stand.now = NOON + id * 60_000;
      await stand.put(`/woocommerce/_sandbox/orders/${id}`, order);
    }
    const from = "modified_after=2026-11-27T12:01:00&dates_are_gmt=true&orderby=modified&order=asc";
    const { headers, json } = await get(stand, `${API}/orders?${from}&per_page=1&page=2&_fields=id`, WOO);
    expect([json, headers.get("X-WP-Total"), headers.get("X-WP-TotalPages")]).toEqual([
      [{ id: 3 }],
      "2",
      "2",
    ]);
  });

  test("refunds join the order, and one that the order names alone has its amount", async () => {
    const stand = standIn();
    await stand.put("/woocommerce/_sandbox/orders/7", {
      ...order,
      refunds: [{ id: 5, total: "-1.00", reason: "" }],
    });
    await stand.put("/woocommerce/_sandbox/refunds/7", { id: 6, amount: "2.00", reason: "roto" });
    const { json } = await get(stand, `${API}/orders/7`, WOO);
    expect(json.refunds.map(({ id, total }: { id: number; total: string }) => [id, total])).toEqual([
      [5, "-1.00"],
      [6, "-2.00"],
    ]);
    const refunds = await get(stand, `${API}/orders/7/refunds`, WOO);
    expect(refunds.json.map(({ amount }: { amount: string }) => amount)).toEqual(["1.00", "2.00"]);
  });

  test("a webhook is made with a ping, listed without its secret, and removed only by force", async () => {
    const stand = standIn();
    const webhook = { topic: "order.updated", delivery_url: "https://cuadre.example/x", secret: "whsec" };
    const headers = { ...WOO, "Content-Type": "application/json" };
    const made = await stand.fetch(`${STAND_IN}${API}/webhooks`, {
      ...{ method: "POST", headers, body: JSON.stringify(webhook) },
    });
    expect([made.status, stand.posted[0]?.text]).toEqual([201, "webhook_id=1"]);
    const { json } = await get(stand, `${API}/webhooks`, WOO);
    expect(json).toMatchObject([{ id: 1, topic: "order.updated", status: "active" }]);
    expect(JSON.stringify(json)).not.toContain("whsec");
    const remove = (query: string) =>
      stand.fetch(`${STAND_IN}${API}/webhooks/1${query}`, { method: "DELETE", headers: WOO });
    expect([(await remove("")).status, (await remove("?force=true")).status]).toEqual([501, 200]);
    expect((await get(stand, `${API}/webhooks`, WOO)).json).toEqual([]);
  });
});

describe("PrestaShop", () => {
  const order = { id: 9, reference: "AB", id_currency: "1", date_add: "2026-11-20 10:00:00" };
  const path = (rest: string) => `/prestashop/api/${rest}`;

  test("an order of XML is read as its JSON, and written as XML", async () => {
    const stand = standIn();
    const rows = '<order_rows nodeType="order_row"><order_row><id>1</id></order_row></order_rows>';
    const xml = `<prestashop><order><id><![CDATA[9]]></id><reference>A&amp;B</reference>
      <associations>${rows}</associations></order></prestashop>`;
    await stand.put("/prestashop/_sandbox/orders/9", xml);
    const { json } = await get(stand, path("orders/9?output_format=JSON"), PRESTASHOP);
    expect(json.order).toMatchObject({
      ...{ id: "9", reference: "A&B", associations: { order_rows: [{ id: "1" }] } },
      date_upd: "2026-11-27 13:00:00",
    });
    const written = await get(stand, path("orders/9"), PRESTASHOP);
    expect(written.json).toContain("<reference><![CDATA[A&B]]></reference>");
    expect(written.json).toContain('<order_rows nodeType="order_row"><order_row>');
  });

  test("lists are filtered, sorted, cut, and lose their name when they are empty", async () => {
    const stand = standIn();
    for (const id of [9, 10, 11]) await stand.put(`/prestashop/_sandbox/orders/${id}`, { ...order, id });
    const list = (query: string) => get(stand, path(`orders?output_format=JSON&${query}`), PRESTASHOP);
    const ids = (await list("filter[id]=[10,99]&sort=[id_DESC]&limit=1&display=[id,reference]")).json;
    expect(ids).toEqual({ orders: [{ id: 11, reference: "AB" }] });
    expect((await list("filter[reference]=[A]%&filter[id]=[9|11]")).json).toEqual({
      orders: [{ id: 9 }, { id: 11 }],
    });
    expect((await list("filter[reference]=[Z]")).json).toEqual([]);
    expect((await list("filter[date_upd]=[2026-01-01,2027-01-01]")).status).toBe(400);
    expect((await list("filter[date_upd]=[2026-01-01,2027-01-01]&date=1&limit=1,1")).json).toEqual({
      orders: [{ id: 10 }],
    });
  });

  test("its own ids say euros, Spain, states and the zone", async () => {
    const stand = standIn();
    const read = async (rest: string) =>
      (await get(stand, path(`${rest}&output_format=JSON`), PRESTASHOP)).json;
    expect(await read("currencies?display=[id,iso_code]")).toEqual({
      currencies: [{ id: 1, iso_code: "EUR" }],
    });
    expect(await read("countries?display=[id,iso_code]")).toEqual({ countries: [{ id: 6, iso_code: "ES" }] });
    const zone = await read("configurations?display=[value]&filter[name]=[PS_TIMEZONE]");
    expect(zone).toEqual({ configurations: [{ value: "Europe/Madrid" }] });
    const { order_states: states } = await read("order_states?display=[id,paid]");
    const paid = states.filter((state: { paid: string }) => state.paid === "1");
    expect(paid.map(({ id }: { id: number }) => id)).toEqual([2, 3, 4, 5, 7]);
  });

  test("an order comes with its parts, as a module sends them", async () => {
    const stand = standIn();
    const address = { id: "7", id_country: "6", dni: "12345678Z" };
    const parts = { order_cart_rules: [{ id: "1", id_order: "9" }], address_invoice: address };
    await stand.put("/prestashop/_sandbox/orders/9", { order, ...parts });
    expect(
      (await get(stand, path("orders/9?output_format=JSON"), PRESTASHOP)).json.order.id_address_invoice,
    ).toBe("7");
    const { json } = await get(stand, path("addresses/7?output_format=JSON"), PRESTASHOP);
    expect(json.address.dni).toBe("12345678Z");
  });

  test.each([
    ["no key", {}, "orders/9", 401],
    ["another key", basic("X", ""), "orders/9", 401],
    ["an order that is not there", PRESTASHOP, "orders/99", 404],
    ["a resource that is not there", PRESTASHOP, "nothing", 400],
  ])("%s", async (_, headers, rest, status) => {
    expect((await get(standIn(), path(`${rest}?output_format=JSON`), headers)).status).toBe(status);
  });
});

describe("Magento", () => {
  const search = (field: string, value: string, type: string) =>
    [`[field]=${field}`, `[value]=${encodeURIComponent(value)}`, `[conditionType]=${type}`]
      .map((part) => `searchCriteria[filterGroups][0][filters][0]${part}`)
      .join("&");

  test("a page behind the last one is the last one again, and the count says so", async () => {
    const stand = standIn();
    for (const id of [1, 2, 3]) await stand.put(`/magento/_sandbox/orders/${id}`, { entity_id: id });
    const page = "searchCriteria[pageSize]=2&searchCriteria[currentPage]=5";
    const { json } = await get(stand, `/magento/rest/V1/orders?${page}`, MAGENTO);
    expect(json).toMatchObject({
      total_count: 3,
      items: [{ entity_id: 3 }],
      search_criteria: { current_page: 2 },
    });
  });

  test("a credit memo is found by its order, whose modification it is", async () => {
    const stand = standIn();
    await stand.put("/magento/_sandbox/orders/5", { entity_id: 5, state: "complete" });
    stand.now = NOON + 3_600_000;
    await stand.put("/magento/_sandbox/creditmemos/2", { entity_id: 2, order_id: 5 });
    const memos = await get(stand, `/magento/rest/V1/creditmemos?${search("order_id", "5", "eq")}`, MAGENTO);
    expect(memos.json.items).toMatchObject([{ entity_id: 2, order_id: 5 }]);
    const changed = search("updated_at", "2026-11-27 13:00:00", "gteq");
    const found = await get(stand, `/magento/rest/V1/orders?${changed}`, MAGENTO);
    expect(found.json.items).toMatchObject([{ entity_id: 5, updated_at: "2026-11-27 13:00:00" }]);
  });

  test.each([
    ["another token", { Authorization: "Bearer x" }, "orders/5", 401, "The consumer isn't authorized"],
    ["an order that is not there", MAGENTO, "orders/5", 404, "The entity that was requested doesn't exist"],
    ["a path that is not there", MAGENTO, "nothing", 404, "Request does not match any route"],
  ])("%s", async (_, headers, rest, status, message) => {
    const { json, ...answer } = await get(standIn(), `/magento/rest/V1/${rest}`, headers);
    expect([answer.status, json.message]).toEqual([status, expect.stringContaining(message)]);
  });
});

describe("Shopify", () => {
  const order = {
    ...{ id: 1, name: "#1", currency: "EUR", total_price: "12.10", created_at: "2026-11-20T10:00:00+01:00" },
    ...{ updated_at: "2026-11-20T10:00:00+01:00", financial_status: "paid", tags: "a, b" },
    line_items: [1, 2, 3].map((id) => ({
      ...{ id, name: "Taza", quantity: 1, price: "4.00" },
      tax_lines: [{ title: "IVA", rate: 0.21, price: "0.84" }],
    })),
  };

  async function token(stand: StandIn, secret = CREDENTIALS.shopify.secret) {
    const answer = await stand.fetch(`${STAND_IN}/shopify/admin/oauth/access_token`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ client_id: "client", client_secret: secret, grant_type: "client_credentials" }),
    });
    return { status: answer.status, json: await answer.json() };
  }

  async function ask(stand: StandIn, query: string, variables: object = {}, access?: string) {
    const { json } = await token(stand);
    const answer = await stand.fetch(`${STAND_IN}/shopify/admin/api/2025-10/graphql.json`, {
      method: "POST",
      headers: { "X-Shopify-Access-Token": access ?? Object(json).access_token },
      body: JSON.stringify({ query, variables }),
    });
    return { status: answer.status, json: Object(await answer.json()) };
  }

  test("a token is granted to the client alone, and refused once it has ended", async () => {
    const stand = standIn();
    expect((await token(stand, "another")).status).toBe(400);
    const { access_token: granted } = Object((await token(stand)).json);
    expect((await ask(stand, "{ shop { name } }", {}, granted)).status).toBe(200);
    stand.now += 86_400_000;
    expect((await ask(stand, "{ shop { name } }", {}, granted)).status).toBe(401);
    expect((await ask(stand, "{ shop { name } }", {}, "shpat_1_x")).status).toBe(401);
  });

  test("pages of lines end where they end, by nodes or by edges", async () => {
    const stand = standIn();
    await stand.put("/shopify/_sandbox/orders/1", order);
    const query = `query($id: ID!, $after: String) { order(id: $id) { legacyResourceId tags
      lineItems(first: 2, after: $after) {
        nodes { id taxLines { ratePercentage } } pageInfo { hasNextPage endCursor } } } }`;
    const first = await ask(stand, query, { id: "gid://shopify/Order/1" });
    const { lineItems, ...own } = first.json.data.order;
    expect(own).toEqual({ legacyResourceId: "1", tags: ["a", "b"] });
    expect(lineItems.nodes[0]).toEqual({
      id: "gid://shopify/LineItem/1",
      taxLines: [{ ratePercentage: 21 }],
    });
    const after = lineItems.pageInfo.endCursor;
    const second = await ask(stand, query, { id: "gid://shopify/Order/1", after });
    expect(second.json.data.order.lineItems).toMatchObject({
      ...{ nodes: [{ id: "gid://shopify/LineItem/3" }], pageInfo: { hasNextPage: false } },
    });
    const edges = "{ orders(first: 1) { edges { cursor node { name } } } }";
    expect((await ask(stand, edges)).json.data.orders.edges).toMatchObject([{ node: { name: "#1" } }]);
  });

  test("a search is by the time of the change", async () => {
    const stand = standIn();
    await stand.put("/shopify/_sandbox/orders/1", order);
    const found = async (query: string) =>
      (
        await ask(stand, "query($q: String!) { orders(first: 9, query: $q) { nodes { updatedAt } } }", {
          q: query,
        })
      ).json.data.orders.nodes;
    expect(await found("updated_at:>='2026-11-27T12:00:00Z'")).toEqual([
      { updatedAt: "2026-11-27T12:00:00Z" },
    ]);
    expect(await found("updated_at:>='2026-11-27T12:00:01Z'")).toEqual([]);
    expect(await found("created_at:<='2026-11-20T09:00:00Z' financial_status:paid")).toHaveLength(1);
  });

  test.each([
    ["a field that is not there", "{ shop { nothing } }", "undefinedField"],
    ["a list without a size", "{ orders { nodes { id } } }", "BAD_REQUEST"],
    ["an object without a selection", "{ shop }", "selectionMismatch"],
    ["a fragment of another schema", "{ shop { ... on Nothing { id } } }", "undefinedType"],
    ["a variable without its value", "query($id: ID!) { order(id: $id) { id } }", "INVALID_VARIABLE"],
    [
      "a query above 1,000 points",
      "{ orders(first: 250) { nodes { taxLines { title } refunds(first: 9) { id } } } }",
      "MAX_COST_EXCEEDED",
    ],
  ])("%s", async (_, query, code) => {
    const { json } = await ask(standIn(), query);
    expect(json.errors[0].extensions.code).toBe(code);
  });

  test("half a query is refused by its syntax", async () => {
    const { json } = await ask(standIn(), "{ shop { name }");
    expect(json.errors[0].message).toContain("syntax");
  });

  test("points that are spent throttle until they have come back", async () => {
    const stand = standIn();
    for (let id = 1; id <= 240; id += 1) await stand.put(`/shopify/_sandbox/orders/${id}`, { ...order, id });
    const big = "{ orders(first: 240) { nodes { name taxLines { title } customer { id } } } }";
    let last = await ask(stand, big);
    for (let calls = 0; calls < 9 && !last.json.errors; calls += 1) {
      // Faster than the points come back.
      stand.now -= 1_900;
      last = await ask(stand, big);
    }
    expect(last.json).toMatchObject({
      errors: [{ extensions: { code: "THROTTLED" } }],
      extensions: {
        cost: { actualQueryCost: null, throttleStatus: { maximumAvailable: 2_000, restoreRate: 100 } },
      },
    });
    stand.now += 20_000;
    expect((await ask(stand, big)).json.errors).toBeUndefined();
  });

  test("a node is sent as the REST resource that it is, and back", async () => {
    const stand = standIn({
      webhooks: [{ name: "posting", url: "https://x.example", secret: "s", sends: "documents" }],
    });
    await stand.put("/shopify/_sandbox/orders/1", order);
    const query = `{ order(id: "gid://shopify/Order/1") { id legacyResourceId name createdAt currencyCode tags
      displayFinancialStatus totalPriceSet { shopMoney { amount currencyCode } }
      lineItems(first: 9) { nodes {
        id name quantity originalUnitPriceSet { shopMoney { amount currencyCode } }
        taxLines { title rate priceSet { shopMoney { amount currencyCode } } } } } } }`;
    const { json } = await ask(stand, query);
    await stand.put("/shopify/_sandbox/orders/1", json.data.order);
    await stand.deliver("shopify", { topic: "orders/paid", id: 1 });
    const sent = JSON.parse(stand.posted[0]?.text ?? "");
    expect(sent).toMatchObject({
      ...{ id: 1, name: "#1", currency: "EUR", total_price: "12.10", financial_status: "paid", tags: "a, b" },
      line_items: order.line_items.map(({ id }) => ({
        ...{ id, quantity: 1, price: "4.00", tax_lines: [{ title: "IVA", rate: 0.21, price: "0.84" }] },
      })),
    });
  });

  test("webhooks are made once for a topic and an address, changed and removed", async () => {
    const stand = standIn();
    const create = `mutation($topic: WebhookSubscriptionTopic!, $input: WebhookSubscriptionInput!) {
      webhookSubscriptionCreate(topic: $topic, webhookSubscription: $input) {
        webhookSubscription { id topic uri } userErrors { field message } } }`;
    const input = { uri: "https://cuadre.example/x", format: "JSON" };
    const made = await ask(stand, create, { topic: "ORDERS_PAID", input });
    const { webhookSubscription: webhook } = made.json.data.webhookSubscriptionCreate;
    expect(webhook).toMatchObject({ topic: "ORDERS_PAID", uri: "https://cuadre.example/x" });
    const again = await ask(stand, create, { topic: "ORDERS_PAID", input });
    expect(again.json.data.webhookSubscriptionCreate.userErrors).toHaveLength(1);
    const list = "{ webhookSubscriptions(first: 9) { nodes { id } pageInfo { hasNextPage } } }";
    expect((await ask(stand, list)).json.data.webhookSubscriptions.nodes).toEqual([{ id: webhook.id }]);
    const remove = `mutation($id: ID!) { webhookSubscriptionDelete(id: $id) {
      deletedWebhookSubscriptionId userErrors { message } } }`;
    const removed = (await ask(stand, remove, { id: webhook.id })).json.data.webhookSubscriptionDelete;
    expect(removed).toEqual({ deletedWebhookSubscriptionId: webhook.id, userErrors: [] });
  });
});
