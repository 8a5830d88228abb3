import type { OrdersRead, StoredOrder } from "../../db/ledger-state.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { documentsOf } from "../orders/decide-order.ts";

/** Everything that a customer is shown of an order. Plain values: they are kept as JSON and cross RPC. */
export interface OrderDocuments {
  /** The order, as the shop calls it. */
  readonly orderReference: string;
  /** The shop, as its customer knows it. */
  readonly seller: string;
  /** Whether what is not in euros was converted by the European Central Bank's rate. */
  readonly isEcbRate: boolean;
  /** Oldest first, one at least. */
  readonly views: readonly InvoiceView[];
}

/** Undefined for an order that has no document: nothing of it is shown. */
export function orderDocuments(order: StoredOrder, read: OrdersRead): OrderDocuments | undefined {
  const byOrigin = new Map(read.invoices.map((invoice) => [invoice.view.origin, invoice]));
  const documents = documentsOf(order.idExternal, { invoices: byOrigin });
  const [first, ...others] = documents.map(({ stored }) => stored.view);
  if (!first) return undefined;
  const { reference, idExternal, storeId } = order.facts;
  const store = read.shopfront.stores.find(({ id }) => id === storeId);
  return {
    orderReference: reference ?? idExternal,
    seller: store?.name ?? first.document.issuer.name,
    isEcbRate: order.answers.exchangeRate === undefined,
    views: [first, ...others],
  };
}
