/** Lists and single invoices read as many rows behind 100,000 invoices and orders as behind few. */
import { expect, test } from "vitest";
import type { RandomBytes } from "../../src/domain/connection/ids.ts";
import { ORDER_STATES } from "../../src/domain/order/decision.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { faults } from "../support/faults/faults.ts";
import { fillUp, fillUpOrders } from "../support/worlds/filled-books.ts";
import { type PlainLedger, plainLedger, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { aSentOrder, orderConnector } from "../support/worlds/order-calls.ts";
import { HELD } from "../support/worlds/order-changes.ts";
import { callerOf, openShop, type Shop } from "../support/worlds/shop.ts";

const FEW = 2_000;
const MANY = 100_000;
/** A stretch of an index that ends with the index reads a row less than one that does not. */
const AT_THE_ENDS = 3;
/** A filter on the state looks at each of a thousand records, its invoice, and both kinds of corrections. */
const MOST = 10_000;
/**
 * Each doubling is one more step of halving for each of the two days, in both statements of a page. A step
 * reads a record, and its own row twice.
 */
const FOR_DOUBLINGS = 2 * 2 * 3 * (Math.ceil(Math.log2(MANY / FEW)) + 1);

/** Ids in ascending order: whether a row is the last of an index must not depend on chance. */
function ascending(): RandomBytes {
  let count = 0;
  return (sizeBytes) => {
    count += 1;
    const digits = [count >> 10, count >> 5, count].map((digit) => digit & 31);
    return new Uint8Array([31, ...Array<number>(sizeBytes - 4).fill(0), ...digits]);
  };
}

type Rows = Record<string, readonly number[]>;

/** The rows that each trip of each call read. */
async function everyRead(open: () => PlainLedger, shop: Shop, round: string): Promise<Rows> {
  const { client, ledger } = open();
  const caller = callerOf(shop);
  const connector = orderConnector(shop, ledger);
  await client.issue(`a${round}`);
  await client.issue(`t${round}`, SIMPLIFIED);
  await client.issue(`b${round}`);
  await client.cancel(`b${round}`);
  for (const id of ["o", "p", "q"]) await connector.send(aSentOrder(`${id}${round}`));
  await connector.send(aSentOrder(`h${round}`, HELD));
  const read: Record<string, number[]> = {};
  const measure = async (name: string, call: () => Promise<{ readonly outcome: string }>) => {
    faults.take();
    const { outcome } = await call();
    read[`${name}: ${outcome}`] = faults.trips().map((trip) => trip.rowsRead);
  };
  const newest = await ledger.listInvoices(caller, { limit: 6 });
  const [ofOrder, , , , , direct] = newest.outcome === "found" ? newest.invoices : [];
  for (const [name, invoiceId] of [
    ["direct", direct?.invoiceId ?? ""],
    ["of an order", ofOrder?.invoiceId ?? ""],
  ] as const) {
    await measure(name, () => ledger.readIssued(caller, invoiceId));
    await measure(`${name}, cold`, () => open().ledger.readIssued(caller, invoiceId));
  }
  await measure("unknown", () => ledger.readIssued(caller, "in0"));
  await measure("newest invoices", () => ledger.listInvoices(caller, { limit: 5 }));
  await measure("newest invoices, cold", () => open().ledger.listInvoices(caller, { limit: 5 }));
  await measure("full invoices", () => ledger.listInvoices(caller, { limit: 100, types: ["F1"] }));
  await measure("a type without any", () => ledger.listInvoices(caller, { limit: 100, types: ["R3"] }));
  await measure("cancelled", () => ledger.listInvoices(caller, { limit: 100, states: ["cancelled"] }));
  await measure("rejected", () => ledger.listInvoices(caller, { limit: 100, states: ["rejected"] }));
  const days = { from: civilDate("2020-01-01"), to: civilDate("2020-12-31") };
  await measure("days: before all", () => ledger.listInvoices(caller, { limit: 100, ...days }));
  const since = { from: civilDate("2020-01-01"), to: civilDate("2999-12-31") };
  await measure("days: all", () => ledger.listInvoices(caller, { limit: 5, ...since }));
  const all = { states: ORDER_STATES, limit: 4 };
  await measure("newest orders", () => ledger.listOrders(caller, all));
  await measure("newest orders, cold", () => open().ledger.listOrders(caller, all));
  await measure("a held order", () => ledger.listOrders(caller, { states: ["held"], limit: 1 }));
  await measure("orders of a state without any", () =>
    ledger.listOrders(caller, { states: ["rectified"], limit: 100 }),
  );
  await measure("orders since now", () => ledger.listOrders(caller, { ...all, changedSince: 9e12 }));
  return read;
}

const total = (rows: readonly number[] = []) => rows.reduce((sum, count) => sum + count, 0);

test(`no list and no single invoice reads more rows behind ${MANY} than behind ${FEW}`, async () => {
  const shop = await openShop();
  const random = ascending();
  const open = () => plainLedger(shop, { random });
  await everyRead(open, shop, "0");
  const fillBoth = async (count: number) => {
    await fillUp(shop, count);
    // Older changes than any of the rounds.
    await fillUpOrders(shop, { of: "o0", named: "old", total: count, set: { changed_at: "1000 + n" } });
  };
  await fillBoth(FEW);
  const few = await everyRead(open, shop, "1");
  await fillBoth(MANY);
  const many = await everyRead(open, shop, "2");
  expect(Object.keys(many)).toEqual(Object.keys(few));
  for (const [call, rows] of Object.entries(many)) {
    const more = total(rows) - total(few[call]);
    expect([call, rows.length]).toEqual([call, few[call]?.length]);
    expect([call, more <= (call.startsWith("days") ? FOR_DOUBLINGS : AT_THE_ENDS)]).toEqual([call, true]);
    expect([call, total(rows) < MOST]).toEqual([call, true]);
  }
  expect(Object.keys(few).filter((call) => !/: (found|unknown)$/.test(call))).toEqual([]);
});
