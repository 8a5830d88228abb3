import { invoiceBody, toInvoiceRequest } from "../../../src/api/wire/invoice-body.ts";
import { parseExactly } from "../../../src/api/wire/json.ts";
import { type OrderBody, orderBody, orderEventsBody } from "../../../src/api/wire/order-body.ts";
import { orderAsSent, toSentEvents, toSentOrder } from "../../../src/api/wire/order-facts.ts";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import type { EventSubmission, OrderSubmission } from "../../../src/ledger/orders/order-outcomes.ts";

/** Orders as connectors send them, read as the contract reads them. */

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

/** The refund of a rate; positive. */
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

export function anEventSubmission(idExternal: string, body: SentBody, preview = false): EventSubmission {
  const parsed = orderEventsBody.parse(parseExactly(JSON.stringify(body)));
  return { sent: toSentEvents(idExternal, parsed), preview };
}

/** A request as it comes over the wire: JSON text through the contract into domain terms. */

/** Throws where the shape is not right. */
export function sentInvoice(json: string): InvoiceRequest {
  return toInvoiceRequest(invoiceBody.parse(parseExactly(json)));
}

/** Where in the request its shape is not right, as `lines.0.tax_rate`; empty when it is. */
export function shapeProblems(json: string): string[] {
  const parsed = invoiceBody.safeParse(parseExactly(json));
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join("."));
}
