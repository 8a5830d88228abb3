import { type SQL, sql } from "drizzle-orm";
import type { OrderState } from "../../domain/order/decision.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { plainReads } from "../database.ts";
import { fittingIn } from "../invoices/listed-invoices.ts";
import { shopOrder } from "../schema/orders.ts";

/** A place in the list of orders, after an order as it was listed. */
export interface ChangePlace {
  readonly changedAt: Instant;
  readonly idExternal: string;
}

export interface OrderListQuery {
  readonly place?: ChangePlace;
  readonly states: readonly OrderState[];
  /** Orders that changed then or later. */
  readonly changedSince?: Instant;
  readonly limit: number;
}

export interface OrderListPage {
  /** Last changed first. */
  readonly ids: readonly string[];
  /** Where the list goes on; absent at its end. */
  readonly next?: ChangePlace;
}

/** One page of a connection's orders, in one round trip. */
export function orderListReads(binding: D1Database, connectionId: string) {
  const reads = plainReads(binding);
  return async (query: OrderListQuery): Promise<OrderListPage> =>
    pageOf(await reads.rows<PageRow>(selectPage(connectionId, query)), query.limit);
}

interface PageRow {
  readonly id: string;
  readonly changed_at: number;
  readonly size: number;
}

function pageOf(rows: readonly PageRow[], limit: number): OrderListPage {
  const shown = rows.slice(0, Math.min(limit, fittingIn(rows)));
  const last = shown.at(-1);
  const ids = shown.map(({ id }) => id);
  if (!last || shown.length === rows.length) return { ids };
  return { ids, next: { changedAt: last.changed_at, idExternal: last.id } };
}

const NEWEST_FIRST = sql`changed_at DESC, id DESC`;
/** D1 allows five terms in a union. */
const TERMS = 3;

/** A stretch of the index for each state, one order more than the page shows. */
function selectPage(connectionId: string, { place, states, changedSince, limit }: OrderListQuery): SQL {
  const after = place
    ? sql`AND (${shopOrder.changedAt}, ${shopOrder.idExternal}) < (${place.changedAt}, ${place.idExternal})`
    : sql``;
  const since = changedSince === undefined ? sql`` : sql`AND ${shopOrder.changedAt} >= ${changedSince}`;
  const each = states.map(
    (state) => sql`SELECT * FROM (SELECT ${shopOrder.idExternal} AS id, ${shopOrder.changedAt} AS changed_at
      FROM ${shopOrder} WHERE ${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.state} = ${state}
        ${after} ${since}
      ORDER BY ${shopOrder.changedAt} DESC, ${shopOrder.idExternal} DESC LIMIT ${limit + 1})`,
  );
  return sql`WITH page AS MATERIALIZED
      (SELECT * FROM (${allOf(each)}) ORDER BY ${NEWEST_FIRST} LIMIT ${limit + 1})
    SELECT page.id AS id, page.changed_at AS changed_at, length(${shopOrder.facts}) AS size
    FROM page CROSS JOIN ${shopOrder} ON ${shopOrder.connectionId} = ${connectionId}
      AND ${shopOrder.idExternal} = page.id
    ORDER BY page.changed_at DESC, page.id DESC`;
}

function allOf(selects: readonly SQL[]): SQL {
  if (selects.length <= TERMS) return sql.join([...selects], sql` UNION ALL `);
  const size = Math.ceil(selects.length / TERMS);
  const parts = Array.from({ length: TERMS }, (_, index) => selects.slice(index * size, (index + 1) * size));
  return allOf(parts.filter((part) => part.length > 0).map((part) => sql`SELECT * FROM (${allOf(part)})`));
}
