import { type SQL, sql } from "drizzle-orm";
import { type PlainReads, rowsAs, written } from "../../db/database.ts";
import { connection } from "../../db/schema/ledger.ts";
import { shopOrder } from "../../db/schema/orders.ts";
import { shopStore } from "../../db/schema/shop.ts";
import { LEFT_BEHIND } from "../../domain/limits.ts";
import { shownText } from "../../domain/shared/shown-text.ts";
import {
  beyond,
  listedOrders,
  type OrderKey,
  type OrderListReads,
  type OrdersCounted,
  type OrdersFilter,
  ofAccount,
  type PageQuery,
  pageOf,
  pickedIs,
  pickOrders,
  readListed,
  type StoreListed,
} from "./listed-orders.ts";

const ORDERED_AT = sql.raw("ordered_at");
const NEWEST_FIRST = sql`${shopOrder.orderedAt} DESC, ${shopOrder.connectionId} DESC,
  ${shopOrder.idExternal} DESC`;

export function orderListReads(reads: PlainReads): OrderListReads {
  return {
    async list(accountId, filter, page) {
      const isBackwards = page.from?.way === "before";
      const pick = pickOrders({
        accountId,
        connectionId: filter.connectionId,
        beside: sql`CROSS JOIN json_each(${JSON.stringify(filter.states)}) AS wanted`,
        where: conditionsOf(filter, page.from),
        first: ORDERED_AT,
        way: isBackwards ? "ascending" : "descending",
        limit: page.limit + 1,
      });
      const order = isBackwards ? oldestFirst() : NEWEST_FIRST;
      return pageOf(await readListed(reads, listedOrders(pick, order)), page.limit, isBackwards);
    },
    count: (accountId, filter) => counted(reads, accountId, filter),
    find: (accountId, text, limit) => readListed(reads, found(accountId, text, limit)),
    places: (accountId, connectionId) => places(reads, accountId, connectionId),
  };
}

function oldestFirst(): SQL {
  return sql`${shopOrder.orderedAt}, ${shopOrder.connectionId}, ${shopOrder.idExternal}`;
}

/** Each state is queried separately, so that one index returns its orders sorted. */
function conditionsOf({ storeId, between }: OrdersFilter, from?: PageQuery<OrderKey>["from"]): SQL {
  const conditions = [
    pickedIs(sql`state = wanted.value`),
    ...(storeId === undefined ? [] : [pickedIs(sql`store_id = ${storeId}`)]),
    ...(between ? within(between, from) : []),
    ...(from
      ? [
          beyond(ORDERED_AT, from.way === "before" ? "behind" : "before", {
            ...from.key,
            first: from.key.orderedAt,
          }),
        ]
      : []),
  ];
  return sql.join(conditions, sql` AND `);
}

/** Narrows the dates to the cursor: given two bounds on one side, SQLite uses either and scans the rest. */
function within(
  { from: first, to: end }: NonNullable<OrdersFilter["between"]>,
  from: PageQuery<OrderKey>["from"],
): SQL[] {
  const lower = from?.way === "before" ? Math.max(first, from.key.orderedAt) : first;
  const upper = from?.way === "after" ? Math.min(end, from.key.orderedAt + 1) : end;
  return [pickedIs(sql`ordered_at >= ${lower}`), pickedIs(sql`ordered_at < ${upper}`)];
}

/** Limit per connection and state, so that the cost of a count is bounded. */
const MOST_COUNTED = 10_000;

async function counted(reads: PlainReads, accountId: string, filter: OrdersFilter) {
  const limited = sql`SELECT 1 FROM ${shopOrder} AS picked WHERE picked.connection_id = ${connection.id}
    AND ${conditionsOf(filter)} LIMIT ${MOST_COUNTED + 1}`;
  const [rows] = await reads.batch([
    written(sql`SELECT state, sum(min(orders, ${MOST_COUNTED})) AS orders, max(orders) AS most FROM (
      SELECT wanted.value AS state, (SELECT count(*) FROM (${limited})) AS orders FROM ${connection}
      CROSS JOIN json_each(${JSON.stringify(filter.states)}) AS wanted
      WHERE ${ofAccount(accountId, filter.connectionId)}) GROUP BY state HAVING most > 0`),
  ]);
  return rowsAs<CountedRow>(rows).map(({ most, ...row }) => ({ ...row, hasMore: most > MOST_COUNTED }));
}

interface CountedRow extends Pick<OrdersCounted, "state" | "orders"> {
  readonly most: number;
}

/** The highest code point: it closes the range of all texts with a prefix. */
const LAST = "\u{10FFFF}";

/** Ids and references of each connection that begin with the text, in index order. */
function found(accountId: string, text: string, limit: number): SQL {
  const beginning = (column: SQL) =>
    sql`SELECT * FROM (SELECT searched.rowid FROM ${shopOrder} AS searched
      WHERE searched.connection_id = ${connection.id} AND searched.${column} >= ${text}
        AND searched.${column} < ${text + LAST} ORDER BY searched.${column} LIMIT ${limit})`;
  const isWhole = sql`(${shopOrder.idExternal} = ${text} OR ${shopOrder.reference} IS ${text})`;
  const order = sql`${isWhole} DESC, ${NEWEST_FIRST}`;
  const pick = sql`SELECT ${shopOrder}.rowid AS number FROM ${connection}
    CROSS JOIN ${shopOrder} ON ${shopOrder}.rowid IN
      (${beginning(sql.raw("id_external"))} UNION ${beginning(sql.raw("reference"))})
    WHERE ${ofAccount(accountId)} ORDER BY ${order} LIMIT ${limit}`;
  return listedOrders(pick, order);
}

async function places(reads: PlainReads, accountId: string, connectionId: string | undefined) {
  const [connections, stores] = await reads.batch([
    written(sql`SELECT ${connection.id} AS id, ${connection.name} AS name FROM ${connection}
      WHERE ${ofAccount(accountId)} AND ${connection.kind} IN ('commerce', 'api')
      ORDER BY ${connection.ordinal}`),
    written(sql`SELECT ${shopStore.connectionId} AS connection, ${shopStore.storeId} AS store,
      ${shopStore.name} AS name FROM ${connection}
      CROSS JOIN ${shopStore} ON ${shopStore.connectionId} = ${connection.id}
      WHERE ${ofAccount(accountId, connectionId)} ORDER BY ${connection.ordinal}, ${shopStore.ordinal}
      LIMIT ${LEFT_BEHIND.stores}`),
  ]);
  return {
    connections: rowsAs<{ readonly id: string; readonly name: string }>(connections),
    stores: rowsAs<StoreRow>(stores).map(storeOf),
  };
}

interface StoreRow {
  readonly connection: string;
  readonly store: string;
  readonly name: string | null;
}

function storeOf({ connection: connectionId, store: storeId, name }: StoreRow): StoreListed {
  return { connectionId, storeId, ...(name === null ? {} : { name: shownText(name) }) };
}
