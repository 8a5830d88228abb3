import type { OrderStore, OrdersFound, OrdersRead, OrdersWanted } from "../usecases/order-ports.ts";
import type { RateKey } from "../usecases/rate-for.ts";
import { selectSettingsVersion } from "./book-reads.ts";
import type { Database } from "./database.ts";
import {
  originsOfOrders,
  selectActing,
  selectActsOn,
  selectAnnulments,
  selectInvoices,
} from "./invoice-reads.ts";
import {
  dueOrders,
  type OrderIds,
  selectOrderRates,
  selectOrderStatuses,
  selectOrders,
  theseOrders,
} from "./order-reads.ts";
import { rateFromRow } from "./rate-store.ts";
import { storedInvoices } from "./stored-invoices.ts";
import { knownStatuses, storedOrder } from "./stored-orders.ts";

export function orderStore(db: Database, connectionId: string): OrderStore {
  return {
    findOrders: (wanted) => find(db, connectionId, theseOrders(wanted.ids), wanted),
    findDueOrders: (due) => find(db, connectionId, dueOrders(connectionId, due), { rates: [], statuses: [] }),
  };
}

export interface Beside {
  readonly rates: readonly RateKey[];
  readonly statuses: readonly string[];
}

/** All that orders are decided from, for any batch. */
export function orderReads(db: Database, connectionId: string, ids: OrderIds, beside: Beside) {
  return [
    selectOrders(db, connectionId, ids),
    selectOrderRates(db, connectionId, ids, beside.rates),
    selectOrderStatuses(db, connectionId, ids, beside.statuses),
  ] as const;
}

type Rows<Reads extends readonly unknown[]> = { -readonly [Index in keyof Reads]: Awaited<Reads[Index]> };

export function ordersFrom([orders, rates, statuses]: Readonly<Rows<ReturnType<typeof orderReads>>>): Omit<
  OrdersRead,
  "invoices"
> {
  return {
    orders: orders.map(storedOrder),
    rates: rates.map(rateFromRow),
    statuses: knownStatuses(statuses),
  };
}

async function find(
  db: Database,
  connectionId: string,
  ids: OrderIds,
  beside: Omit<OrdersWanted, "ids">,
): Promise<OrdersFound> {
  const origins = originsOfOrders(connectionId, ids);
  const [[settings], invoices, annulments, acting, actsOn, ...rest] = await db.batch([
    selectSettingsVersion(db, connectionId),
    selectInvoices(db, connectionId, origins),
    selectAnnulments(db, connectionId, origins),
    selectActing(db, connectionId, origins),
    selectActsOn(db, connectionId, origins),
    ...orderReads(db, connectionId, ids, beside),
  ]);
  return {
    settingsVersion: settings?.version,
    ...ordersFrom(rest),
    invoices: storedInvoices({ invoices, annulments, acting, actsOn }),
  };
}
