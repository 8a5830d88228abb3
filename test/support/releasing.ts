/** Connections whose orders wait for a consent. */
import { env } from "cloudflare:workers";
import { aSentOrder, type Connector, openCommerce, orderConnector, type SentBody } from "./order-calls.ts";
import type { Shop, ShopOptions } from "./shop.ts";

export interface Waiting {
  readonly shop: Shop;
  readonly connector: Connector;
}

/** So many orders `o1`, `o2`, ..., sent in that turn, of which the last is the oldest. */
export async function deferredOrders(count: number, options: ShopOptions = {}): Promise<Waiting> {
  const shop = await openCommerce({ ...options, consented: false });
  const connector = orderConnector(shop);
  const bodies = Array.from({ length: count }, (_, index) => aDatedOrder(`o${index + 1}`, count - index));
  await Promise.all(bodies.map((body) => connector.send(body)));
  return { shop, connector };
}

/** On that minute of the first of November, or of the hours after it. */
export function aDatedOrder(idExternal: string, minute: number, change: SentBody = {}): SentBody {
  const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  return aSentOrder(idExternal, { order_date: `2026-11-01 ${time}:00`, ...change });
}

/** Orders in the turn in which they were numbered. */
export async function numberedIn({ connectionId }: Shop): Promise<readonly string[]> {
  const { results } = await env.LEDGER_000.prepare(
    "SELECT origin FROM record WHERE connection_id = ? ORDER BY position",
  )
    .bind(connectionId)
    .all<{ origin: string }>();
  return results.map(({ origin }) => origin.replace("order:", ""));
}

/** `o5 o4 ...` down to the last of them. */
export function downFrom(first: number, last = 1): readonly string[] {
  return Array.from({ length: first - last + 1 }, (_, index) => `o${first - index}`);
}

/** A trip that asks what is due. */
export function asksWhatIsDue(sql: readonly string[]): boolean {
  return sql.some((text) => text.includes("'deferred'") && text.startsWith("select"));
}

/** A trip that writes orders. */
export function writesOrders(sql: readonly string[]): boolean {
  return sql.some((text) => text.startsWith('insert into "shop_order"'));
}
