import { type SQL, sql } from "drizzle-orm";
import { civilDate } from "../../domain/shared/civil-date.ts";
import { fromOwnJson, plainReads, rowsAs, written } from "../database.ts";
import { hasOneStopShop, originsOfOrders } from "../invoices/invoice-reads.ts";
import type {
  ErasedBecause,
  ErasureQuery,
  ErasureReading,
  ErasureReads,
  OrderToErase,
} from "../ledger-state.ts";
import { invoice, invoiceDocument } from "../schema/ledger.ts";
import { shopOrder } from "../schema/orders.ts";
import { erasedOrder } from "../schema/retention.ts";
import { shopClient } from "../schema/shop.ts";

/** The limit of one request: erasable orders first, the rest when it is repeated. */
const ORDERS = 500;

/** One round trip. */
export function erasureReads(binding: D1Database): ErasureReads {
  const reads = plainReads(binding);
  return {
    async read(connectionId, asked) {
      const statements = [
        selectOrders(connectionId, asked),
        selectClient(connectionId, asked),
        selectGone(connectionId, asked),
      ];
      const [orders, clients, gone] = await reads.batch(statements.map(written));
      return readingOf(rowsAs<OrderRow>(orders), clients ?? [], rowsAs<GoneRow>(gone));
    },
  };
}

interface OrderRow {
  readonly id: string;
  readonly reference: string | null;
  readonly invoices: string;
}

interface GoneRow {
  readonly id: string;
  readonly because: ErasedBecause;
  readonly at: number;
}

function selectOrders(connectionId: string, asked: ErasureQuery): SQL {
  const isAsked =
    "orderId" in asked
      ? sql`${shopOrder.idExternal} = ${asked.orderId}`
      : sql`${shopOrder.clientId} = ${asked.clientId}`;
  const isOfOneStopShop = sql`EXISTS (SELECT 1 FROM ${invoiceDocument}
    WHERE ${invoiceDocument.invoiceId} = its.id
      AND ${hasOneStopShop(invoiceDocument.document, "$.groups")})`;
  return sql`SELECT wanted.id AS id, wanted.reference AS reference,
      (SELECT json_group_array(json_object('number', its.number, 'issueDate', its.issue_date,
        'hasOneStopShop', ${isOfOneStopShop})) FROM (${invoicesOfWanted(connectionId)}) AS its) AS invoices
    FROM (SELECT ${shopOrder.idExternal} AS id, ${shopOrder.reference} AS reference FROM ${shopOrder}
      WHERE ${shopOrder.connectionId} = ${connectionId} AND ${isAsked}
      ORDER BY ${shopOrder.soldFingerprint} IS NOT NULL, ${shopOrder.idExternal}
      LIMIT ${ORDERS + 1}) AS wanted`;
}

/** Each found in the index of origins. */
function invoicesOfWanted(connectionId: string): SQL {
  const origins = originsOfOrders(connectionId, sql`SELECT wanted.id AS id`);
  return sql`SELECT ${invoice.id} AS id, ${invoice.fullNumber} AS number, ${invoice.issueDate} AS issue_date
    FROM ${invoice} WHERE ${invoice.connectionId} = ${connectionId} AND ${invoice.origin} IN (${origins})`;
}

function selectClient(connectionId: string, asked: ErasureQuery): SQL {
  const id = "clientId" in asked ? asked.clientId : null;
  return sql`SELECT 1 AS known FROM ${shopClient}
    WHERE ${shopClient.connectionId} = ${connectionId} AND ${shopClient.idExternal} = ${id}`;
}

function selectGone(connectionId: string, asked: ErasureQuery): SQL {
  const id = "orderId" in asked ? asked.orderId : null;
  return sql`SELECT ${erasedOrder.idExternal} AS id, ${erasedOrder.because} AS because,
      ${erasedOrder.erasedAt} AS at
    FROM ${erasedOrder}
    WHERE ${erasedOrder.connectionId} = ${connectionId} AND ${erasedOrder.idExternal} = ${id}`;
}

function readingOf(
  rows: readonly OrderRow[],
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

function orderToErase({ id: idExternal, reference, invoices }: OrderRow): OrderToErase {
  return {
    idExternal,
    ...(reference === null ? {} : { reference }),
    invoices: fromOwnJson<readonly InvoiceJson[]>(invoices).map((one) => ({
      number: one.number,
      issueDate: civilDate(one.issueDate),
      hasOneStopShop: one.hasOneStopShop === 1,
    })),
  };
}
