import type { OrdersRead, StoredOrder } from "../../db/ledger-state.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { documentsOf } from "../orders/decide-order.ts";

/** Everything that a customer sees of an order. Plain values: they are kept as JSON and cross RPC. */
export interface OrderDocuments {
  /** The order's name in the shop. */
  readonly orderReference: string;
  /** The shop's name as its customer knows it. */
  readonly seller: string;
  /** True if amounts in other currencies were converted at the rate of the European Central Bank. */
  readonly isEcbRate: boolean;
  /** Oldest first; at least one. */
  readonly views: readonly InvoiceView[];
}

/** Undefined for an order without a document: nothing of it is shown. */
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
