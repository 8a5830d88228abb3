import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { NO_ANSWERS, type OwnerAnswers } from "../../domain/order/context.ts";
import type { OrderState } from "../../domain/order/decision.ts";
import { civilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type StoredSales, withDestinations } from "../book-reads.ts";
import { type Database, fromOwnJson, plainReads, rowsAs, written } from "../database.ts";
import { hasOneStopShop, originsOfOrders } from "../invoices/invoice-reads.ts";
import type { Bound } from "../kept-reads.ts";
import type {
  DueOrders,
  ErasedBecause,
  ErasureQuery,
  ErasureReading,
  ErasureReads,
  KnownStatuses,
  OrderToErase,
  StoredOrder,
  Unmailed,
} from "../ledger-state.ts";
import { invoice, invoiceDocument } from "../schema/ledger.ts";
import { shopOrder, shopOrderSent } from "../schema/orders.ts";
import { erasedOrder } from "../schema/retention.ts";
import { exchangeRate, shopClient, shopStatus } from "../schema/shop.ts";
import { shopBackfillOrder, shopDelivery, shopDocument, shopFetch } from "../schema/shops.ts";

/** A query for ids of orders in its column `id`, to be read in the middle of another. */
export type OrderIds = SQL;

/** Orders whose ids a JSON list has. */
export function theseOrders(ids: Bound): OrderIds {
  return sql`SELECT value AS id FROM json_each(${ids})`;
}

/** The bounds of `DueOrders`; the ids of the orders to leave out are a JSON list. */
type DueBounds = { readonly [Fact in Exclude<keyof DueOrders, "limit">]: Bound } & {
  readonly limit: Bound<number>;
};

/**
 * Orders due for a new decision, oldest first: deferred, before a moved cutoff, held for a rate or day that
 * has come, or decided under old settings. Each decision removes its row from the index: no cursor is needed.
 */
export function dueOrders(connectionId: Bound, due: DueBounds): OrderIds {
  const { cutoffDate, today, limit } = due;
  const isWanted = sql`${shopOrder.idExternal} NOT IN
    (SELECT value FROM json_each(${due.except}))`;
  const inOrder = (from: SQL, order = sql`${shopOrder.orderedAt}`) =>
    sql`SELECT * FROM (SELECT ${shopOrder.idExternal} AS id, ${shopOrder.orderedAt} AS ordered_at ${from}
      AND ${isWanted} ORDER BY ${order} LIMIT ${limit})`;
  const ours = sql`FROM ${shopOrder} WHERE ${shopOrder.connectionId} = ${connectionId}`;
  return sql`SELECT id FROM (
    ${inOrder(sql`${ours} AND ${shopOrder.state} = 'deferred'`)}
    UNION ${inOrder(sql`${ours} AND ${shopOrder.undecided} = 1`)}
    UNION ${inOrder(sql`${ours} AND ${shopOrder.decideFrom} <= ${today}`)}
    UNION ${inOrder(
      sql`${ours} AND ${shopOrder.state} = 'before_cutoff' AND ${shopOrder.orderDay} >= ${cutoffDate}`,
      // By the day first, as the index has them: however many fall in, only the oldest are read.
      sql`${shopOrder.orderDay}, ${shopOrder.orderedAt}`,
    )}
    UNION ${inOrder(
      sql`FROM ${shopOrder} CROSS JOIN ${exchangeRate} ON ${exchangeRate.day} = ${shopOrder.rateDay}
        AND ${exchangeRate.currency} = ${shopOrder.rateCurrency}
        WHERE ${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.waitsForRate} = 1`,
    )}
  ) ORDER BY ordered_at, id LIMIT ${limit}`;
}

export function selectOrders(db: Database, connectionId: Bound, ids: OrderIds) {
  return db
    .select({
      idExternal: shopOrder.idExternal,
      state: shopOrder.state,
      orderDay: shopOrder.orderDay,
      dueDate: shopOrder.dueDate,
      facts: shopOrder.facts,
      sentSha256: shopOrder.sentSha256,
      reasons: shopOrder.reasons,
      warnings: shopOrder.warnings,
      answers: shopOrder.answers,
      acted: shopOrder.acted,
      soldFingerprint: shopOrder.soldFingerprint,
      waitsForRate: shopOrder.waitsForRate,
      decideFrom: shopOrder.decideFrom,
      undecided: shopOrder.undecided,
      unmailed: shopOrder.unmailed,
      changedAt: shopOrder.changedAt,
    })
    .from(sql`(${ids}) AS wanted`)
    .crossJoin(shopOrder)
    .where(isWanted(connectionId))
    .orderBy(shopOrder.orderedAt, shopOrder.idExternal);
}

export type OrderRow = Awaited<ReturnType<typeof selectOrders>>[number];

/** The ids that belong to erased orders. */
export function selectErased(db: Database, connectionId: Bound, ids: OrderIds) {
  return db
    .select({
      idExternal: erasedOrder.idExternal,
      because: erasedOrder.because,
      at: sql<number>`${erasedOrder.erasedAt}`.as("erased_at"),
    })
    .from(sql`(${ids}) AS wanted`)
    .crossJoin(erasedOrder)
    .where(and(eq(erasedOrder.connectionId, connectionId), sql`${erasedOrder.idExternal} = wanted.id`));
}

/** The rates of those cells, as `rateCells` makes them, and the rates that convert the stored orders. */
export function selectOrderRates(db: Database, connectionId: Bound, ids: OrderIds, cells: Bound) {
  return db
    .select({ day: exchangeRate.day, currency: exchangeRate.currency, rate: exchangeRate.rate })
    .from(
      sql`(SELECT value ->> 0 AS rate_day, value ->> 1 AS rate_currency FROM json_each(${cells})
        UNION SELECT ${shopOrder.rateDay}, ${shopOrder.rateCurrency}
          FROM (${ids}) AS wanted CROSS JOIN ${shopOrder} ON ${isWanted(connectionId)}) AS needed`,
    )
    .innerJoin(
      exchangeRate,
      sql`${exchangeRate.day} = needed.rate_day AND ${exchangeRate.currency} = needed.rate_currency`,
    );
}

/** The statuses of a JSON list of ids, and those of the stored orders. */
export function selectOrderStatuses(db: Database, connectionId: Bound, ids: OrderIds, statuses: Bound) {
  return db
    .select({ idExternal: shopStatus.idExternal, name: shopStatus.name, cancelled: shopStatus.cancelled })
    .from(
      sql`(SELECT value AS status_id FROM json_each(${statuses})
        UNION SELECT ${shopOrder.status} FROM (${ids}) AS wanted
          CROSS JOIN ${shopOrder} ON ${isWanted(connectionId)}) AS needed`,
    )
    .innerJoin(
      shopStatus,
      and(eq(shopStatus.connectionId, connectionId), sql`${shopStatus.idExternal} = needed.status_id`),
    );
}

/** Joined by CROSS JOIN: the planner may not begin with the orders, of which there are ever more. */
function isWanted(connectionId: Bound): SQL {
  return sql`${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.idExternal} = wanted.id`;
}

interface Erasing {
  readonly because: ErasedBecause;
  readonly at: Instant;
}

/**
 * Erases the orders of a query for `connection_id` and `id_external`. Their traces come first, because a
 * trigger needs them. Bodies go before the orders, because the query may read the orders.
 */
export function eraseOrders(db: Database, orders: SQL, { because, at }: Erasing) {
  return [
    db.insert(erasedOrder).select(sql`SELECT connection_id, id_external, ${because}, ${at}
      FROM (${orders}) AS theirs WHERE NOT EXISTS (SELECT 1 FROM ${erasedOrder}
        WHERE ${erasedOrder.connectionId} = theirs.connection_id
          AND ${erasedOrder.idExternal} = theirs.id_external)`),
    db.delete(shopOrderSent).where(isAmong(shopOrderSent, orders)),
    db.delete(shopDocument).where(isAmong(shopDocument, orders)),
    db
      .update(shopDelivery)
      .set({ body: null, bodyKey: null, why: null })
      .where(sql`(${shopDelivery.connectionId}, ${shopDelivery.orderId}) IN (${orders})`),
    db.delete(shopFetch).where(sql`(${shopFetch.connectionId}, ${shopFetch.nativeId}) IN (${orders})`),
    db
      .delete(shopBackfillOrder)
      .where(sql`(${shopBackfillOrder.connectionId}, ${shopBackfillOrder.nativeId}) IN (${orders})`),
    db.delete(shopOrder).where(isAmong(shopOrder, orders)),
  ] as const;
}

/** Whether a row belongs to an order of that query. */
export function isAmong(
  table: typeof shopOrder | typeof shopOrderSent | typeof shopDocument,
  orders: SQL,
): SQL {
  return sql`(${table.connectionId}, ${table.idExternal}) IN (${orders})`;
}

/** The order that an invoice was issued for, as `orderIdOf` reads it in the domain; else null. */
export function orderOfOrigin(origin: SQLiteColumn): SQL {
  const isOf = (sort: string) => sql`${origin} >= ${text(`${sort}:`)} AND ${origin} < ${text(`${sort};`)}`;
  const behind = (sort: string) => sql`substr(${origin}, ${sql.raw(String(sort.length + 2))})`;
  const whole = (sort: string) => sql`WHEN ${isOf(sort)} THEN ${behind(sort)}`;
  const numbered = (sort: string) =>
    sql`WHEN ${isOf(sort)} THEN substr(${behind(sort)}, instr(${behind(sort)}, ':') + 1)`;
  const escaped = (sort: string) => sql`WHEN ${isOf(sort)} THEN replace(replace(
    substr(${behind(sort)}, 1, instr(${behind(sort)}, ':') - 1), '%3A', ':'), '%25', '%')`;
  const sorts = [
    whole("order"),
    whole("replacement"),
    escaped("event"),
    escaped("event_replacement"),
    numbered("reissue"),
    numbered("reissue_replacement"),
  ];
  return sql`CASE ${sql.join(sorts, sql` `)} END`;
}

/** No parameter, of which a statement of D1 takes few. */
function text(literal: string): SQL {
  return sql.raw(`'${literal}'`);
}

export function storedOrder(row: OrderRow): StoredOrder {
  const { soldFingerprint, decideFrom, unmailed, ...kept } = row;
  return {
    ...kept,
    // The schema checks the values of this column.
    state: row.state as OrderState,
    orderDay: civilDate(row.orderDay),
    dueDate: civilDate(row.dueDate),
    facts: fromOwnJson(row.facts),
    reasons: fromOwnJson(row.reasons),
    warnings: fromOwnJson(row.warnings),
    answers: answersFrom(row.answers),
    acted: fromOwnJson(row.acted),
    ...(soldFingerprint === null ? {} : { soldFingerprint }),
    ...(decideFrom === null ? {} : { decideFrom: civilDate(decideFrom) }),
    // Only this service writes this column.
    ...(unmailed === null ? {} : { unmailed: unmailed as Unmailed }),
  };
}

interface StoredAnswers extends Partial<Omit<OwnerAnswers, "sales">> {
  readonly sales?: StoredSales;
}

/** Kinds of answers are added over time; an old row has only the earlier ones. */
function answersFrom(json: string): OwnerAnswers {
  const { sales, ...answers } = fromOwnJson<StoredAnswers>(json);
  return { ...NO_ANSWERS, ...answers, ...(sales ? { sales: withDestinations(sales) } : {}) };
}

export function knownStatuses(
  rows: readonly { readonly idExternal: string; readonly name: string; readonly cancelled: boolean }[],
): KnownStatuses {
  return Object.fromEntries(rows.map(({ idExternal, name, cancelled }) => [idExternal, { name, cancelled }]));
}

/** The limit of one request: erasable orders first, the rest when it is repeated. */
const ORDERS = 500;

/** One round trip. */
export function erasureReads(binding: D1Database): ErasureReads {
  const reads = plainReads(binding);
  return {
    async read(connectionId, query) {
      const statements = [
        selectErasable(connectionId, query),
        selectClient(connectionId, query),
        selectGone(connectionId, query),
      ];
      const [orders, clients, gone] = await reads.batch(statements.map(written));
      return readingOf(rowsAs<ErasableRow>(orders), clients ?? [], rowsAs<GoneRow>(gone));
    },
  };
}

interface ErasableRow {
  readonly id: string;
  readonly reference: string | null;
  readonly invoices: string;
  readonly has_email: 0 | 1;
}

interface GoneRow {
  readonly id: string;
  readonly because: ErasedBecause;
  readonly at: number;
}

function selectErasable(connectionId: string, query: ErasureQuery): SQL {
  const isAsked =
    "orderId" in query
      ? sql`${shopOrder.idExternal} = ${query.orderId}`
      : sql`${shopOrder.clientId} = ${query.clientId}`;
  const isOfOneStopShop = sql`EXISTS (SELECT 1 FROM ${invoiceDocument}
    WHERE ${invoiceDocument.invoiceId} = its.id
      AND ${hasOneStopShop(invoiceDocument.document, "$.groups")})`;
  return sql`SELECT wanted.id AS id, wanted.reference AS reference, wanted.has_email AS has_email,
      (SELECT json_group_array(json_object('number', its.number, 'issueDate', its.issue_date,
        'hasOneStopShop', ${isOfOneStopShop})) FROM (${invoicesOfRequested(connectionId)}) AS its) AS invoices
    FROM (SELECT ${shopOrder.idExternal} AS id, ${shopOrder.reference} AS reference,
        ${shopOrder.facts} ->> '$.client.email' IS NOT NULL AS has_email FROM ${shopOrder}
      WHERE ${shopOrder.connectionId} = ${connectionId} AND ${isAsked}
      ORDER BY ${shopOrder.soldFingerprint} IS NOT NULL, ${shopOrder.idExternal}
      LIMIT ${ORDERS + 1}) AS wanted`;
}

/** Each found in the index of origins. */
function invoicesOfRequested(connectionId: string): SQL {
  const origins = originsOfOrders(connectionId, sql`SELECT wanted.id AS id`);
  return sql`SELECT ${invoice.id} AS id, ${invoice.fullNumber} AS number, ${invoice.issueDate} AS issue_date
    FROM ${invoice} WHERE ${invoice.connectionId} = ${connectionId} AND ${invoice.origin} IN (${origins})`;
}

function selectClient(connectionId: string, query: ErasureQuery): SQL {
  const id = "clientId" in query ? query.clientId : null;
  return sql`SELECT 1 AS known FROM ${shopClient}
    WHERE ${shopClient.connectionId} = ${connectionId} AND ${shopClient.idExternal} = ${id}`;
}

function selectGone(connectionId: string, query: ErasureQuery): SQL {
  const id = "orderId" in query ? query.orderId : null;
  return sql`SELECT ${erasedOrder.idExternal} AS id, ${erasedOrder.because} AS because,
      ${erasedOrder.erasedAt} AS at
    FROM ${erasedOrder}
    WHERE ${erasedOrder.connectionId} = ${connectionId} AND ${erasedOrder.idExternal} = ${id}`;
}

function readingOf(
  rows: readonly ErasableRow[],
  clients: readonly unknown[],
  [gone]: readonly GoneRow[],
): ErasureReading {
  return {
    isClientKnown: clients.length > 0,
    orders: rows.slice(0, ORDERS).map(orderToErase),
    hasMore: rows.slice(ORDERS).some((row) => orderToErase(row).invoices.length === 0),
    ...(gone ? { erased: { idExternal: gone.id, because: gone.because, at: gone.at } } : {}),
  };
}

interface InvoiceJson {
  readonly number: string;
  readonly issueDate: string;
  readonly hasOneStopShop: 0 | 1;
}

function orderToErase(row: ErasableRow): OrderToErase {
  const { id: idExternal, reference, invoices, has_email: hasEmail } = row;
  return {
    ...{ idExternal, hasEmail: hasEmail === 1 },
    ...(reference === null ? {} : { reference }),
    invoices: fromOwnJson<readonly InvoiceJson[]>(invoices).map((one) => ({
      number: one.number,
      issueDate: civilDate(one.issueDate),
      hasOneStopShop: one.hasOneStopShop === 1,
    })),
  };
}
