import { describe, expect, test } from "vitest";
import {
  admitShopCall,
  afterInventory,
  chooseStores,
  isSyncReady,
  SETUP_STATES,
  type SetupState,
  type ShopResource,
  type StoreChoice,
  UNGUIDED,
} from "../../../src/domain/connection/setup.ts";

const INVENTORY = ["2", "1", "outlet"];

test.each<[SetupState, SetupState, boolean]>([
  ["pending_inventory", "pending_configuration", false],
  ["pending_configuration", "pending_configuration", false],
  ["configured", "configured", true],
])("an inventory in %s leads to %s", (state, next, ready) => {
  expect(afterInventory(state)).toBe(next);
  expect(isSyncReady({ state, storeIds: null })).toBe(ready);
});

describe("a choice of stores", () => {
  test.each<[string, StoreChoice, readonly string[], string]>([
    ["all, also those to come", "all", INVENTORY, ""],
    ["one", ["1"], INVENTORY, "1"],
    ["some, in the order of the inventory", ["outlet", "2"], INVENTORY, "2,outlet"],
    ["every one by name is not all of them", ["1", "2", "outlet"], INVENTORY, "2,1,outlet"],
    ["one twice", ["1", "1"], INVENTORY, "1"],
  ])("%s", (_, choice, storeIds, expected) => {
    expect(chooseStores(choice, { connectionKind: "commerce", storeIds })).toEqual({
      ok: true,
      value: expected,
    });
  });

  test.each<[string, StoreChoice, { kind?: string; storeIds?: readonly string[] }, string, object]>([
    [
      "of a kind that takes no orders",
      "all",
      { kind: "accounting", storeIds: [] },
      "orders_not_supported_by_connection",
      { kind: "accounting" },
    ],
    ["before any inventory", "all", { storeIds: [] }, "inventory_missing", {}],
    ["of none, which would read as all", [], {}, "no_store_chosen", {}],
    ["of unreported stores", ["1", "9", "8"], {}, "store_unknown", { stores: "9, 8" }],
    ["of two in one", ["2,1"], {}, "store_unknown", { stores: "2,1" }],
  ])("%s is refused", (_, choice, { kind = "commerce", storeIds = INVENTORY }, code, facts) => {
    expect(chooseStores(choice, { connectionKind: kind, storeIds })).toEqual({
      ok: false,
      error: { code, facts },
    });
  });
});

describe("the kinds that may report", () => {
  const resources: readonly ShopResource[] = ["client", "status", "inventory", "module"];
  const admitted = (kind: string, state: SetupState) =>
    resources.map((resource) => {
      const admission = admitShopCall(resource, { kind, setup: { state, storeIds: null } });
      return admission.ok ? "ok" : admission.error.code;
    });

  test.each(["commerce", "api"])("%s: customers wait for step 2, the rest does not", (kind) => {
    for (const state of SETUP_STATES) {
      const client = state === "configured" ? "ok" : "sync_not_ready";
      expect(admitted(kind, state)).toEqual([client, "ok", "ok", "ok"]);
    }
  });

  test("a kind that takes no orders: nothing, and its setup is not looked at", () => {
    for (const state of SETUP_STATES)
      expect(admitted("accounting", state)).toEqual(Array(4).fill("orders_not_supported_by_connection"));
  });

  test("without guide everything is open, and the selection is not managed", () => {
    expect(UNGUIDED).toEqual({ state: "configured", storeIds: null });
  });
});
