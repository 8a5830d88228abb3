/** Switching customers' access while D1 misbehaves, and what the database itself refuses. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { answerGate, failBefore, gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults, type SqlPredicate } from "../support/faults/faults.ts";
import { kvCalls } from "../support/faults/wrapped-kv.ts";
import { anEdgeOverAll, type Edge, openShopWith, viewerUrl } from "../support/worlds/customer-views.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { act, ledgerStub, type Shop } from "../support/worlds/shop.ts";

let edge: Edge;
let shop: Shop;
let url: string;

beforeEach(async () => {
  kvCalls.reset();
  edge = anEdgeOverAll();
  shop = await openShopWith(["A-1"]);
  url = await viewerUrl(edge, shop, "A-1");
  faults.take();
});

const switchTo = (enabled: boolean) => act(shop, { verb: "switch_customer_access", enabled });
const statusOf = async () => (await edge.app.request(url)).status;
const switches: SqlPredicate = (sql) => sql.some((text) => text.startsWith('insert into "customer_access"'));
const loads: SqlPredicate = (sql) =>
  sql.some((text) => text.includes("access_epoch") && text.includes("ledger_head"));

async function stored() {
  return env.LEDGER_000.prepare("SELECT is_on, epoch FROM customer_access").raw();
}

describe("off", () => {
  test("its answer is lost: it is done, once", async () => {
    faults.when(switches, loseAnswer());
    expect(await switchTo(false)).toEqual({ outcome: "done" });
    expect([await stored(), await statusOf()]).toEqual([[[0, 1]], 404]);
  });

  test("it comes late and is given up: it is done by the second try, once", async () => {
    const fault = faults.when(switches, late());
    expect(await switchTo(false)).toEqual({ outcome: "done" });
    await expect(fault.release()).rejects.toThrow("fence:stale_head");
    expect([await stored(), await statusOf()]).toEqual([[[0, 1]], 404]);
  });

  test("D1 goes down: the owner gets an error, and nothing is shown until the switch can be read", async () => {
    const lost = faults.when(switches, late());
    faults.when(loads, failBefore(), { times: 2 });
    expect(await switchTo(false)).toMatchObject({ outcome: "unavailable" });
    expect(await statusOf()).toBe(503);
    expect(await statusOf()).toBe(200);
    // It lands after all, and no memory of how it was outlives it.
    await lost.release();
    expect([await stored(), await statusOf()]).toEqual([[[0, 1]], 404]);
  });

  test("a load under way when it began is thrown away and repeated", async () => {
    await evictDurableObject(ledgerStub(shop));
    const { ledger } = plainLedger(shop);
    const before = faults.when(loads, answerGate());
    const viewing = { connectionId: shop.connectionId, epoch: 0, idExternal: "A-1", withDocuments: false };
    const looked = ledger.viewInvoices(viewing);
    await before.answered();
    expect(
      await ledger.act(shop.connectionId, "owner", { verb: "switch_customer_access", enabled: false }),
    ).toEqual({
      outcome: "done",
    });
    before.open();
    expect(await looked).toMatchObject({ outcome: "closed" });
  });

  test("issuing continues, and the settings of its decisions are the same", async () => {
    const version = () => env.LEDGER_000.prepare("SELECT max(settings_version) AS v FROM account").first("v");
    const before = await version();
    await switchTo(false);
    await act(shop, { verb: "add_origin", origin: "https://otra.example" });
    expect(await version()).toBe(before);
  });
});

test("on again counts only when D1 has it", async () => {
  await switchTo(false);
  const held = faults.when(switches, gate());
  const on = switchTo(true);
  await held.reached();
  const asked = { order_id: "A-1", presentation: "link" };
  const refused = await edge.app.request("https://api.example/api/v1/order/invoice-access", {
    method: "POST",
    headers: { "X-API-KEY": shop.key, "Content-Type": "application/json" },
    body: JSON.stringify(asked),
  });
  expect(refused.status).toBe(403);
  held.open();
  expect(await on).toEqual({ outcome: "done" });
  expect((await edge.app.request(await viewerUrl(edge, shop, "A-1"))).status).toBe(200);
  expect(await statusOf()).toBe(404);
});

describe("the database refuses", () => {
  beforeEach(async () => {
    await switchTo(false);
    await switchTo(true);
  });

  test.each([
    ["an epoch that comes back", "UPDATE customer_access SET epoch = epoch - 1"],
    ["off without a new epoch", "UPDATE customer_access SET is_on = 0"],
    ["another connection's row", "UPDATE customer_access SET connection_id = 'x'"],
    ["a row that goes", "DELETE FROM customer_access"],
  ])("%s", async (_, sql) => {
    await expect(env.LEDGER_000.prepare(sql).run()).rejects.toThrow("immutable: customer_access");
  });

  test("nothing of a key that is revoked while another lives", async () => {
    await act(shop, { verb: "open_key", id: "ky0000000000000000009", hash: "9".repeat(64) });
    await act(shop, { verb: "revoke_key", hash: "9".repeat(64) });
    expect(await stored()).toEqual([[1, 1]]);
    await env.LEDGER_000.prepare("UPDATE api_key SET revoked_at = 1 WHERE revoked_at IS NULL").run();
    expect(await stored()).toEqual([[1, 2]]);
  });
});
