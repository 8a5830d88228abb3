/** Webhooks that the service makes at a shop: none twice, renewed with the address and the secret, removed. */
import { beforeEach, describe, expect, test } from "vitest";
import type { ShopWebhook } from "../../src/domain/shop/webhooks.ts";
import type { ShopAnswer, WebhookApi, WebhookTarget } from "../../src/platform/shop-api.ts";
import { HOUR, MINUTE, NOON, SECOND } from "../support/builders/callbacks.ts";
import { failBefore } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { aNativeShop, type NativeShop } from "../support/worlds/native-shops.ts";
import { scriptedApi } from "../support/worlds/shop-deps.ts";

const FETCHING = {
  url: "https://tienda.example",
  credentials: { consumer_key: "ck_1234567890abcdef", consumer_secret: "cs_1234567890abcdef" },
} as const;
const API = "https://api.cuadre.example";
const TOPICS = ["order.created", "order.deleted", "order.restored", "order.updated"];
const FOREIGN: ShopWebhook = { id: "1", topic: "order.updated", url: "https://otro.example/hook" };

let now: number;
let native: NativeShop;
/** The webhooks that the shop has, with their secrets, which it tells to nobody. */
let hooks: Map<string, WebhookTarget & { readonly id: string }>;
let calls: string[];
let fails: (call: string) => ShopAnswer<never> | undefined;

beforeEach(async () => {
  now = NOON;
  hooks = new Map([[FOREIGN.id, FOREIGN]]);
  [calls, fails] = [[], () => undefined];
  let made = 1;
  const call = <Value>(name: string, act: () => Value): Promise<ShopAnswer<Value>> => {
    calls.push(name);
    const failure = fails(name);
    return Promise.resolve(failure ?? { answer: "given", value: act() });
  };
  const webhooks: WebhookApi = {
    list: () => call("list", () => [...hooks.values()].map(({ id, topic, url }) => ({ id, topic, url }))),
    create: (_, target) =>
      call("create", () => {
        made += 1;
        hooks.set(String(made), { ...target, id: String(made) });
        return {};
      }),
    change: (_, id, target) =>
      call("change", () => {
        hooks.set(id, { ...target, id });
        return {};
      }),
    remove: (_, id) =>
      call("remove", () => {
        hooks.delete(id);
        return {};
      }),
  };
  const apis = scriptedApi({
    readOrder: async () => ({ answer: "gone" }),
    listOrders: async () => ({ answer: "given", value: { orders: [] } }),
  });
  const woocommerce = { ...apis.woocommerce, webhooks };
  native = await aNativeShop({ now: () => now }, undefined, { ...apis, woocommerce });
});

const wake = async (at = now): Promise<number | undefined> => {
  now = at;
  return native.ledger.wake();
};
const make = () => native.act({ verb: "make_shop_webhooks", apiUrl: `${API}/` });
const ours = () =>
  [...hooks.values()].filter(({ id }) => id !== FOREIGN.id).sort((a, b) => (a.topic < b.topic ? -1 : 1));
const tasks = () =>
  native.rows<Record<string, unknown>>(
    "SELECT nonce, due_at, made_at, attempts, failure FROM shop_webhook_task WHERE connection_id = ? ORDER BY nonce",
  );
const nonce = async () =>
  (await native.rows<{ readonly nonce: string }>("SELECT nonce FROM shop WHERE connection_id = ?"))[0]?.nonce;

async function connected(): Promise<string> {
  const secret = await native.connect(FETCHING);
  await make();
  await wake();
  return secret;
}

describe("webhooks are made", () => {
  test("one of each topic, at the address of the shop, with its secret", async () => {
    const secret = await connected();
    expect(ours().map(({ topic }) => topic)).toEqual(TOPICS);
    const { connectionId } = native.shop;
    const address = `${API}/v1/shops/woocommerce/sa_${connectionId}_${await nonce()}_`;
    for (const hook of ours()) {
      expect(hook.url.startsWith(address)).toBe(true);
      expect(hook.secret).toBe(secret);
    }
    expect(await tasks()).toMatchObject([{ nonce: "", due_at: null, made_at: NOON, failure: null }]);
  });

  test("again, they are written again, and none is there twice", async () => {
    await connected();
    const before = ours().map(({ id }) => id);
    expect(await make()).toEqual({ outcome: "done" });
    expect(await make()).toEqual({ outcome: "done" });
    await wake();
    expect(ours().map(({ id }) => id)).toEqual(before);
    expect(
      await native.rows("SELECT 1 FROM audit_log WHERE connection_id = ? AND verb = 'make_shop_webhooks'"),
    ).toHaveLength(2);
  });

  test("one that the owner has deleted, switched off or doubled is put right; those of others are not touched", async () => {
    await connected();
    const [first, second] = ours();
    if (first) hooks.delete(first.id);
    if (second) hooks.set("77", { ...second, id: "77" });
    await make();
    await wake();
    expect(ours().map(({ topic }) => topic)).toEqual(TOPICS);
    expect(hooks.get(FOREIGN.id)).toEqual(FOREIGN);
  });

  test("after a crash in the middle no topic has two", async () => {
    await native.connect(FETCHING);
    await make();
    fails = (name) =>
      name === "create" && calls.filter((call) => call === "create").length === 3
        ? { answer: "failed", cause: "timeout" }
        : undefined;
    await wake();
    expect(await tasks()).toMatchObject([{ failure: "timeout", attempts: 1, due_at: NOON + SECOND }]);
    fails = () => undefined;
    faults.when((sql) => sql.some((one) => one.startsWith('update "shop_webhook_task"')), failBefore());
    await wake(NOON + SECOND);
    faults.reset();
    await wake(NOON + MINUTE);
    expect(ours().map(({ topic }) => topic)).toEqual(TOPICS);
    expect(await tasks()).toMatchObject([{ failure: null, due_at: null, made_at: NOON + MINUTE }]);
  });

  test("credentials that may not write are shown, and stop neither fetching nor a later request", async () => {
    await native.connect(FETCHING);
    await make();
    fails = (name) => (name === "create" ? { answer: "refused" } : undefined);
    await wake();
    expect(await tasks()).toMatchObject([{ failure: "refused", due_at: null }]);
    const [shop] = await native.rows<Record<string, unknown>>(
      "SELECT credentials_refused_at FROM shop WHERE connection_id = ?",
    );
    expect(shop).toEqual({ credentials_refused_at: null });
    fails = () => undefined;
    await make();
    await wake();
    expect(ours()).toHaveLength(4);
  });
});

describe("they are renewed", () => {
  test("at a new address: moved, not doubled", async () => {
    await connected();
    const ids = ours().map(({ id }) => id);
    const before = await nonce();
    await native.act({ verb: "renew_shop_address" });
    await wake();
    expect(ours().map(({ id }) => id)).toEqual(ids);
    expect(before).not.toBe(await nonce());
    for (const { url } of ours()) expect(url).toContain(`_${await nonce()}_`);
  });

  test("with a new secret, which signs from then on", async () => {
    const first = await connected();
    const rotated = await native.act({ verb: "rotate_shop_secret" });
    const secret = rotated.outcome === "done" ? rotated.shown?.secret : undefined;
    await wake();
    expect(secret).not.toBe(first);
    expect(new Set(ours().map((hook) => hook.secret))).toEqual(new Set([secret]));
  });

  test("only where the service has made them", async () => {
    await native.connect(FETCHING);
    await native.act({ verb: "renew_shop_address" });
    await wake();
    expect([calls, await tasks()]).toEqual([[], []]);
  });
});

describe("a disconnection removes them", () => {
  test("at the shop, and then nothing of its credentials is left", async () => {
    await connected();
    await native.act({ verb: "disconnect_shop" });
    expect(await native.rows("SELECT 1 FROM shop WHERE connection_id = ?")).toEqual([]);
    expect(await tasks()).toHaveLength(1);
    expect(await wake()).toBeUndefined();
    expect([...hooks.values()]).toEqual([FOREIGN]);
    expect(await tasks()).toEqual([]);
  });

  test("of the address before as well", async () => {
    await connected();
    fails = (name) => (name === "change" ? { answer: "failed", cause: "timeout" } : undefined);
    await native.act({ verb: "renew_shop_address" });
    await wake();
    await native.act({ verb: "disconnect_shop" });
    await wake();
    expect([...hooks.values()]).toEqual([FOREIGN]);
  });

  test("later, while the shop is down, and a shop connected meanwhile keeps its own", async () => {
    await connected();
    fails = () => ({ answer: "failed", cause: "no_connection" });
    await native.act({ verb: "disconnect_shop" });
    await wake();
    expect(await tasks()).toMatchObject([{ attempts: 1, failure: "no_connection" }]);
    fails = (name) => (name === "remove" ? { answer: "failed", cause: "no_connection" } : undefined);
    await connected();
    fails = () => undefined;
    await wake(now + HOUR);
    expect(ours().map(({ topic }) => topic)).toEqual(TOPICS);
    for (const { url } of ours()) expect(url).toContain(`_${await nonce()}_`);
    expect((await tasks()).map((task) => task.nonce)).toEqual([""]);
  });

  test.each([
    ["its credentials are refused", { answer: "refused" } as const, 0],
    ["it was down for a day", { answer: "failed", cause: "timeout" } as const, 24 * HOUR],
  ])("until %s: then the credentials go", async (_, answer, after) => {
    await connected();
    await native.act({ verb: "disconnect_shop" });
    fails = () => answer;
    await wake(now + after);
    expect(await tasks()).toEqual([]);
  });
});

test.each([
  ["a module's shop", { platform: "prestashop", credentials: {} }, "shop_webhooks_by_module"],
  ["a shop that cannot be asked", { credentials: {} }, "shop_not_fetched"],
] as const)("%s has none", async (_, request, code) => {
  await native.connect(request);
  expect(await make()).toMatchObject({ outcome: "refused", refusal: { code } });
});

test("without a shop there are none", async () => {
  expect(await make()).toMatchObject({ outcome: "refused", refusal: { code: "shop_missing" } });
});
