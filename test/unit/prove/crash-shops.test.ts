/** The findings of the crash run about shops: deliveries and orders that are lost, doubled or miscounted. */
import { expect, test } from "vitest";
import { CONNECTIONS, type Course, DONE, type ShopConnection, type Told } from "../../prove/crash/call.ts";
import {
  type ShopContext,
  type StoredDelivery,
  type StoredShops,
  shopProblems,
} from "../../prove/crash/shops/stored-shops.ts";

// One for each name.
const IDS = Object.fromEntries(CONNECTIONS.map((name) => [name, `id of ${name}`])) as ShopContext["ids"];
const SHOP: ShopConnection = "woocommerce_posting";

function told(id: string, outcome: string, tries = 1): Told {
  const delivery = { id, headers: {}, text: "{}" };
  const about = { connection: SHOP, about: "7001", method: "POST", path: "/", expect: [DONE] } as const;
  const call = { id: `${id}/${outcome}`, kind: "deliver", delivery, ...about } as const;
  return { call, status: 200, code: DONE, data: { outcome }, tries, began: 1, ended: 2 };
}

function row(change: Partial<StoredDelivery> = {}): StoredDelivery {
  const of = { connection_id: IDS[SHOP], delivery_id: "d1", order_id: "7001" };
  return { ...of, outcome: "decided", repeats: 1, ...change };
}

const TOLD = [told("d1", "decided"), told("d1", "duplicate")];

function found(
  answers: readonly Told[],
  deliveries: readonly StoredDelivery[],
  { miscounted = [] }: Partial<StoredShops> = {},
): readonly string[] {
  const stored = { deliveries, miscounted, backfilled: { listed: 0, decided: 0 } };
  return shopProblems(answers, stored, { courses: [], ids: IDS, books: [] }).map(({ kind }) => kind);
}

test("a delivery that is there as it was answered is no problem", () => {
  expect(found(TOLD, [row()])).toEqual([]);
});

test.each<[string, readonly string[], readonly Told[], readonly StoredDelivery[]]>([
  ["that is not there is lost", ["lost"], TOLD, []],
  ["with another outcome contradicts", ["contradiction"], TOLD, [row({ outcome: "unreadable" })]],
  ["of another order contradicts", ["contradiction"], TOLD, [row({ order_id: "7002" })]],
  ["with fewer repeats than were answered contradicts", ["contradiction"], TOLD, [row({ repeats: 0 })]],
  ["with more repeats than were sent contradicts", ["contradiction"], TOLD, [row({ repeats: 2 })]],
  ["that nobody sent contradicts", ["contradiction"], TOLD, [row(), row({ delivery_id: "d2" })]],
  ["that was new twice is doubled", ["doubled"], [told("d1", "decided"), told("d1", "decided")], [row()]],
])("a delivery %s", (_, kinds, answers, deliveries) => {
  expect(found(answers, deliveries)).toEqual(kinds);
});

test("calls without an answer may have counted as repeats", () => {
  expect(found([told("d1", "decided", 3)], [row({ repeats: 2 })])).toEqual([]);
  expect(found([told("d1", "decided", 3)], [row({ repeats: 3 })])).toEqual(["contradiction"]);
});

test("a count that is not the number of its rows contradicts", () => {
  expect(found(TOLD, [row()], { miscounted: ["one of them"] })).toEqual(["contradiction"]);
});

test.each([
  ["was not listed", { listed: 0, decided: 0 }, ["lost"]],
  ["was listed and not decided", { listed: 1, decided: 0 }, ["lost"]],
  ["is decided", { listed: 1, decided: 1 }, []],
])("an order of a backfill that %s", (_, backfilled, kinds) => {
  const call = { connection: SHOP, about: "", method: "POST", path: "/", expect: [DONE] } as const;
  const steps = [[{ ...call, id: "b1/begin", kind: "backfill" } as const]];
  const end = { connection: SHOP, idExternal: "7001", state: "invoiced", isReleased: false };
  const stored = { deliveries: [], miscounted: [], backfilled };
  const problems = shopProblems([], stored, { courses: [{ steps, ends: [end] }], ids: IDS, books: [] });
  expect(problems.map(({ kind }) => kind)).toEqual(kinds);
});

test.each([
  ["without its invoice is lost", [], ["lost"]],
  ["with its invoice is right", ["24.2"], []],
  ["with another sum contradicts what its shop says", ["12.1"], ["doubled"]],
  ["with two invoices is doubled", ["24.2", "24.2"], ["doubled"]],
])("an order %s", (_, totals, kinds) => {
  const end = { connection: SHOP, idExternal: "7001", state: "invoiced", isReleased: false };
  const courses: Course[] = [{ steps: [], ends: [{ ...end, invoices: { count: 1, total: "24.20" } }] }];
  const invoice = { id: "in1", series: "S", number: 1, full_number: "S-1", issue_date: "2026-11-30" };
  const invoices = totals.map((total_eur) => ({
    ...{ ...invoice, origin: "order:7001", total_eur, document_sha256: "", document: "" },
  }));
  const books = [{ connectionId: IDS[SHOP], invoices, records: [], links: [], orders: [] }];
  const stored = { deliveries: [], miscounted: [], backfilled: { listed: 0, decided: 0 } };
  const problems = shopProblems([], stored, { courses, ids: IDS, books });
  expect(problems.map(({ kind }) => kind)).toEqual(kinds);
});
