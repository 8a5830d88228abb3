/** The product's clients of shops' APIs, asked of the stand-in shops. */
import { expect, test } from "vitest";
import type { ListedOrder, OpenedShop } from "../../../src/platform/shop-api.ts";
import { shopApis } from "../../../src/shops/shop-apis.ts";
import { CREDENTIALS, NOON, STAND_IN, type StandIn, standIn } from "../../support/worlds/stand-in.ts";

const PLATFORMS = ["woocommerce", "shopify", "prestashop", "magento"] as const;

function clientsOf(stand: StandIn) {
  const apis = shopApis({
    fetch: (url, init) => stand.fetch(url, init),
    after: () => () => {},
    now: () => NOON,
    inTurn: (_, __, call) => call(),
    userAgent: "Cuadre/1.0.0",
  });
  const shopOf = (platform: (typeof PLATFORMS)[number], change: object = {}): OpenedShop => {
    const credentials = { ...CREDENTIALS[platform], ...change };
    return { platform, url: `${STAND_IN}/${platform}`, credentials };
  };
  return { apis, shopOf };
}

test.each(PLATFORMS)("%s is tested, and says its tables", async (platform) => {
  const { apis, shopOf } = clientsOf(standIn());
  const tested = await apis[platform].test(shopOf(platform));
  expect(tested).toMatchObject({ answer: "given", value: { lacking: [] } });
  expect(await apis[platform].readTables(shopOf(platform))).toMatchObject({ answer: "given" });
});

test.each([
  ["woocommerce", { consumer_secret: "x" }],
  ["shopify", { secret: "x" }],
  ["prestashop", { key: "x" }],
  ["magento", { token: "x" }],
] as const)("%s refuses other credentials", async (platform, change) => {
  const { apis, shopOf } = clientsOf(standIn());
  expect(await apis[platform].test(shopOf(platform, change))).toEqual({ answer: "refused" });
});

test.each(PLATFORMS)(
  "%s lists all orders that were changed in one second, and the list ends",
  async (platform) => {
    const stand = standIn();
    for (let id = 1; id <= 100; id += 1) {
      stand.now = NOON;
      await stand.put(`/${platform}/_sandbox/orders/${id}`, {});
    }
    const { apis, shopOf } = clientsOf(stand);
    const found = new Set<string>();
    let page: string | undefined;
    for (let pages = 0; pages < 9; pages += 1) {
      const query = { by: "modified", since: NOON - 1_000, ...(page === undefined ? {} : { page }) } as const;
      const listed = await apis[platform].listOrders(shopOf(platform), query);
      if (listed.answer !== "given") throw new Error(JSON.stringify(listed));
      for (const { nativeId } of listed.value.orders as readonly ListedOrder[]) found.add(nativeId);
      page = listed.value.next;
      if (page === undefined) break;
    }
    expect([found.size, page]).toEqual([100, undefined]);
  },
);

test("a token of Shopify that ends before its time is asked for once more", async () => {
  const stand = standIn();
  await stand.put("/shopify/_sandbox/orders/1", { id: 1, currency: "EUR" });
  const { apis, shopOf } = clientsOf(stand);
  expect(await apis.shopify.readOrder(shopOf("shopify"), "1")).toMatchObject({ answer: "given" });
  stand.now += 86_400_000;
  expect(await apis.shopify.readOrder(shopOf("shopify"), "1")).toMatchObject({ answer: "given" });
  const { requests } = Object(await (await stand.fetch(`${STAND_IN}/requests?platform=shopify`)).json());
  const statuses = requests.map(({ path, status }: { path: string; status: number }) => [
    ...[path.includes("access_token"), status],
  ]);
  expect(statuses).toEqual([
    ...[[true, 200] as const, [false, 200], [false, 401]],
    ...[[true, 200] as const, [false, 200]],
  ]);
});

test.each(["woocommerce", "shopify"] as const)(
  "webhooks of %s are made, listed and removed",
  async (platform) => {
    const stand = standIn();
    const { apis, shopOf } = clientsOf(stand);
    const { webhooks } = apis[platform];
    if (!webhooks) throw new Error("the platform has webhooks");
    const shop = shopOf(platform);
    const topic = platform === "woocommerce" ? "order.updated" : "orders/updated";
    const wanted = { topic, url: "https://cuadre.example/x", secret: "whsec" };
    expect(await webhooks.create(shop, wanted)).toMatchObject({ answer: "given" });
    const listed = await webhooks.list(shop);
    expect(listed).toMatchObject({ answer: "given", value: [{ topic, url: "https://cuadre.example/x" }] });
    const [made] = listed.answer === "given" ? listed.value : [];
    expect(await webhooks.remove(shop, made?.id ?? "")).toMatchObject({ answer: "given" });
    expect(await webhooks.list(shop)).toMatchObject({ answer: "given", value: [] });
  },
);
