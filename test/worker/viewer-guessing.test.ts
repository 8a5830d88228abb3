/** A guesser's knowledge, a cache that lies or hangs, and changing secrets. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hashOfKey } from "../../src/domain/connection/api-key.ts";
import { faults } from "../support/faults/faults.ts";
import { kvCalls } from "../support/faults/wrapped-kv.ts";
import {
  access,
  anEdgeOverAll,
  type Edge,
  openShopWith,
  post,
  viewerUrl,
} from "../support/worlds/customer-views.ts";
import { aSentOrder, orderConnector } from "../support/worlds/order-calls.ts";
import { act, type Shop } from "../support/worlds/shop.ts";

let edge: Edge;
let shop: Shop;

beforeEach(async () => {
  kvCalls.reset();
  edge = anEdgeOverAll();
  shop = await openShopWith(["A-1"]);
  faults.take();
});

afterEach(() => {
  vi.useRealTimers();
});

const CHANGING = new Set(["x-request-id", "date"]);

/** The answer to a browser, except for parts that differ between any two answers. */
async function told(url: string, at: Edge = edge) {
  const response = await at.app.request(url);
  const headers = [...response.headers].filter(([name]) => !CHANGING.has(name)).sort();
  return { status: response.status, headers, text: await response.text() };
}

describe("not here", () => {
  test("the same answer for a token that is forged, switched off, of a revoked key, and of a file", async () => {
    const other = await openShopWith(["A-1"], { accountId: shop.accountId });
    const [live, off] = [await viewerUrl(edge, shop, "A-1"), await viewerUrl(edge, other, "A-1")];
    const forged = await told(`${live.slice(0, -1)}${live.endsWith("A") ? "B" : "A"}`);
    await act(other, { verb: "switch_customer_access", enabled: false });
    const answers = [off, `${off}/PED-1S-2026-000001.pdf`, `${live}/PED-9S-2026-000001.pdf`, `${live}/x/y`];
    for (const url of answers) expect([url, await told(url)]).toEqual([url, forged]);
    await act(other, { verb: "switch_customer_access", enabled: true });
    expect(await told(off)).toEqual(forged);
    await act(shop, { verb: "revoke_key", hash: hashOfKey(shop.key) });
    expect(await told(live)).toEqual(forged);
    expect(forged.status).toBe(404);
  });

  test("another connection's order is refused and listed like a missing one", async () => {
    const other = await openShopWith(["B-1"], { accountId: shop.accountId });
    const asked = async (id: string) => {
      const { status, body } = await access(edge, other, { order_id: id, presentation: "link" });
      return [status, JSON.stringify({ ...body, request_id: "" }).replaceAll(id, "?")];
    };
    expect(await asked("A-1")).toEqual(await asked("Z-1"));
    const { data } = await post(edge, other, "/api/v1/order/invoice-availability", {
      order_ids: ["A-1", "Z-1"],
    });
    expect(data.items).toEqual([
      { order_id: "A-1", state: "not_available" },
      { order_id: "Z-1", state: "not_available" },
    ]);
  });
});

describe("a snapshot", () => {
  async function kept(id: string) {
    kvCalls.take();
    const url = await viewerUrl(edge, shop, id);
    const [put] = kvCalls.take();
    if (!put?.value) throw new Error("nothing was kept");
    return { url, name: put.name, value: put.value };
  }

  test("an altered one is none: the page comes from the books", async () => {
    const { url, name, value } = await kept("A-1");
    const whole = await told(url);
    for (const at of [0, 12, value.length - 1]) {
      const altered = value.slice();
      altered.set([(altered[at] ?? 0) ^ 1], at);
      await env.VIEWER_TOKENS.put(name, altered);
      expect(await told(url)).toEqual(whole);
      expect(edge.lines.at(-1)).toMatchObject({ status: 200, cause: "snapshot_read", d1_trips: 1 });
    }
    await env.VIEWER_TOKENS.put(name, "");
    expect(await told(url)).toEqual(whole);
  });

  test("of another order in its place is not shown", async () => {
    await orderConnector(shop).send(aSentOrder("A-2", { reference: "R-A-2" }));
    const [mine, theirs] = [await kept("A-1"), await kept("A-2")];
    await env.VIEWER_TOKENS.put(mine.name, theirs.value);
    const { status, text } = await told(mine.url);
    expect([status, text.includes("R-A-1"), text.includes("R-A-2")]).toEqual([200, true, false]);
  });

  test("that does not come is waited for two seconds, then the books are read", async () => {
    const { url } = await kept("A-1");
    kvCalls.suffer("hangs");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const looked = told(url);
    await kvCalls.hung();
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await looked).text).toContain("R-A-1");
    expect(edge.lines.at(-1)).toMatchObject({ status: 200, cause: "snapshot_read", d1_trips: 1 });
  });

  test("one that cannot be kept within two seconds delays no URL", async () => {
    kvCalls.suffer("hangs");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = access(edge, shop, { order_id: "A-1", presentation: "link" });
    await kvCalls.hung();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await asked).toMatchObject({ status: 200, data: { state: "available" } });
    expect(edge.lines.at(-1)).toMatchObject({ status: 200, cause: "snapshot_keep" });
  });
});

describe("secrets", () => {
  test("a new one in front ends no URL; dropping the old one ends the URLs that it signed", async () => {
    const before = anEdgeOverAll({ VIEWER_TOKEN_SECRETS: "old" });
    const both = anEdgeOverAll({ VIEWER_TOKEN_SECRETS: "new,old" });
    const after = anEdgeOverAll({ VIEWER_TOKEN_SECRETS: "new" });
    const [old, fresh] = [await viewerUrl(before, shop, "A-1"), await viewerUrl(both, shop, "A-1")];
    expect((await told(old, both)).status).toBe(200);
    expect((await told(old, after)).status).toBe(404);
    expect((await told(fresh, after)).status).toBe(200);
    expect((await told(fresh, before)).status).toBe(404);
  });

  test("without any nothing is signed, and nothing is shown", async () => {
    const without = anEdgeOverAll({ VIEWER_TOKEN_SECRETS: "" });
    const { status, body } = await access(without, shop, { order_id: "A-1", presentation: "link" });
    expect([status, JSON.stringify(body).includes("/v/")]).toEqual([500, false]);
    expect((await told(await viewerUrl(edge, shop, "A-1"), without)).status).toBe(404);
  });
});
