import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import {
  addressFrom,
  reportedFrom,
  selectRegistered,
  selectReportedOrigins,
} from "../../db/access/access-reads.ts";
import { named, selectSeriesHeads, setupOf } from "../../db/book-reads.ts";
import { type Database, fromOwnJson } from "../../db/database.ts";
import type { SeriesHead } from "../../db/ledger-state.ts";
import { apiKey, connection, consent, installation, invoice, series } from "../../db/schema/ledger.ts";
import { profile, shopCallback, shopOrder } from "../../db/schema/orders.ts";
import { customerAccess, shopInventory, shopModule, shopSetup, shopStore } from "../../db/schema/shop.ts";
import type { CallOutcome } from "../../domain/callback/delivery.ts";
import type { Setup } from "../../domain/connection/setup.ts";
import { ORDER_STATES } from "../../domain/order/decision.ts";
import { type CivilDate, civilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { ReportedOrigin, StoreAddress } from "../../domain/viewer/origin.ts";

export function connectionReads(db: Database): ConnectionReads {
  return {
    async list(accountId, month) {
      const [rows, numbered] = await db.batch([
        selectCards(db, accountId, month),
        selectNumbered(db, eq(series.accountId, accountId), month),
      ]);
      return rows.map((row) => cardFrom(row, numbered));
    },
    async read(accountId, connectionId, month) {
      const ours = and(eq(series.accountId, accountId), eq(series.connectionId, connectionId));
      const [[row], stores, [agreed], keys, [callback], stems, heads, numbered] = await db.batch([
        selectOne(db, { accountId, connectionId }, month),
        selectStores(db, connectionId),
        selectConsent(db, connectionId),
        selectKeys(db, { accountId, connectionId }),
        db.select().from(shopCallback).where(eq(shopCallback.connectionId, connectionId)),
        db.select({ stem: profile.stem }).from(profile).where(eq(profile.connectionId, connectionId)),
        selectSeriesHeads(db, connectionId),
        selectNumbered(db, ours, month),
      ]);
      // Without this row the connection belongs to another account, and the other rows must not be used.
      return row && readingFrom(row, { stores, agreed, keys, callback, stems, heads, numbered });
    },
    async origins(accountId, connectionId) {
      const [[owner], registered, kept, stores] = await db.batch([
        db
          .select({ accountId: connection.accountId })
          .from(connection)
          .where(eq(connection.id, connectionId)),
        selectRegistered(db, connectionId),
        selectReportedOrigins(db, connectionId),
        selectAddresses(db, connectionId),
      ]);
      if (owner?.accountId !== accountId) return { registered: [], kept: [], stores: [] };
      return { registered, kept: kept.map(reportedFrom), stores: stores.map(namedAddress) };
    },
    async keysOf(accountId, connectionId) {
      const rows = await selectKeys(db, { accountId, connectionId });
      return rows.map(({ tail, ...key }) => ({ ...key, ...(tail === null ? {} : { tail }) }));
    },
  };
}

interface Owned {
  readonly accountId: string;
  readonly connectionId: string;
}

/** The quoted full name: in a subquery a bare `id` would mean the inner table's column. */
const CONNECTION = sql.raw('"connection"."id"');

function selectCards(db: Database, accountId: string, month: Month) {
  const alive = (what: SQL) => sql`(SELECT ${what} FROM ${apiKey}
    WHERE ${apiKey.connectionId} = ${CONNECTION} AND ${apiKey.revokedAt} IS NULL)`;
  return db
    .select({
      id: connection.id,
      kind: connection.kind,
      name: named(connection.name, "connection_name"),
      platform: shopModule.platform,
      setupState: named(shopSetup.state, "setup_state"),
      storeIds: shopSetup.storeIds,
      consent: sql<string | null>`(SELECT iif(${consent.withdrawnAt} IS NULL, 'given', 'withdrawn')
        FROM ${consent} WHERE ${consent.connectionId} = ${CONNECTION}
        ORDER BY ${consent.grantedAt} DESC LIMIT 1)`.as("consent_state"),
      keys: alive(sql`count(*)`).mapWith(Number).as("keys_alive"),
      newestKeyAt: sql<number | null>`${alive(sql`max(${apiKey.createdAt})`)}`.as("newest_key_at"),
      lastOrderAt: lastOrderAt(CONNECTION).as("last_order_at"),
      orders: ordersSince(CONNECTION, month).as("orders_counted"),
    })
    .from(connection)
    .leftJoin(shopModule, eq(shopModule.connectionId, connection.id))
    .leftJoin(shopSetup, eq(shopSetup.connectionId, connection.id))
    .where(eq(connection.accountId, accountId))
    .orderBy(asc(connection.ordinal));
}

type CardRow = Awaited<ReturnType<typeof selectCards>>[number];

function selectOne(db: Database, { accountId, connectionId }: Owned, month: Month) {
  return db
    .select({
      id: connection.id,
      kind: connection.kind,
      name: named(connection.name, "connection_name"),
      ordinal: named(connection.ordinal, "connection_ordinal"),
      openedAt: named(connection.openedAt, "opened"),
      installationOrdinal: named(installation.ordinal, "installation_ordinal"),
      trial: installation.trial,
      platform: shopModule.platform,
      moduleVersion: shopModule.moduleVersion,
      contractVersion: shopModule.contractVersion,
      moduleSeenAt: named(shopModule.seenAt, "module_seen_at"),
      setupState: named(shopSetup.state, "setup_state"),
      storeIds: shopSetup.storeIds,
      chosenAt: shopSetup.chosenAt,
      orderStem: shopSetup.orderStem,
      ordersTotal: shopInventory.ordersTotal,
      inventoryAt: named(shopInventory.receivedAt, "inventory_at"),
      accessIsOn: named(customerAccess.isOn, "access_is_on"),
      switchedAt: customerAccess.switchedAt,
      lastOrderAt: lastOrderAt(CONNECTION).as("last_order_at"),
      orders: ordersSince(CONNECTION, month).as("orders_counted"),
    })
    .from(connection)
    .leftJoin(installation, and(eq(installation.connectionId, connection.id), isNull(installation.closedAt)))
    .leftJoin(shopModule, eq(shopModule.connectionId, connection.id))
    .leftJoin(shopSetup, eq(shopSetup.connectionId, connection.id))
    .leftJoin(shopInventory, eq(shopInventory.connectionId, connection.id))
    .leftJoin(customerAccess, eq(customerAccess.connectionId, connection.id))
    .where(and(eq(connection.id, connectionId), eq(connection.accountId, accountId)));
}

type ConnectionRow = Awaited<ReturnType<typeof selectOne>>[number];

function selectStores(db: Database, connectionId: string) {
  return db
    .select({
      id: shopStore.storeId,
      name: shopStore.name,
      orders: shopStore.ordersCount,
      seenAt: shopStore.seenAt,
    })
    .from(shopStore)
    .where(eq(shopStore.connectionId, connectionId))
    .orderBy(asc(shopStore.ordinal));
}

type StoreRow = Awaited<ReturnType<typeof selectStores>>[number];

function selectAddresses(db: Database, connectionId: string) {
  const { storeId: id, name, url, seenAt } = shopStore;
  return db.select({ id, name, url, seenAt }).from(shopStore).where(eq(shopStore.connectionId, connectionId));
}

function namedAddress({ name, ...row }: Awaited<ReturnType<typeof selectAddresses>>[number]) {
  return { ...addressFrom(row), ...(name === null ? {} : { name }) };
}

/** The newest consent counts. */
function selectConsent(db: Database, connectionId: string) {
  return db
    .select({
      givenBy: consent.grantedBy,
      givenAt: consent.grantedAt,
      textVersion: consent.textVersion,
      cutoffDate: sql<CivilDate>`${consent.cutoffDate}`.mapWith(civilDate).as("cutoff"),
      withdrawnAt: consent.withdrawnAt,
    })
    .from(consent)
    .where(eq(consent.connectionId, connectionId))
    .orderBy(desc(consent.grantedAt))
    .limit(1);
}

type ConsentRow = Awaited<ReturnType<typeof selectConsent>>[number];

function selectKeys(db: Database, { accountId, connectionId }: Owned) {
  const { id, hash, createdAt, tail } = apiKey;
  return db
    .select({ id: sql<string>`${id}`.as("key_id"), hash, createdAt, tail })
    .from(apiKey)
    .innerJoin(connection, eq(connection.id, apiKey.connectionId))
    .where(
      and(
        eq(apiKey.connectionId, connectionId),
        eq(connection.accountId, accountId),
        isNull(apiKey.revokedAt),
      ),
    )
    .orderBy(asc(createdAt), asc(id));
}

type KeyRow = Awaited<ReturnType<typeof selectKeys>>[number];

/** Series of the month's year: the last number, and the last number before the month. */
function selectNumbered(db: Database, which: SQL | undefined, month: Month) {
  const year = month.firstDay.slice(0, "YYYY".length);
  return db
    .select({
      connectionId: series.connectionId,
      last: lastNumber().as("last_number"),
      before: numbersBefore(month).as("numbers_before"),
    })
    .from(series)
    .where(and(which, sql`substr(${series.code}, -4) = ${year}`));
}

type NumberedRow = Awaited<ReturnType<typeof selectNumbered>>[number];

/** Queries go through the index by state and instant, state by state, so that older orders cost nothing. */
const STATES = JSON.stringify(ORDER_STATES);

function lastOrderAt(connectionId: SQL): SQL<number | null> {
  return sql<number | null>`(SELECT max((SELECT max(${shopOrder.orderedAt}) FROM ${shopOrder}
    WHERE ${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.state} = states.value))
    FROM json_each(${STATES}) AS states)`;
}

/** Orders of the month, up to one more than the limit. */
function ordersSince(connectionId: SQL, { beginsAt }: Month): SQL<number> {
  return sql<number>`(SELECT count(*) FROM (SELECT 1 FROM json_each(${STATES}) AS states
    CROSS JOIN ${shopOrder} WHERE ${shopOrder.connectionId} = ${connectionId}
      AND ${shopOrder.state} = states.value AND ${shopOrder.orderedAt} >= ${beginsAt}
    LIMIT ${MOST_COUNTED + 1}))`;
}

/** The last number of the outer query's series. */
function lastNumber(): SQL<number | null> {
  return sql<number | null>`(SELECT ${invoice.number} FROM ${invoice}
    WHERE ${ofSeries()} ORDER BY ${invoice.number} DESC LIMIT 1)`;
}

/**
 * Counts the outer series' numbers issued before the month. Issue dates never fall as numbers rise, so a
 * binary search finds the boundary in about log2(last number) steps.
 */
function numbersBefore({ firstDay }: Month): SQL<number> {
  const middle = sql.raw("(low + high) / 2");
  const isBefore = sql`(SELECT ${invoice.issueDate} < ${firstDay} FROM ${invoice}
    WHERE ${ofSeries()} AND ${invoice.number} = ${middle})`;
  return sql<number>`(WITH RECURSIVE halves(low, high) AS (
      SELECT 0, 1 + coalesce(${lastNumber()}, 0)
      UNION ALL
      SELECT iif(${isBefore}, ${middle}, low), iif(${isBefore}, high, ${middle}) FROM halves
        WHERE high - low > 1)
    SELECT low FROM halves ORDER BY high - low LIMIT 1)`;
}

function ofSeries(): SQL {
  return sql`${invoice.accountId} = ${series.accountId} AND ${invoice.series} = ${series.code}`;
}

function cardFrom(row: CardRow, numbered: readonly NumberedRow[]): ConnectionCard {
  const { id, kind, name, platform, consent, keys, newestKeyAt } = row;
  return {
    id,
    kind,
    name: name ?? "",
    ...(platform === null ? {} : { platform }),
    setup: setupOf(row),
    consent: consent === "given" || consent === "withdrawn" ? consent : "none",
    keys,
    ...(keys > 1 && newestKeyAt !== null ? { overlapBeganAt: newestKeyAt } : {}),
    activity: activityFrom(
      row,
      numbered.filter(({ connectionId }) => connectionId === id),
    ),
  };
}

interface RelatedRows {
  readonly stores: readonly StoreRow[];
  readonly agreed: ConsentRow | undefined;
  readonly keys: readonly KeyRow[];
  readonly callback: typeof shopCallback.$inferSelect | undefined;
  readonly stems: readonly { readonly stem: string }[];
  readonly heads: readonly HeadRow[];
  readonly numbered: readonly NumberedRow[];
}

function readingFrom(row: ConnectionRow, related: RelatedRows): ConnectionReading {
  const { chosenAt, orderStem, ordersTotal, inventoryAt, accessIsOn, switchedAt } = row;
  const module = moduleFrom(row);
  return {
    id: row.id,
    kind: row.kind,
    name: row.name ?? "",
    ordinal: row.ordinal ?? 0,
    installationOrdinal: row.installationOrdinal ?? 1,
    trial: row.trial === true,
    openedAt: row.openedAt ?? 0,
    ...(module ? { module } : {}),
    setup: setupOf(row),
    ...present({ chosenAt, orderStem }),
    ...(inventoryAt === null ? {} : { inventory: { receivedAt: inventoryAt, ...present({ ordersTotal }) } }),
    stores: related.stores.map(storeFrom),
    ...(related.agreed ? { consent: consentFrom(related.agreed) } : {}),
    keys: related.keys.map(({ id, createdAt, tail }) => ({ id, createdAt, ...present({ tail }) })),
    access: { isOn: accessIsOn !== 0, ...present({ switchedAt }) },
    ...(related.callback ? { callback: callbackFrom(related.callback) } : {}),
    profileStems: related.stems.map(({ stem }) => stem),
    series: headsFrom(related.heads),
    activity: activityFrom(row, related.numbered),
  };
}

export interface HeadRow {
  readonly code: string;
  readonly number: number | null;
  readonly date: string | null;
}

/** A series row is written in the same batch as its first invoice, so a row without one is dropped. */
export function headsFrom(rows: readonly HeadRow[]): readonly SeriesHead[] {
  return rows.flatMap(({ code, number, date }) =>
    number === null || date === null ? [] : [{ code, number, date: civilDate(date) }],
  );
}

type Present<Row extends object> = { readonly [Name in keyof Row]?: NonNullable<Row[Name]> };

/** Removes members without a value. */
export function present<Row extends object>(row: Row): Present<Row> {
  // The type describes the filtered object; the compiler cannot check that.
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Present<Row>;
}

function activityFrom(
  { lastOrderAt, orders }: Pick<CardRow, "lastOrderAt" | "orders">,
  numbered: readonly NumberedRow[],
): Activity {
  const invoices = numbered.reduce((sum, { last, before }) => sum + (last ?? 0) - before, 0);
  return { ...present({ lastOrderAt }), orders, invoices };
}

function moduleFrom(row: ConnectionRow): ModuleShown | undefined {
  const { platform, moduleVersion, contractVersion, moduleSeenAt: seenAt } = row;
  return seenAt === null ? undefined : { seenAt, ...present({ platform, moduleVersion, contractVersion }) };
}

function storeFrom({ id, ...row }: StoreRow): StoreShown {
  return { id, ...present(row) };
}

function consentFrom({ withdrawnAt, ...row }: ConsentRow) {
  return { ...row, ...present({ withdrawnAt }) };
}

function callbackFrom(row: typeof shopCallback.$inferSelect): CallbackShown {
  const { url, attempts, askedAt, dueAt: nextAt, lastAt, lastOutcome } = row;
  return {
    url,
    attempts,
    ...present({ askedAt, nextAt, lastAt }),
    ...(lastOutcome === null ? {} : { lastOutcome: fromOwnJson(lastOutcome) }),
  };
}

/** Above this count a card says "more than". */
const MOST_COUNTED = 1_000;

interface Activity {
  readonly lastOrderAt?: Instant;
  /** Orders dated in the month; `MOST_COUNTED + 1` means any higher number. */
  readonly orders: number;
  readonly invoices: number;
}

export interface ConnectionCard {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** As the module reported it. */
  readonly platform?: string;
  readonly setup: Setup;
  readonly consent: "none" | "given" | "withdrawn";
  readonly keys: number;
  /** The time when the second of two active keys was created. */
  readonly overlapBeganAt?: Instant;
  readonly activity: Activity;
}

export interface StoreShown {
  readonly id: string;
  readonly name?: string;
  readonly orders?: number;
  /** Absent for stores reported before this column existed. */
  readonly seenAt?: Instant;
}

interface ConsentShown {
  readonly givenBy: string;
  readonly givenAt: Instant;
  readonly textVersion: string;
  readonly cutoffDate: CivilDate;
  readonly withdrawnAt?: Instant;
}

interface KeyShown {
  readonly id: string;
  readonly createdAt: Instant;
  /** Absent for keys created before this column existed. */
  readonly tail?: string;
}

interface CallbackShown {
  readonly url: string;
  readonly askedAt?: Instant;
  readonly attempts: number;
  readonly nextAt?: Instant;
  readonly lastAt?: Instant;
  readonly lastOutcome?: CallOutcome;
}

interface ModuleShown {
  readonly platform?: string;
  readonly moduleVersion?: string;
  readonly contractVersion?: string;
  readonly seenAt: Instant;
}

/** One connection with everything that its pages show. */
export interface ConnectionReading {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly ordinal: number;
  readonly installationOrdinal: number;
  /** True for a production connection opened while the company was unverified: its numbers are tests. */
  readonly trial: boolean;
  readonly openedAt: Instant;
  readonly module?: ModuleShown;
  readonly setup: Setup;
  /** The time of the last choice of stores, if known. */
  readonly chosenAt?: Instant;
  readonly inventory?: { readonly ordersTotal?: number; readonly receivedAt: Instant };
  /** In inventory order. */
  readonly stores: readonly StoreShown[];
  readonly consent?: ConsentShown;
  /** Active keys, oldest first. */
  readonly keys: readonly KeyShown[];
  readonly access: { readonly isOn: boolean; readonly switchedAt?: Instant };
  readonly callback?: CallbackShown;
  /** The owner's stem, which replaces the assigned one. */
  readonly orderStem?: string;
  readonly profileStems: readonly string[];
  readonly series: readonly SeriesHead[];
  readonly activity: Activity;
}

/** Connections of an account. Every method is one D1 round trip. */
export interface ConnectionReads {
  list(accountId: string, month: Month): Promise<readonly ConnectionCard[]>;
  /** Undefined if the account has no such connection. */
  read(accountId: string, connectionId: string, month: Month): Promise<ConnectionReading | undefined>;
  /** Origins, registered or reported, of pages that may show the connection's invoices. */
  origins(accountId: string, connectionId: string): Promise<OriginReading>;
  /** Active keys of one connection, with the hashes by which the object identifies them. */
  keysOf(accountId: string, connectionId: string): Promise<readonly (KeyShown & { readonly hash: string })[]>;
}

/** All known origins of pages that show one connection's invoices. */
export interface OriginReading {
  readonly registered: readonly { readonly origin: string; readonly addedAt: Instant }[];
  readonly kept: readonly ReportedOrigin[];
  readonly stores: readonly (StoreAddress & { readonly name?: string })[];
}

/** The current month in the issuer's zone. */
export interface Month {
  readonly firstDay: CivilDate;
  readonly beginsAt: Instant;
}
