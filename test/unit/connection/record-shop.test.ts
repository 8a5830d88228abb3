import { describe, expect, test } from "vitest";
import {
  isQueryOnly,
  type ShopReport,
  shopBatchOf,
  upsertsInOrder,
} from "../../../src/ledger/shop/record-shop.ts";

const AT = 1_000;
const client = (idExternal: string, city = "Madrid"): ShopReport => ({
  resource: "client",
  client: { idExternal, city },
});
const inventory = (ids: readonly string[], ordersTotal?: number): ShopReport => ({
  resource: "inventory",
  inventory: {
    stores: ids.map((id) => ({ id })),
    ...(ordersTotal === undefined ? {} : { ordersTotal }),
  },
});
const module = (reported: Readonly<Record<string, string>>): ShopReport => ({
  resource: "module",
  module: reported,
});

describe("one batch of a group", () => {
  test("a row that several report is written once, as the last one has it", () => {
    const { clients } = shopBatchOf([client("a"), client("b"), client("a", "Cádiz")], "configured", AT);
    expect(clients).toEqual([
      { idExternal: "a", city: "Cádiz" },
      { idExternal: "b", city: "Madrid" },
    ]);
  });

  test("stores of several inventories follow each other, the last total counts", () => {
    const batch = shopBatchOf([inventory(["1", "2"], 9), inventory(["2", "3"])], "configured", AT);
    expect(batch.stores.map(({ id }) => id)).toEqual(["1", "2", "3"]);
    expect(batch.inventory).toEqual({});
    expect(batch).not.toHaveProperty("setupState");
  });

  test("only an inventory moves a setup, and only from its beginning", () => {
    expect(shopBatchOf([inventory(["1"])], "pending_inventory", AT).setupState).toBe("pending_configuration");
    expect(shopBatchOf([inventory(["1"])], "pending_configuration", AT)).not.toHaveProperty("setupState");
    expect(shopBatchOf([module({ platform: "x" })], "pending_inventory", AT)).not.toHaveProperty(
      "setupState",
    );
  });

  test("a module that leaves something out has not unsaid it", () => {
    const batch = shopBatchOf(
      [module({ platform: "magento", moduleVersion: "1" }), module({ moduleVersion: "2" })],
      "configured",
      AT,
    );
    expect(batch.module).toEqual({ platform: "magento", moduleVersion: "2" });
  });

  test("an empty report writes nothing", () => {
    expect(shopBatchOf([], "configured", AT)).toEqual({ at: AT, clients: [], statuses: [], stores: [] });
  });
});

test("each report of a group counts as if it had come alone", () => {
  const known = { clients: ["a"], statuses: [], stores: ["1"], counts: { statuses: 0, stores: 1 } };
  const reports = [client("a"), client("b"), client("b"), inventory(["1", "2"]), inventory(["2", "b"])];
  const all = [...reports, module({ platform: "x" })];
  expect(upsertsInOrder(all, shopBatchOf(all, "configured", AT), known)).toEqual(
    [
      { created: 0, updated: 1 },
      { created: 1, updated: 0 },
      { created: 0, updated: 1 },
      { created: 1, updated: 1 },
      { created: 1, updated: 1 },
      { created: 0, updated: 0 },
    ].map((value) => ({ ok: true, value })),
  );
});

test("a report with new ones that do not fit is refused, and names a few; known and fitting ones are no fault", () => {
  const ids = (from: number, many: number) => Array.from({ length: many }, (_, n) => `s${from + n}`);
  const known = { clients: [], statuses: [], stores: ["1"], counts: { statuses: 0, stores: 498 } };
  const all = [inventory(["1", "s0"]), inventory(["1"]), inventory(["s0", ...ids(1, 8)]), inventory(["s1"])];
  const told = upsertsInOrder(all, shopBatchOf(all, "configured", AT), known);
  expect(told).toEqual([
    { ok: true, value: { created: 1, updated: 1 } },
    { ok: true, value: { created: 0, updated: 1 } },
    {
      ok: false,
      error: {
        code: "inventory_full",
        facts: { limit: "500", count: "7", ids: "s2, s3, s4, s5, s6, ..." },
      },
    },
    { ok: true, value: { created: 0, updated: 1 } },
  ]);
});

test("a module that says nothing only asks", () => {
  expect([isQueryOnly(module({})), isQueryOnly(module({ platform: "x" })), isQueryOnly(client("a"))]).toEqual(
    [true, false, false],
  );
});
