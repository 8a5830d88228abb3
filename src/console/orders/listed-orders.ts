import { type SQL, sql } from "drizzle-orm";
import { fromOwnJson, type PlainReads, rowsAs, written } from "../../db/database.ts";
import { connection, invoice, invoiceDocument } from "../../db/schema/ledger.ts";
import { shopOrder } from "../../db/schema/orders.ts";
import { shopStore } from "../../db/schema/shop.ts";
import { LEFT_BEHIND } from "../../domain/limits.ts";
import { customerKey } from "../../domain/order/customer-key.ts";
import type { OrderState } from "../../domain/order/decision.ts";
import type { Reason } from "../../domain/order/reasons.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { shownText } from "../../domain/shared/shown-text.ts";

/** Selects an account's orders in list order, connection by connection, through each connection's index. */
interface OrderPick {
  readonly accountId: string;
  readonly connectionId?: string | undefined;
  /** Further tables to join with the connections; `where` uses them. */
  readonly joins?: SQL;
  /** Condition on `picked`, an order of the current connection. */
  readonly where: SQL;
  /** The order's sort column, which follows the connection in an index. */
  readonly first: SQL;
  readonly way: "ascending" | "descending";
  readonly limit: number;
}

const picked = sql.identifier("picked");

/** The first `limit` orders of all connections; each connection is read up to the same limit. */
export function pickOrders({ first, way, limit, where, ...of }: OrderPick): SQL {
  const order = way === "ascending" ? sql`` : sql` DESC`;
  const limited = sql`SELECT ${picked}.rowid FROM ${shopOrder} AS ${picked}
    WHERE ${picked}.connection_id = ${connection.id} AND ${where}
    ORDER BY ${picked}.${first}${order}, ${picked}.id_external${order} LIMIT ${limit}`;
  return sql`SELECT ${shopOrder}.rowid AS number FROM ${connection} ${of.joins ?? sql``}
    CROSS JOIN ${shopOrder} ON ${shopOrder}.rowid IN (${limited})
    WHERE ${ofAccount(of.accountId, of.connectionId)}
    ORDER BY ${shopOrder}.${first}${order}, ${shopOrder.connectionId}${order},
      ${shopOrder.idExternal}${order} LIMIT ${limit}`;
}

export function ofAccount(accountId: string, connectionId?: string): SQL {
  const ours = sql`${connection.accountId} = ${accountId}`;
  return connectionId === undefined ? ours : sql`${ours} AND ${connection.id} = ${connectionId}`;
}

/**
 * Orders after or before a place in (first, connection, id), seen from the current connection. Of its orders
 * with the same `first`, all, some or none qualify. SQLite sorts every blob after every text.
 */
export function beyond(
  first: SQL,
  way: "behind" | "before",
  key: { readonly first: string | number; readonly connectionId: string; readonly idExternal: string },
): SQL {
  const id = connection.id;
  const isOther = sql`WHEN ${id} = ${key.connectionId} THEN ${key.idExternal}`;
  const same =
    way === "behind"
      ? sql`CASE ${isOther} WHEN ${id} > ${key.connectionId} THEN '' ELSE x'' END`
      : sql`CASE ${isOther} WHEN ${id} < ${key.connectionId} THEN x'' ELSE '' END`;
  const compared = way === "behind" ? sql`>` : sql`<`;
  return sql`(${picked}.${first}, ${picked}.id_external) ${compared} (${key.first}, ${same})`;
}

export function pickedIs(condition: SQL): SQL {
  return sql`${picked}.${condition}`;
}

const MOST_DOCUMENTS = 4;

/** Ids and numbers of the invoices issued for the order, up to a small limit. */
function documentsOf(): SQL {
  const id = shopOrder.idExternal;
  const origin = sql`${invoice.connectionId} = ${shopOrder.connectionId} AND ${invoice.origin}`;
  const generation = sql`(${shopOrder.answers} ->> '$.reissue.generation')`;
  const range = (sort: string) => {
    const prefix = sql`${sql.raw(`'${sort}:'`)} || replace(replace(${id}, '%', '%25'), ':', '%3A')`;
    return sql`${origin} >= ${prefix} || ':' AND ${origin} < ${prefix} || ';'`;
  };
  const columns = sql`SELECT ${invoice.id} AS id, ${invoice.fullNumber} AS full_number,
      ${invoiceDocument.document} ->> '$.test' AS test
    FROM ${invoice} JOIN ${invoiceDocument} ON ${invoiceDocument.invoiceId} = ${invoice.id}`;
  const few = (condition: SQL) => sql`SELECT * FROM (${columns} WHERE ${condition} LIMIT ${MOST_DOCUMENTS})`;
  return sql`(SELECT json_group_array(json_array(id, full_number, test)) FROM (
    ${columns} WHERE ${origin} = 'order:' || ${id}
    UNION ALL ${columns} WHERE ${origin} = 'replacement:' || ${id}
    UNION ALL ${columns} WHERE ${origin} IN ('reissue:' || ${generation} || ':' || ${id},
      'reissue_replacement:' || ${generation} || ':' || ${id})
    UNION ALL ${few(range("event"))}
    UNION ALL ${few(range("event_replacement"))}
    LIMIT ${MOST_DOCUMENTS}))`;
}

interface ListedRow {
  readonly connection_id: string;
  readonly connection: string;
  readonly id_external: string;
  readonly reference: string | null;
  readonly ordered_at: number;
  readonly due_date: string;
  readonly store: string | null;
  readonly company: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly total: string;
  readonly currency: string;
  readonly state: string;
  readonly reason: string | null;
  readonly reasons: number;
  readonly documents: string;
}

/** The listed columns of the selected orders, in list order. */
export function listedOrders(pick: SQL, order: SQL): SQL {
  const client = (member: string) => sql.raw(`facts ->> '$.client.${member}'`);
  return sql`WITH chosen AS MATERIALIZED (${pick})
    SELECT ${shopOrder.connectionId} AS connection_id, ${connection.name} AS connection,
      ${shopOrder.idExternal} AS id_external, ${shopOrder.reference} AS reference,
      ${shopOrder.orderedAt} AS ordered_at, ${shopOrder.dueDate} AS due_date,
      coalesce(${shopStore.name}, ${shopOrder.storeId}) AS store, ${client("company")} AS company,
      ${client("firstName")} AS first_name, ${client("lastName")} AS last_name,
      ${shopOrder.total} AS total, ${shopOrder.currency} AS currency, ${shopOrder.state} AS state,
      ${shopOrder.reasons} -> '$[0]' AS reason, json_array_length(${shopOrder.reasons}) AS reasons,
      ${documentsOf()} AS documents
    FROM chosen CROSS JOIN ${shopOrder} ON ${shopOrder}.rowid = chosen.number
    CROSS JOIN ${connection} ON ${connection.id} = ${shopOrder.connectionId}
    LEFT JOIN ${shopStore} ON ${shopStore.connectionId} = ${shopOrder.connectionId}
      AND ${shopStore.storeId} = ${shopOrder.storeId}
    ORDER BY ${order}`;
}

export async function readListed(reads: PlainReads, statement: SQL): Promise<readonly OrderListed[]> {
  const [rows = []] = await reads.batch([written(statement)]);
  return (rows as readonly ListedRow[]).map(listedOf);
}

/** The query asks for one row more than the page; that row shows that the list continues. */
export function pageOf<Row>(rows: readonly Row[], limit: number, isBackwards: boolean): PageRead<Row> {
  const page = rows.slice(0, limit);
  return { rows: isBackwards ? page.toReversed() : page, hasMore: rows.length > limit };
}

function listedOf(row: ListedRow): OrderListed {
  const documents = fromOwnJson<readonly (readonly [string, string, number | null])[]>(row.documents);
  const customer = (row.company ?? "").trim() || `${row.first_name ?? ""} ${row.last_name ?? ""}`.trim();
  return {
    connectionId: row.connection_id,
    connection: row.connection,
    idExternal: row.id_external,
    ...(row.reference === null ? {} : { reference: row.reference }),
    orderedAt: row.ordered_at,
    dueDate: row.due_date,
    ...(row.store === null ? {} : { store: row.store }),
    ...(customer === "" ? {} : { customer }),
    total: row.total,
    currency: row.currency,
    // The schema checks this column's values.
    state: row.state as OrderState,
    ...(row.reason === null ? {} : { reason: fromOwnJson(row.reason) }),
    moreReasons: Math.max(0, row.reasons - 1),
    documents: documents.slice(0, MOST_DOCUMENTS - 1).map(([id, fullNumber, test]) => ({
      ...{ id, fullNumber },
      ...(test === 1 ? { test: true } : {}),
    })),
    hasMoreDocuments: documents.length === MOST_DOCUMENTS,
  };
}

/** Rows per page. */
export const PAGE = 25;

/** An order as lists show it, read from single columns and members so that the facts are not loaded whole. */
export interface OrderListed {
  readonly connectionId: string;
  readonly connection: string;
  readonly idExternal: string;
  readonly reference?: string;
  readonly orderedAt: Instant;
  readonly dueDate: string;
  /** The shop's name, or its id if the shop sent no name. */
  readonly store?: string;
  readonly customer?: string;
  readonly total: string;
  readonly currency: string;
  readonly state: OrderState;
  /** The first reason; `moreReasons` counts the rest. */
  readonly reason?: Reason;
  readonly moreReasons: number;
  /** Oldest first, up to a limit. */
  readonly documents: readonly ListedDocument[];
  readonly hasMoreDocuments: boolean;
}

interface ListedDocument {
  readonly id: string;
  readonly fullNumber: string;
  readonly test?: true;
}

/** Newest first. */
interface OrderKey {
  readonly orderedAt: Instant;
  readonly connectionId: string;
  readonly idExternal: string;
}

export interface OrdersFilter {
  readonly connectionId?: string;
  readonly states: readonly OrderState[];
  readonly storeId?: string;
  /** `from` is included, `to` is not. */
  readonly between?: { readonly from: Instant; readonly to: Instant };
}

interface StoreListed {
  readonly connectionId: string;
  readonly storeId: string;
  readonly name?: string;
}

/** The number of orders in one state, up to a limit; `hasMore` says that the limit was reached. */
interface OrdersCounted {
  readonly state: OrderState;
  readonly orders: number;
  readonly hasMore: boolean;
}

export interface OrderListReads {
  /** Counts of the filtered orders by state, without empty states. */
  count(accountId: string, filter: OrdersFilter): Promise<readonly OrdersCounted[]>;
  list(accountId: string, filter: OrdersFilter, page: PageQuery<OrderKey>): Promise<PageRead<OrderListed>>;
  /** Orders whose id, reference, customer or surname begins with the text; exact ids come first. */
  find(accountId: string, text: string, limit: number): Promise<readonly OrderListed[]>;
  /** The filter's choices: connections that take orders, and shops of one or all of them, up to a limit. */
  places(
    accountId: string,
    connectionId?: string,
  ): Promise<{
    readonly connections: readonly { readonly id: string; readonly name: string }[];
    readonly stores: readonly StoreListed[];
  }>;
}

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
        joins: sql`CROSS JOIN json_each(${JSON.stringify(filter.states)}) AS wanted`,
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

/** Ids, references and names of each connection that begin with the text, in index order. */
function found(accountId: string, text: string, limit: number): SQL {
  const beginning = (column: string, wanted = text) =>
    sql`SELECT * FROM (SELECT searched.rowid FROM ${shopOrder} AS searched
      WHERE searched.connection_id = ${connection.id} AND searched.${sql.raw(column)} >= ${wanted}
        AND searched.${sql.raw(column)} < ${wanted + LAST}
      ORDER BY searched.${sql.raw(column)} LIMIT ${limit})`;
  const key = customerKey(text);
  const beginnings = [
    ...[beginning("id_external"), beginning("reference")],
    ...(key === "" ? [] : [beginning("customer", key), beginning("surname", key)]),
  ];
  const isWhole = sql`(${shopOrder.idExternal} = ${text} OR ${shopOrder.reference} IS ${text})`;
  const order = sql`${isWhole} DESC, ${NEWEST_FIRST}`;
  const pick = sql`SELECT ${shopOrder}.rowid AS number FROM ${connection}
    CROSS JOIN ${shopOrder} ON ${shopOrder}.rowid IN
      (${sql.join(beginnings, sql` UNION `)})
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

export interface PageQuery<Key> {
  readonly limit: number;
  /** The page after or before this row; absent for the first page. */
  readonly from?: { readonly way: "after" | "before"; readonly key: Key };
}

export interface PageRead<Row> {
  /** In list order, whichever direction was read. */
  readonly rows: readonly Row[];
  /** More rows exist in the direction that was read. */
  readonly hasMore: boolean;
}
