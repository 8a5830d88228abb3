/** What must hold of connected shops at the end: outcomes are those of the newest facts, and all counts add up. */
import Big from "big.js";
import { orderOriginOf } from "../../src/domain/order/order-origin.ts";
import { type Problem, problem, unless } from "../support/rules/book-rules.ts";
import { MISCOUNTED, type Miscounted, miscount } from "../support/rules/shop-rules.ts";
import type { RewindableDatabase } from "../support/worlds/sqlite-d1.ts";
import { type ConnectionBooks, rowsIn } from "./books.ts";
import type { ConnectedShop } from "./native-acts.ts";
import { NET_OF, type Snapshot } from "./native-shop.ts";

interface StoredDelivery {
  readonly delivery_id: string;
  readonly outcome: string;
}

export function nativeProblems(
  connected: ConnectedShop,
  books: ConnectionBooks,
  database: RewindableDatabase,
): Problem[] {
  return [
    ...[...connected.shop.orders].flatMap(([id, moments]) => outcomeProblems(id, moments, connected, books)),
    ...disconnectedProblems(connected, books),
    ...deliveryProblems(connected, books, database),
    ...backfillProblems(books, database),
    ...rowsIn<Miscounted>(database, MISCOUNTED)
      .filter(({ connection_id: id }) => id === books.connectionId)
      .map((row) => problem("contradiction", miscount(row))),
  ];
}

/** The moment of the shop that decides; undefined where it is not known, or where nobody has asked for it. */
function decisive(id: string, moments: readonly Snapshot[], connected: ConnectedShop): Snapshot | undefined {
  const { shop, surelyAsked, isConnected } = connected;
  if (!isConnected) return undefined;
  if (shop.name === "fetching") {
    // An order that was changed after the shop was connected is found by the hourly search.
    return surelyAsked.has(id) || isChanged(moments, connected) ? moments.at(-1) : undefined;
  }
  const newest = Math.max(
    0,
    ...shop.sent.filter(({ orderId }) => orderId === id).map((one) => one.modifiedAt),
  );
  return moments.find(({ order }) => order.modifiedAt === newest);
}

/** By the second, as shops date changes; the search begins ten minutes before. */
function isChanged(moments: readonly Snapshot[], { connectedAt }: ConnectedShop): boolean {
  return (moments.at(-1)?.order.modifiedAt ?? 0) > connectedAt - 1_000;
}

function outcomeProblems(
  id: string,
  moments: readonly Snapshot[],
  connected: ConnectedShop,
  books: ConnectionBooks,
): Problem[] {
  const { shop, asked, hasConfirmed } = connected;
  const own = books.invoices.filter(({ origin }) => orderOriginOf(origin)?.idExternal === id);
  const net = own.reduce((sum, row) => sum.plus(row.total_eur), new Big(0));
  const order = books.orders.find(({ idExternal }) => idExternal === id);
  const stage = decisive(id, moments, connected)?.stage;
  const isKnown = own.length === 0 || moments.some((moment) => net.eq(NET_OF[moment.stage]));
  const nobodyAsked = !asked.has(id) && !hasConfirmed && !isChanged(moments, connected);
  const told = `${shop.name} order ${id} (${order?.state ?? "not there"}) comes to ${net}`;
  return [
    ...unless(isKnown, "contradiction", `${told}, which its shop never said`),
    ...unless(!nobodyAsked || order === undefined, "contradiction", `${told}, and nobody asked for it`),
    ...unless(
      stage === undefined || (order !== undefined && net.eq(NET_OF[stage])),
      "contradiction",
      `${told}, and its newest facts say ${stage}`,
    ),
  ];
}

function disconnectedProblems({ issuedBefore }: ConnectedShop, books: ConnectionBooks): Problem[] {
  const late = books.invoices.filter(({ origin }) => issuedBefore && !issuedBefore.includes(origin));
  return late.map(({ full_number: name }) =>
    problem("contradiction", `${name} was issued after its shop was disconnected`),
  );
}

/** An order that its owner confirmed is decided once the backfill says so: no order of the shop ever goes. */
function backfillProblems(
  { connectionId, orders }: ConnectionBooks,
  database: RewindableDatabase,
): Problem[] {
  const ids = new Set(orders.map(({ idExternal }) => idExternal));
  const decided = rowsIn<{ readonly native_id: string }>(
    database,
    "SELECT native_id FROM shop_backfill_order WHERE connection_id = ? AND decided_at IS NOT NULL",
    connectionId,
  );
  return decided.flatMap(({ native_id: id }) =>
    unless(ids.has(id), "lost", `the confirmed order ${id} counts as decided and is not there`),
  );
}

function deliveryProblems(
  { kept, shop, forged }: ConnectedShop,
  { connectionId }: ConnectionBooks,
  database: RewindableDatabase,
): Problem[] {
  const stored = rowsIn<StoredDelivery>(
    database,
    "SELECT delivery_id, outcome FROM shop_delivery WHERE connection_id = ?",
    connectionId,
  );
  const rows = new Map(stored.map((row) => [row.delivery_id, row.outcome]));
  const ids = new Set(shop.sent.map(({ id }) => id));
  return [
    ...[...kept].flatMap(([id, as]) =>
      unless(rows.get(id) === as, "lost", `the delivery ${id} was told as ${as} and is ${rows.get(id)}`),
    ),
    ...[...rows.keys()].flatMap((id) =>
      unless(ids.has(id) && !forged.has(id), "contradiction", `the delivery ${id} was never sent`),
    ),
  ];
}
