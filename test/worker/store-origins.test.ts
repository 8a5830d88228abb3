/** Pages of reported stores: each new one is a line for its owner once, and a refused one stays so. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { LEFT_BEHIND } from "../../src/domain/limits.ts";
import { gate, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { ownerOf } from "../support/worlds/console.ts";
import { access, anEdgeOverAll, type Edge, openShopWith, STORE } from "../support/worlds/customer-views.ts";
import { act, type Shop } from "../support/worlds/shop.ts";
import { connectorOf, inventoryReport } from "../support/worlds/shop-reports.ts";

const OTHER = "https://otra.example";

let edge: Edge;
let shop: Shop;

beforeEach(async () => {
  edge = anEdgeOverAll();
  shop = await openShopWith(["A-1"]);
});

const report = (id: string, url: string) => connectorOf(shop)(inventoryReport({ id, url }));
const refuse = (origin: string) => act(shop, { verb: "refuse_origin", origin });
const allowed = async (origin: string) =>
  (await access(edge, shop, { order_id: "A-1", presentation: "embed", origin })).body.error_code ?? "allowed";

async function lines(): Promise<readonly unknown[]> {
  const { results } = await env.LEDGER_000.prepare(
    `SELECT verb, user_id AS who, facts FROM audit_log WHERE connection_id = ? AND verb LIKE '%origin'
      ORDER BY rowid`,
  )
    .bind(shop.connectionId)
    .all<{ verb: string; who: string; facts: string }>();
  return results.map(({ verb, who, facts }) => [
    verb,
    who,
    JSON.parse(facts).origin,
    JSON.parse(facts).store_id,
  ]);
}

const writesOrigin = (sql: readonly string[]) => sql.some((text) => text.includes('into "store_origin"'));
const OF_STORE = ["report_origin", "connector", STORE, "1"];

describe("a page that a store is reported with", () => {
  test("counts, and is a line of the activity with its store, once", async () => {
    await report("2", `${OTHER}/es`);
    await report("2", `${OTHER}/fr`);
    await report("3", OTHER);
    expect(await allowed(OTHER)).toBe("allowed");
    expect(await lines()).toEqual([OF_STORE, ["report_origin", "connector", OTHER, "2"]]);
  });

  test("is one line where two stores come with it at once, and where the answer is lost on the way", async () => {
    const lost = faults.when(writesOrigin, loseAnswer());
    const stores = [
      { id: "2", url: OTHER },
      { id: "3", url: OTHER },
      { id: "4", url: "ftp://nada" },
    ];
    expect(await connectorOf(shop)(inventoryReport(...stores))).toMatchObject({ outcome: "recorded" });
    await lost.reached();
    expect(await lines()).toEqual([OF_STORE, ["report_origin", "connector", OTHER, "2"]]);
  });

  test("is no line where its store does not fit", async () => {
    const ids = Array.from({ length: LEFT_BEHIND.stores - 1 }, (_, n) => ({ id: `n${n}` }));
    await connectorOf(shop)(inventoryReport(...ids));
    await report("uno más", OTHER);
    expect([await lines(), await allowed(OTHER)]).toEqual([[OF_STORE], "origin_not_allowed"]);
  });

  test("is no news where its store was there with it before pages were kept", async () => {
    await env.LEDGER_000.prepare(
      "INSERT INTO shop_store VALUES (?, 'vieja', NULL, 'https://vieja.example/', NULL, 9, 7)",
    )
      .bind(shop.connectionId)
      .run();
    expect(await allowed("https://vieja.example")).toBe("allowed");
    await report("vieja", "https://vieja.example/");
    expect(await lines()).toEqual([OF_STORE]);
    const kept = await env.LEDGER_000.prepare("SELECT seen_at FROM store_origin WHERE store_id = 'vieja'");
    expect(await kept.first("seen_at")).toBe(7);
  });

  test("counts no more when there have been too many, and leaves no line", async () => {
    await env.LEDGER_000.prepare(
      `WITH RECURSIVE other(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM other WHERE n < ?1)
        INSERT INTO store_origin SELECT connection_id, account_id, 'https://s' || n || '.example', '1', 1, NULL
        FROM other CROSS JOIN store_origin WHERE connection_id = ?2`,
    )
      .bind(LEFT_BEHIND.origins, shop.connectionId)
      .run();
    expect(await report("2", OTHER)).toMatchObject({ outcome: "recorded", created: 1 });
    expect([await allowed(OTHER), await allowed(STORE)]).toEqual(["origin_not_allowed", "allowed"]);
    expect(await lines()).toEqual([OF_STORE]);
    await act(shop, { verb: "add_origin", origin: OTHER });
    expect(await allowed(OTHER)).toBe("allowed");
  });
});

describe("a page that its owner refuses", () => {
  test("stays refused for every reporter, with any key and store", async () => {
    expect(await refuse("https://Tienda.example:443")).toEqual({ outcome: "done" });
    expect(await allowed(STORE)).toBe("origin_not_allowed");
    await report("1", `${STORE}/otra`);
    await report("1", OTHER);
    await report("1", `${STORE}/es/`);
    await report("nueva", STORE);
    expect(await allowed(STORE)).toBe("origin_not_allowed");
    expect(await lines()).toEqual([
      OF_STORE,
      ["refuse_origin", "owner", STORE, undefined],
      ["report_origin", "connector", OTHER, "1"],
    ]);
  });

  test("is removed from the registered ones, and comes back only by its owner's own decision", async () => {
    await act(shop, { verb: "add_origin", origin: STORE });
    await refuse(STORE);
    expect(await allowed(STORE)).toBe("origin_not_allowed");
    await act(shop, { verb: "add_origin", origin: STORE });
    expect(await allowed(STORE)).toBe("allowed");
  });

  test("is refused once by several requests at once, and an unreported one is no change", async () => {
    const told = await Promise.all([refuse(STORE), refuse(STORE), refuse(STORE), refuse(OTHER)]);
    expect(told).toEqual(Array.from({ length: 4 }, () => ({ outcome: "done" })));
    expect(await lines()).toEqual([OF_STORE, ["refuse_origin", "owner", STORE, undefined]]);
  });

  test("is out before the database knows", async () => {
    await allowed(STORE);
    const held = faults.when((sql) => sql.some((text) => text.startsWith("delete")), gate());
    const refused = refuse(STORE);
    await held.reached();
    expect(await allowed(STORE)).toBe("origin_not_allowed");
    held.open();
    expect(await refused).toEqual({ outcome: "done" });
  });

  test("is listed in the console as that, and another company's of the same name is unchanged", async () => {
    const others = await openShopWith(["A-1"]);
    const owner = await ownerOf(shop);
    const origins = `/api/accounts/${shop.accountId}/connections/${shop.connectionId}/origins`;
    await report("2", OTHER);
    expect((await owner.post(`${origins}/refusals`, { origin: STORE })).status).toBe(200);
    await report("1", OTHER);
    const { items, next } = (await owner.get(origins)).body.data;
    expect(items).toMatchObject([
      { origin: OTHER, state: "reported", store: { id: "2" }, at: expect.any(String) },
      { origin: STORE, state: "refused", store: { id: "1" }, refusedAt: expect.any(String) },
    ]);
    expect(next).toBeNull();
    const [line] = (await owner.get(`/api/accounts/${shop.accountId}/activity?area=access`)).body.data.items;
    expect(line).toMatchObject({ verb: "refuse_origin", facts: { origin: STORE } });
    expect(
      (await access(edge, others, { order_id: "A-1", presentation: "embed", origin: STORE })).status,
    ).toBe(200);
  });

  test("cannot be admitted again in the database, nor forgotten", async () => {
    await refuse(STORE);
    for (const text of ["UPDATE store_origin SET refused_at = NULL", "DELETE FROM store_origin"]) {
      await expect(env.LEDGER_000.prepare(text).run()).rejects.toThrow("immutable: store_origin");
    }
  });
});
