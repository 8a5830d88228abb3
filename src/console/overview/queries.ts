import { type SQL, sql } from "drizzle-orm";
import { type PlainReads, plainReads, rowsAs, written } from "../../db/database.ts";
import { invoiceEntry, invoiceTotal } from "../../db/schema/invoice-entry.ts";
import { apiKey, connection, installation, invoice, record } from "../../db/schema/ledger.ts";
import { shopOrder } from "../../db/schema/orders.ts";
import { shopModule, shopSetup, shopStore } from "../../db/schema/shop.ts";
import { isNewStore } from "../../db/shop/shop-writes.ts";
import type { RecordState } from "../../domain/invoice/invoice-view.ts";
import { decimal } from "../../domain/shared/decimal.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { shownText } from "../../domain/shared/shown-text.ts";
import type { Finding } from "../../domain/verifactu/submission/meaning.ts";
import type { InvoiceSums, ListedInvoice, TailInvoice } from "../invoices/list-invoices.ts";
import { stateOf } from "../invoices/listed-invoice.ts";
import {
  type EntryRow,
  enteredInvoice,
  isOfInvoices,
  selectPage,
  selectTail,
  type TailRow,
  tailFrom,
} from "../invoices/queries.ts";

/** Limit of declined invoices per state, above the number that an owner can correct in a day. */
const DECLINED = 100;
/** Limit of new stores; the connection's page lists all of them. */
const NEW_STORES = 50;

export function overviewReads(binding: D1Database): OverviewReads {
  const reads = plainReads(binding);
  return {
    readOverview: (accountId, query) => readOverview(reads, accountId, query),
    readAttention: (accountId) => readAttention(reads, accountId),
  };
}

async function readOverview(
  reads: PlainReads,
  accountId: string,
  { month, connectionId, latest }: OverviewQuery,
): Promise<OverviewRead> {
  const filter = { terms: [], ...(connectionId === undefined ? {} : { connectionId }) };
  const [days, tail, page] = await reads.batch(
    [
      selectDays(accountId, month, connectionId),
      selectTail(accountId),
      selectPage(accountId, { filter, limit: latest }),
    ].map(written),
  );
  return {
    days: rowsAs<DayRow>(days).map(dayCount),
    tail: tailFrom(rowsAs<TailRow>(tail)),
    latest: rowsAs<EntryRow>(page).map(enteredInvoice),
  };
}

interface DayRow {
  readonly day: string;
  readonly state: string;
  readonly rectifying: number;
  readonly invoices: number;
  readonly cancelled: number;
  readonly base: string;
  readonly tax: string;
  readonly total: string;
}

function selectDays(accountId: string, month: string, connectionId: string | undefined): SQL {
  const cents = (amount: SQL) => sql`CAST(sum(${amount}) AS TEXT)`;
  const ofConnection =
    connectionId === undefined ? sql`` : sql`AND ${invoiceTotal.connectionId} = ${connectionId}`;
  return sql`SELECT ${invoiceTotal.period} AS day, ${invoiceTotal.state} AS state,
      ${invoiceTotal.rectifying} AS rectifying, sum(${invoiceTotal.invoices}) AS invoices,
      sum(${invoiceTotal.cancelled}) AS cancelled, ${cents(sql`${invoiceTotal.base}`)} AS base,
      ${cents(sql`${invoiceTotal.tax}`)} AS tax, ${cents(sql`${invoiceTotal.total}`)} AS total
    FROM ${invoiceTotal} WHERE ${invoiceTotal.accountId} = ${accountId} AND ${invoiceTotal.grain} = 'day'
      AND ${isOfInvoices()} AND ${invoiceTotal.period} >= ${month}
      AND ${invoiceTotal.period} < ${`${month}~`} ${ofConnection}
    GROUP BY 1, 2, 3`;
}

function dayCount({ day, state, rectifying, invoices, cancelled, base, tax, total }: DayRow): DayCount {
  const amounts = { base: decimal(base), tax: decimal(tax), total: decimal(total) };
  return { day, state: stateOf(state), rectifying: rectifying === 1, invoices, cancelled, amounts };
}

async function readAttention(reads: PlainReads, accountId: string): Promise<AttentionRead> {
  const [held, declined, stores, keys] = await reads.batch(
    [selectHeld(accountId), selectDeclined(accountId), selectNewStores(accountId), selectKeys(accountId)].map(
      written,
    ),
  );
  const [waiting] = rowsAs<{ readonly orders: number; readonly oldest: string | null }>(held);
  return {
    held: {
      orders: waiting?.orders ?? 0,
      ...(waiting?.oldest ? { oldestDue: waiting.oldest } : {}),
    },
    declined: rowsAs<DeclinedRow>(declined).map(declinedInvoice),
    newStores: rowsAs<StoreRow>(stores).map(({ connection_id, platform, name, orders }) => ({
      connectionId: connection_id,
      name: shownText(name),
      ...(platform === null ? {} : { platform }),
      ...(orders === null ? {} : { orders }),
    })),
    twoKeys: rowsAs<KeysRow>(keys).map(({ connection_id, name, since }) => ({
      ...{ connectionId: connection_id, name, since },
    })),
  };
}

function selectHeld(accountId: string): SQL {
  const ofConnection = sql`FROM ${shopOrder}
    WHERE ${shopOrder.connectionId} = ${connection.id} AND ${shopOrder.state} = 'held'`;
  return sql`SELECT coalesce(sum(orders), 0) AS orders, min(oldest) AS oldest
    FROM (SELECT (SELECT count(*) ${ofConnection}) AS orders,
        (SELECT min(${shopOrder.dueDate}) ${ofConnection}) AS oldest
      FROM ${connection} WHERE ${connection.accountId} = ${accountId}
        AND NOT EXISTS (SELECT 1 FROM ${installation} AS trying
          WHERE trying.connection_id = ${connection.id} AND trying.trial = 1))`;
}

interface DeclinedRow {
  readonly id: string;
  readonly full_number: string;
  readonly state: DeclinedInvoice["state"];
  readonly code: number | null;
  readonly text: string | null;
  readonly connection_id: string;
  readonly duplicate: NonNullable<DeclinedInvoice["duplicate"]> | null;
}

/**
 * The finding about a record that is held as a duplicate at the AEAT. An earlier registration with the
 * finding "foreign" counts too; without a finding it is undecided.
 */
function duplicate(): SQL {
  const earlier = sql.identifier("earlier");
  const found = sql`${earlier}.standing ->> '$.found'`;
  return sql`CASE WHEN ${record.standing} ->> '$.hold' IS NOT NULL
    THEN coalesce(${record.standing} ->> '$.found', (SELECT ${found} FROM ${record} AS ${earlier}
      WHERE ${earlier}.connection_id = ${invoice.connectionId} AND ${found} = 'foreign'
        AND (${earlier}.origin = ${invoice.origin}
          OR (${earlier}.origin >= 'amend:' || ${invoice.id} || ':'
            AND ${earlier}.origin < 'amend:' || ${invoice.id} || ';')) LIMIT 1), 'undecided') END`;
}

/** The newest rejected and flawed invoices, each with the AEAT's reply to its newest record. */
function selectDeclined(accountId: string): SQL {
  const newest = (state: string) => sql`SELECT * FROM (SELECT ${invoiceEntry.invoiceId} AS invoice_id,
      ${invoiceEntry.installationId} AS installation_id, ${invoiceEntry.position} AS position,
      ${invoiceEntry.place} AS place FROM ${invoiceEntry} WHERE ${invoiceEntry.accountId} = ${accountId}
        AND ${invoiceEntry.state} = ${state} ORDER BY ${invoiceEntry.place} DESC LIMIT ${DECLINED})`;
  return sql`SELECT ${invoice.id} AS id, ${invoice.fullNumber} AS full_number, ${record.state} AS state,
      ${record.standing} ->> '$.code' AS code, ${record.standing} ->> '$.text' AS text,
      ${invoice.connectionId} AS connection_id, ${duplicate()} AS duplicate
    FROM (${newest("rejected")} UNION ALL ${newest("accepted_with_errors")}) AS newest
    CROSS JOIN ${record} ON ${record.installationId} = newest.installation_id
      AND ${record.position} = newest.position
    JOIN ${invoice} ON ${invoice.id} = newest.invoice_id ORDER BY newest.place DESC`;
}

function declinedInvoice({
  id,
  full_number,
  connection_id,
  duplicate,
  ...answer
}: DeclinedRow): DeclinedInvoice {
  const { state, code, text } = answer;
  return {
    ...{ id, fullNumber: full_number, state, connectionId: connection_id },
    ...(duplicate === null ? {} : { duplicate }),
    ...(code === null ? {} : { code }),
    ...(text === null ? {} : { text }),
  };
}

interface StoreRow {
  readonly connection_id: string;
  readonly platform: string | null;
  readonly name: string;
  readonly orders: number | null;
}

/** New stores without a decision, of connections with chosen stores. */
function selectNewStores(accountId: string): SQL {
  return sql`SELECT ${connection.id} AS connection_id, ${shopModule.platform} AS platform,
      coalesce(${shopStore.name}, ${shopStore.storeId}) AS name, ${shopStore.ordersCount} AS orders
    FROM ${connection} JOIN ${shopSetup} ON ${shopSetup.connectionId} = ${connection.id}
    CROSS JOIN ${shopStore} ON ${shopStore.connectionId} = ${connection.id}
    LEFT JOIN ${shopModule} ON ${shopModule.connectionId} = ${connection.id}
    WHERE ${connection.accountId} = ${accountId} AND ${shopSetup.state} = 'configured'
      AND ${shopSetup.storeIds} <> '' AND ${isNewStore()}
    ORDER BY ${connection.ordinal}, ${shopStore.ordinal} LIMIT ${NEW_STORES}`;
}

interface KeysRow {
  readonly connection_id: string;
  readonly name: string;
  readonly since: number;
}

/** Connections with two active keys, and the newer key's creation. */
function selectKeys(accountId: string): SQL {
  return sql`SELECT ${connection.id} AS connection_id, ${connection.name} AS name,
      max(${apiKey.createdAt}) AS since
    FROM ${connection} CROSS JOIN ${apiKey} ON ${apiKey.connectionId} = ${connection.id}
    WHERE ${connection.accountId} = ${accountId} AND ${apiKey.revokedAt} IS NULL
    GROUP BY ${connection.id} HAVING count(*) > 1 ORDER BY ${connection.ordinal}`;
}

export interface OverviewQuery {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly connectionId?: string;
  /** The number of latest invoices to show. */
  readonly latest: number;
}

/** Invoices of one day in one state; rectifying invoices are counted separately. */
export interface DayCount extends InvoiceSums {
  readonly day: string;
  readonly state: RecordState;
  readonly rectifying: boolean;
}

export interface OverviewRead {
  readonly days: readonly DayCount[];
  readonly latest: readonly ListedInvoice[];
  readonly tail: readonly TailInvoice[];
}

/** Everything that needs the owner's decision. */
export interface AttentionRead {
  readonly held: { readonly orders: number; readonly oldestDue?: string };
  /** Newest first, up to the limit. */
  readonly declined: readonly DeclinedInvoice[];
  readonly newStores: readonly NewStore[];
  readonly twoKeys: readonly {
    readonly connectionId: string;
    readonly name: string;
    readonly since: Instant;
  }[];
}

export interface DeclinedInvoice {
  readonly id: string;
  readonly connectionId: string;
  readonly fullNumber: string;
  readonly state: "rejected" | "accepted_with_errors";
  readonly code?: number;
  readonly text?: string;
  /** The AEAT has another record under the number: the owner's finding about it. */
  readonly duplicate?: "undecided" | Finding;
}

/** A store reported after the owner's choice of stores. */
interface NewStore {
  readonly connectionId: string;
  readonly platform?: string;
  readonly name: string;
  readonly orders?: number;
}

export interface OverviewReads {
  readOverview(accountId: string, query: OverviewQuery): Promise<OverviewRead>;
  readAttention(accountId: string): Promise<AttentionRead>;
}
