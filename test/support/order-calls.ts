/** Orders as connectors send them, through the contract and the ledger. */
import { type OrderBody, orderBody } from "../../src/http/contract/order-body.ts";
import { orderAsSent, toSentOrder } from "../../src/http/contract/order-facts.ts";
import { parseExactly } from "../../src/http/exact-number.ts";
import type { ConnectionCalls } from "../../src/ledger/calls.ts";
import type {
  AnswerOutcome,
  OrderOutcome,
  OrderSubmission,
  ReadOrderOutcome,
} from "../../src/usecases/order-outcomes.ts";
import type { OrderView } from "../../src/usecases/order-view.ts";
import type { Spent } from "../../src/usecases/outcomes.ts";
import { objectOf } from "./ledger-client.ts";
import { callerOf, openShop, type Shop, type ShopOptions } from "./shop.ts";

export type SentBody = Readonly<Record<string, unknown>>;

/** 100.00 + 21.00 to a person in Spain. */
export function aSentOrder(idExternal: string, change: SentBody = {}): SentBody {
  return {
    id_external: idExternal,
    order_date: "2026-11-20 12:00:00",
    total: 121,
    currency: "EUR",
    fiscal_event: "invoice_candidate",
    contract_version: "1.8",
    client: { first_name: "Ana", last_name: "Pérez", country: "ES" },
    breakdown: [aSentLine(100, 21, 21)],
    ...change,
  };
}

export function aSentLine(base: number, tax: number, rate: number, change: SentBody = {}): SentBody {
  return { name: "Silla", quantity: 1, base_amount: base, tax_rate: rate, tax_amount: tax, ...change };
}

/** What goes back of a rate; positive. */
export function aSentRefund(id: string, base: number, tax: number, rate: number): SentBody {
  return {
    id_external_event: id,
    event_type: "refund",
    lines: [{ base_delta: -base, tax_rate: rate, tax_delta: -tax }],
  };
}

export const A_SENT_COMPANY: SentBody = {
  company: "Cliente Ejemplo SL",
  vat_number: "B12345674",
  country: "ES",
  address1: "Gran Vía 1",
  postcode: "28013",
  city: "Madrid",
};

export function aSubmission(body: SentBody, preview = false): OrderSubmission {
  const exact = parseExactly(JSON.stringify(body));
  const parsed: OrderBody = orderBody.parse(exact);
  return { sent: toSentOrder(parsed), asSent: orderAsSent(exact), preview };
}

export interface Connector {
  readonly shop: Shop;
  send(body: SentBody): Promise<OrderOutcome & Spent>;
  preview(body: SentBody): Promise<OrderOutcome & Spent>;
  read(idExternal: string): Promise<ReadOrderOutcome & Spent>;
}

/** Calls the object, or a `Ledger` of the test's own. */
export function orderConnector(shop: Shop, ledger?: ConnectionCalls): Connector {
  const calls = () => ledger ?? objectOf(shop);
  const caller = callerOf(shop);
  return {
    shop,
    send: (body) => calls().submitOrder(caller, aSubmission(body)),
    preview: (body) => calls().submitOrder(caller, aSubmission(body, true)),
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
