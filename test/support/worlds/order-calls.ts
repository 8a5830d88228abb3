/** Orders as connectors send them, through the contract and the ledger. */

import type { TripCount } from "../../../src/ledger/core/outcomes.ts";
import type {
  AnswerOutcome,
  EventsOutcome,
  OrderOutcome,
  OrderView,
  ReadOrderOutcome,
} from "../../../src/ledger/orders/order-outcomes.ts";
import type { ConnectorCalls } from "../../../src/ledger/rpc.ts";
import { anEventSubmission, aSubmission, type SentBody } from "../builders/sent-bodies.ts";
import { objectOf } from "./ledger-client.ts";
import { callerOf, openShop, type Shop, type ShopOptions } from "./shop.ts";

export {
  A_SENT_COMPANY,
  aSentLine,
  aSentOrder,
  aSentRefund,
  aSubmission,
  type SentBody,
} from "../builders/sent-bodies.ts";

export interface Connector {
  readonly shop: Shop;
  send(body: SentBody): Promise<OrderOutcome & TripCount>;
  preview(body: SentBody): Promise<OrderOutcome & TripCount>;
  /** Events of an order without it. */
  events(idExternal: string, body: SentBody): Promise<EventsOutcome & TripCount>;
  read(idExternal: string): Promise<ReadOrderOutcome & TripCount>;
}

/** Calls the object, or a `Ledger` of the test's own. */
export function orderConnector(shop: Shop, ledger?: ConnectorCalls): Connector {
  const calls = () => ledger ?? objectOf(shop);
  const caller = callerOf(shop);
  return {
    shop,
    send: (body) => calls().submitOrder(caller, aSubmission(body)),
    preview: (body) => calls().submitOrder(caller, aSubmission(body, true)),
    events: (idExternal, body) => calls().submitEvents(caller, anEventSubmission(idExternal, body)),
    read: (idExternal) => calls().readOrder(caller, idExternal),
  };
}

/** A commerce connection that issues. */
export function openCommerce(options: ShopOptions = {}): Promise<Shop> {
  return openShop({ ...options, connection: { kind: "commerce", name: "Tienda", ...options.connection } });
}

export function orderIn(outcome: AnswerOutcome | ReadOrderOutcome): OrderView {
  if (!("order" in outcome)) throw new Error(`no order: ${JSON.stringify(outcome)}`);
  return outcome.order;
}

/** `invoiced F2 PED-1S-2026-000001 121`: the state with its reasons, and every document with its total. */
export function toldOf(outcome: AnswerOutcome | ReadOrderOutcome): string {
  const { state, reasons, invoices } = orderIn(outcome);
  const documents = invoices.map(
    ({ invoiceType, issued, series, totals }) =>
      `${invoiceType} ${issued?.fullNumber ?? series} ${totals.total}`,
  );
  return [state, ...reasons.map(({ code }) => code), ...documents].join(" ");
}
