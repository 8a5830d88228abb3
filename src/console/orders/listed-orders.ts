import { type SQL, sql } from "drizzle-orm";
import { fromOwnJson, type PlainReads, written } from "../../db/database.ts";
import { connection, invoice, invoiceDocument } from "../../db/schema/ledger.ts";
import { shopOrder } from "../../db/schema/orders.ts";
import { shopStore } from "../../db/schema/shop.ts";
import type { OrderState } from "../../domain/order/decision.ts";
import type { Reason } from "../../domain/order/reasons.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** A list of an account, in its order: rows are found in the index of each connection by itself. */
interface OrderPick {
  readonly accountId: string;
  readonly connectionId?: string | undefined;
  /** Sets beside the connections, which `where` names. */
  readonly beside?: SQL;
  /** What is asked of `picked`, an order of the connection in turn. */
  readonly where: SQL;
  /** Two columns of the order, as they stand in an index behind the connection. */
  readonly first: SQL;
  readonly way: "ascending" | "descending";
  readonly limit: number;
}

const picked = sql.identifier("picked");

/** The first so many orders of all connections: from each connection no more than that is read. */
export function pickOrders({ first, way, limit, where, ...of }: OrderPick): SQL {
  const order = way === "ascending" ? sql`` : sql` DESC`;
  const limited = sql`SELECT ${picked}.rowid FROM ${shopOrder} AS ${picked}
    WHERE ${picked}.connection_id = ${connection.id} AND ${where}
    ORDER BY ${picked}.${first}${order}, ${picked}.id_external${order} LIMIT ${limit}`;
  return sql`SELECT ${shopOrder}.rowid AS number FROM ${connection} ${of.beside ?? sql``}
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
 * Behind or before a place in the order of (first, connection, id), as the connection in turn sees it: of its
 * orders with the same `first` all, some or none. Any blob comes behind any text.
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

/** Ids and numbers of what was issued for the order, a few at most. */
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

/** What lists show of the orders that were picked, in their order. */
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

/** One row more was asked for: it says whether there are more. */
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
    // The schema checks the values of this column.
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

/** How many rows a page of the console has. */
export const PAGE = 25;

/** An order as lists show it: read out of its row, never its whole facts. */
export interface OrderListed {
  readonly connectionId: string;
  readonly connection: string;
  readonly idExternal: string;
  readonly reference?: string;
  readonly orderedAt: Instant;
  readonly dueDate: string;
  /** The shop by its name, or by its id where it has told none. */
  readonly store?: string;
  readonly customer?: string;
  readonly total: string;
  readonly currency: string;
  readonly state: OrderState;
  /** The first of its reasons, and how many more there are. */
  readonly reason?: Reason;
  readonly moreReasons: number;
  /** Oldest first, the first of many. */
  readonly documents: readonly ListedDocument[];
  readonly hasMoreDocuments: boolean;
}

interface ListedDocument {
  readonly id: string;
  readonly fullNumber: string;
  readonly test?: true;
}

/** A page of a list that is ordered by these values of its rows. */
export interface PageQuery<Key> {
  readonly limit: number;
  /** The page behind this row, or the one before it; the first where there is none. */
  readonly from?: { readonly way: "after" | "before"; readonly key: Key };
}

export interface PageRead<Row> {
  /** In the order of the list, whichever way was gone. */
  readonly rows: readonly Row[];
  /** Whether there are more in the way that was gone. */
  readonly hasMore: boolean;
}

/** Newest first. */
export interface OrderKey {
  readonly orderedAt: Instant;
  readonly connectionId: string;
  readonly idExternal: string;
}

export interface OrdersFilter {
  readonly connectionId?: string;
  readonly states: readonly OrderState[];
  readonly storeId?: string;
  /** From the first moment to the last, that one left out. */
  readonly between?: { readonly from: Instant; readonly to: Instant };
}

export interface StoreListed {
  readonly connectionId: string;
  readonly storeId: string;
  readonly name?: string;
}

/** Of one state, so many; of more than can be counted in no time, that there are more. */
export interface OrdersCounted {
  readonly state: OrderState;
  readonly orders: number;
  readonly hasMore: boolean;
}

export interface OrderListReads {
  /** What the filter leaves, by state; states that there are none of are left out. */
  count(accountId: string, filter: OrdersFilter): Promise<readonly OrdersCounted[]>;
  list(accountId: string, filter: OrdersFilter, page: PageQuery<OrderKey>): Promise<PageRead<OrderListed>>;
  /** Orders whose id or reference begins so; those that are it whole first. */
  find(accountId: string, text: string, limit: number): Promise<readonly OrderListed[]>;
  /** What can be chosen from: connections that take orders, and their shops. */
  /** Shops of one connection, or the first of all. */
  places(
    accountId: string,
    connectionId?: string,
  ): Promise<{
    readonly connections: readonly { readonly id: string; readonly name: string }[];
    readonly stores: readonly StoreListed[];
  }>;
}
