/** Contracts of the other synchronized data: customers, statuses, stores, and the module itself. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import {
  query as moduleVersionQuery,
  toReportedModule,
} from "../../../src/api/endpoints/get-module-version.ts";
import { body as clientBody, toReportedClient } from "../../../src/api/endpoints/post-client.ts";
import { body as inventoryBody, toReportedInventory } from "../../../src/api/endpoints/post-inventory.ts";
import { body as statusBody, toReportedStatuses } from "../../../src/api/endpoints/post-status.ts";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { often } from "../../support/rules/often.ts";

const exactly = (body: unknown) => parseExactly(JSON.stringify(body));

function problemPaths(contract: z.ZodType, body: unknown): string[] {
  const issues = contract.safeParse(exactly(body)).error?.issues ?? [];
  return issues.map(({ path }) => path.join("."));
}

describe("client", () => {
  test("every member", () => {
    const body = {
      ...{ id_external: 88, first_name: "Lucía", last_name: " Pérez ", company: "Ejemplo SL" },
      ...{ vat_number: "B12345674", id_type: "02", email: "a@example.com", phone: "600 000 000" },
      ...{ country: "es", address1: "Calle 1\nBajo", postcode: "08001", city: "Barcelona", birthday: 1 },
    };
    expect(toReportedClient(clientBody.parse(exactly(body)))).toStrictEqual({
      ...{ idExternal: "88", firstName: "Lucía", lastName: "Pérez", company: "Ejemplo SL" },
      ...{ vatNumber: "B12345674", idType: "02", email: "a@example.com", phone: "600 000 000" },
      ...{ country: "ES", address1: "Calle 1 Bajo", postcode: "08001", city: "Barcelona" },
    });
  });

  test("an id is enough, and needed", () => {
    expect(toReportedClient(clientBody.parse(exactly({ id_external: "a", company: "" })))).toStrictEqual({
      idExternal: "a",
    });
    for (const id_external of [undefined, null, "", " ", {}, true])
      expect(problemPaths(clientBody, { id_external })).toEqual(["id_external"]);
  });
});

describe("status", () => {
  const statusesOf = (statuses: unknown) => toReportedStatuses(statusBody.parse(exactly({ statuses })));

  test("flags that are not said are false, of an id given twice the last one counts", () => {
    const sent = [
      { id_external: 2, name: "Pago aceptado", paid: true },
      { id_external: "6", name: "Cancelado", cancelled: true, colour: "red" },
      { id_external: "2", name: "Pagado", paid: null },
    ];
    expect(statusesOf(sent)).toStrictEqual([
      { idExternal: "2", name: "Pagado", paid: false, cancelled: false },
      { idExternal: "6", name: "Cancelado", paid: false, cancelled: true },
    ]);
    expect(statusesOf([])).toEqual([]);
  });

  test("up to 200", () => {
    const statuses = (length: number) => Array.from({ length }, (_, id) => ({ id_external: id, name: "x" }));
    expect(statusesOf(statuses(200)).length).toBe(200);
    expect(problemPaths(statusBody, { statuses: statuses(201) })).toEqual(["statuses"]);
  });

  test("every problem at its place", () => {
    const statuses = [{ id_external: "a" }, { name: "b" }, { id_external: "c", name: "c", paid: "yes" }, 1];
    expect(problemPaths(statusBody, { statuses })).toEqual([
      "statuses.0.name",
      "statuses.1.id_external",
      "statuses.2.paid",
      "statuses.3",
    ]);
    expect(problemPaths(statusBody, {})).toEqual(["statuses"]);
  });
});

describe("inventory", () => {
  const inventoryOf = (body: unknown) => toReportedInventory(inventoryBody.parse(exactly(body)));

  test("stores in the order reported, of an id given twice the last one counts", () => {
    const stores = [
      { id: 2, name: "Vieja" },
      { id: "1", name: "", url: "https://uno.example/", orders_count: 12 },
      { id: "2", name: "Nueva", orders_count: 3.0, theme: "classic" },
    ];
    expect(inventoryOf({ stores, orders_total: 15 })).toStrictEqual({
      stores: [
        { id: "2", name: "Nueva", ordersCount: 3 },
        { id: "1", url: "https://uno.example/", ordersCount: 12 },
      ],
      ordersTotal: 15,
    });
    expect(inventoryOf({ stores: [{ id: "1" }] })).toStrictEqual({ stores: [{ id: "1" }] });
  });

  const many = (length: number) => Array.from({ length }, (_, id) => ({ id }));

  test.each<[string, unknown, string[]]>([
    ["100 stores", many(100), []],
    ["101 stores", many(101), ["stores"]],
    ["none", [], ["stores"]],
    ["an id of 32", [{ id: "x".repeat(32) }], []],
    ["an id of 33", [{ id: "x".repeat(33) }], ["stores.0.id"]],
    ["an id with a comma, which would be two in store_ids", [{ id: "1,2" }], ["stores.0.id"]],
    ["no id", [{ name: "x" }], ["stores.0.id"]],
    ["half an order", [{ id: 1, orders_count: 0.5 }], ["stores.0.orders_count"]],
    ["fewer than no orders", [{ id: 1, orders_count: -1 }], ["stores.0.orders_count"]],
    ["orders as text", [{ id: 1, orders_count: "12" }], ["stores.0.orders_count"]],
    ["no list", { id: 1 }, ["stores"]],
  ])("%s", (_, stores, expected) => {
    expect(problemPaths(inventoryBody, { stores })).toEqual(expected);
  });
});

describe("module-version", () => {
  test.each<[string, Record<string, unknown>, object]>([
    ["nothing", {}, {}],
    [
      "everything",
      { platform: "prestashop", module_version: "2.1.0", contract_version: "1.8", debug: "1" },
      { platform: "prestashop", moduleVersion: "2.1.0", contractVersion: "1.8" },
    ],
    ["given twice, the first", { platform: ["a", "b"], module_version: "" }, { platform: "a" }],
  ])("%s", (_, query, expected) => {
    expect(toReportedModule(moduleVersionQuery.parse(query))).toStrictEqual(expected);
  });

  test("entries that cannot be stored are named", () => {
    const query = { platform: "x".repeat(65), module_version: "a\u0000" };
    expect(moduleVersionQuery.safeParse(query).error?.issues.map(({ path }) => path[0])).toEqual([
      "platform",
      "module_version",
    ]);
  });
});

describe("any JSON is read without a throw", () => {
  const anything = fc.jsonValue({ maxDepth: 3 });
  const entry = fc.record(
    { id: anything, id_external: anything, name: anything, paid: anything, orders_count: anything },
    { requiredKeys: [] },
  );
  const lists = fc.oneof(anything, fc.array(entry));
  const bodies = fc.oneof(
    anything,
    entry,
    fc.record({ statuses: lists, stores: lists, orders_total: anything }),
  );

  test("at any of the bodies", () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const sent = exactly(body);
        const client = clientBody.safeParse(sent);
        const statuses = statusBody.safeParse(sent);
        const inventory = inventoryBody.safeParse(sent);
        if (client.success) expect(toReportedClient(client.data).idExternal).not.toBe("");
        if (statuses.success) expect(toReportedStatuses(statuses.data)).toBeInstanceOf(Array);
        if (inventory.success) expect(toReportedInventory(inventory.data).stores.length).toBeGreaterThan(0);
      }),
      often(2000),
    );
  });
});
