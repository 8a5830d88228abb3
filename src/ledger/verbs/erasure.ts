import { and, eq, sql } from "drizzle-orm";
import type { ErasureQuery, ErasureReading, OrderToErase, WriteOf } from "../../db/ledger-state.ts";
import { eraseEmails } from "../../db/orders/erased-emails.ts";
import { eraseOrders } from "../../db/orders/order-reads.ts";
import { erasedOrder } from "../../db/schema/retention.ts";
import { shopClient } from "../../db/schema/shop.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { keptOf } from "../../domain/retention/keeping.ts";
import { laterOf } from "../../domain/shared/civil-date.ts";
import { refused, UNCHANGED, type VerbReads, type VerbScope, verbReading, write } from "./verb.ts";

/** Articles 17.1 and 17.3.b of the GDPR: data without a duty to keep it is erased, the rest stays. */
interface ErasureScope extends VerbScope {
  readonly erasable: ErasureReading;
}

async function readErasable(query: ErasureQuery, scope: VerbScope, reads: VerbReads): Promise<ErasureScope> {
  return { ...scope, erasable: await reads.erasure(query) };
}

interface Order {
  readonly orderId: string;
}

interface Erased {
  /** Orders without an invoice. */
  readonly orders: readonly string[];
  /** The customer, erased with them. */
  readonly clientId?: string;
  /** Orders with an invoice: they stay, without the e-mail. */
  readonly kept?: readonly string[];
}

const erase: WriteOf<Erased> = (db, { connectionId }, { orders, clientId, kept = [] }, { at }) => {
  const chosen = sql`SELECT ${connectionId} AS connection_id, value AS id_external
    FROM json_each(${JSON.stringify(orders)})`;
  return [
    ...eraseOrders(db, chosen, { because: "asked", at }),
    ...(kept.length === 0 ? [] : eraseEmails(db, connectionId, kept, at)),
    ...(clientId === undefined
      ? []
      : [
          db
            .delete(shopClient)
            .where(and(eq(shopClient.connectionId, connectionId), eq(shopClient.idExternal, clientId))),
        ]),
  ];
};

export const erase_order = verbReading<Order, Erased, ErasureScope>(
  ({ orderId }, scope, reads) => readErasable({ orderId }, scope, reads),
  {
    area: "orders",
    wakesObject: false,
    decide({ orderId }, { erasable: { orders, erased } }) {
      const [order] = orders;
      if (order) {
        if (order.invoices.length > 0) return kept([order]);
        return write({ orders: [orderId] }, { order: orderId });
      }
      return erased ? UNCHANGED : refused(refuse("nothing_to_erase", {}, "id").error);
    },
    write: erase,
  },
);

/** A customer, by the shop's id, with all orders. The line of the log holds counts and no name. */
export const erase_client = verbReading<{ readonly clientId: string }, Erased, ErasureScope>(
  ({ clientId }, scope, reads) => readErasable({ clientId }, scope, reads),
  {
    area: "orders",
    wakesObject: false,
    decide({ clientId }, { erasable: { orders, isClientKnown } }) {
      const erasable = orders.filter(({ invoices }) => invoices.length === 0);
      const staying = orders.filter(({ invoices }) => invoices.length > 0);
      const isMailed = staying.some(({ hasEmail }) => hasEmail);
      if (erasable.length === 0 && !isClientKnown && !isMailed) {
        return staying.length > 0 ? kept(staying) : UNCHANGED;
      }
      return write(
        {
          orders: erasable.map(({ idExternal }) => idExternal),
          ...{ clientId, kept: staying.map(({ idExternal }) => idExternal) },
        },
        { orders: String(erasable.length), kept: String(staying.length) },
      );
    },
    write: erase,
  },
);

/** An erased order may come again, unless it had an invoice: it would get a second one. */
export const admit_order = verbReading<Order, Order, ErasureScope>(
  ({ orderId }, scope, reads) => readErasable({ orderId }, scope, reads),
  {
    area: "orders",
    wakesObject: false,
    decide({ orderId }, { erasable: { erased } }) {
      if (!erased) return UNCHANGED;
      if (erased.because === "retention") return refused(refuse("order_stays_erased", {}, "id").error);
      return write({ orderId }, { order: orderId });
    },
    write(db, { connectionId }, { orderId }) {
      const isThis = and(eq(erasedOrder.connectionId, connectionId), eq(erasedOrder.idExternal, orderId));
      return [db.delete(erasedOrder).where(isThis)];
    },
  },
);

function kept(orders: readonly OrderToErase[]) {
  const numbers = orders.flatMap(({ invoices }) => invoices.map(({ number }) => number));
  const days = orders.flatMap((order) => keptOf(order) ?? []);
  const until = days.reduce(laterOf);
  return refused(refuse("erasure_not_allowed", { numbers: { all: numbers }, until: { date: until } }).error);
}
