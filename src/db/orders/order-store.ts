import { selectIssued, selectShopfront, shopfrontFrom } from "../access/access-reads.ts";
import { selectSettingsVersion } from "../book-reads.ts";
import type { Database } from "../database.ts";
import {
  originsOfOrders,
  selectActing,
  selectActsOn,
  selectCorrections,
  selectInvoices,
} from "../invoices/invoice-reads.ts";
import { storedInvoices } from "../invoices/stored-invoices.ts";
import type { ErasedBecause, OrderStore, OrdersFound, OrdersRead, OrdersWanted } from "../order-state.ts";
import { rateFromRow } from "../rates/rate-store.ts";
import {
  dueOrders,
  type OrderIds,
  selectErased,
  selectOrderRates,
  selectOrderStatuses,
  selectOrders,
  theseOrders,
} from "./order-reads.ts";
import { knownStatuses, storedOrder } from "./stored-orders.ts";

export function orderStore(db: Database, connectionId: string): OrderStore {
  return {
    findOrders: (wanted) => find(db, connectionId, theseOrders(wanted.ids), wanted),
    findDueOrders: (due) => find(db, connectionId, dueOrders(connectionId, due), { rates: [], statuses: [] }),
  };
}

export type Beside = Omit<OrdersWanted, "ids">;

/** The reads for deciding orders, for any batch. */
export function orderReads(db: Database, connectionId: string, ids: OrderIds, beside: Beside) {
  return [
    selectOrders(db, connectionId, ids),
    selectOrderRates(db, connectionId, ids, beside.rates),
    selectOrderStatuses(db, connectionId, ids, beside.statuses),
    selectIssued(db, connectionId, beside.issuedOf ?? []),
    selectErased(db, connectionId, ids),
    ...selectShopfront(db, connectionId, beside.shopfront ?? false),
  ] as const;
}

type Rows<Reads extends readonly unknown[]> = { -readonly [Index in keyof Reads]: Awaited<Reads[Index]> };

export function ordersFrom([orders, rates, statuses, issued, erased, origins, ofStores, stores]: Readonly<
  Rows<ReturnType<typeof orderReads>>
>): Omit<OrdersRead, "invoices"> {
  return {
    orders: orders.map(storedOrder),
    rates: rates.map(rateFromRow),
    statuses: knownStatuses(statuses),
    issued: issued.map(({ id }) => id),
    shopfront: shopfrontFrom(origins, ofStores, stores),
    // The schema checks the values of this column.
    erased: erased.map(({ because, ...of }) => ({ ...of, because: because as ErasedBecause })),
  };
}

async function find(db: Database, connectionId: string, ids: OrderIds, beside: Beside): Promise<OrdersFound> {
  const origins = originsOfOrders(connectionId, ids);
  const [[settings], invoices, corrections, acting, actsOn, ...rest] = await db.batch([
    selectSettingsVersion(db, connectionId),
    selectInvoices(db, connectionId, origins),
    selectCorrections(db, connectionId, origins),
    selectActing(db, connectionId, origins),
    selectActsOn(db, connectionId, origins),
    ...orderReads(db, connectionId, ids, beside),
  ]);
  return {
    settingsVersion: settings?.version,
    ...ordersFrom(rest),
    invoices: storedInvoices({ invoices, corrections, acting, actsOn }),
  };
}
