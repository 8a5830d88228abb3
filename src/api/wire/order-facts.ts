import type { MissingFact, TaxTotal } from "../../domain/order/facts.ts";
import { type NormalizedOrder, normalizeOrder } from "../../domain/order/normalize-order.ts";
import type {
  SentDiscount,
  SentEvent,
  SentEvents,
  SentLine,
  SentOrder,
  SentRefund,
  SentUnmappedTotal,
} from "../../domain/order/sent-order.ts";
import { decimalFrom } from "../../domain/shared/decimal.ts";
import type { TimeZone } from "../../domain/shared/instant.ts";
import { JsonNumber, present } from "./json.ts";
import type { OrderBody, OrderEventsBody } from "./order-body.ts";
import {
  type BodyDiscount,
  type BodyEvent,
  type BodyEventLine,
  type BodyLine,
  type BodyMissing,
  type BodyRefund,
  type BodyRefundLine,
  type BodyTaxTotal,
  type BodyUnmappedTotal,
  toClientFacts,
} from "./order-parts.ts";
import { toLineDetails, toOrderTrade } from "./order-trade.ts";

interface ReadOrder extends NormalizedOrder {
  /** JSON text of the order as sent, unknown members and every digit included. */
  readonly raw: string;
}

/** The facts of an order in the issuer's zone; `sent` is the parsed tree of the body. */
export function toOrderFacts(
  body: OrderBody,
  { timeZone, sent }: { timeZone: TimeZone; sent: unknown },
): ReadOrder {
  return { ...normalizeOrder(toSentOrder(body), timeZone), raw: orderAsSent(sent) };
}

/** JSON of the parsed body, with every digit of its numbers. It is never longer than the body was. */
export function orderAsSent(sent: unknown): string {
  return JSON.stringify(sent, (_, value) =>
    value instanceof JsonNumber ? JSON.rawJSON(value.source) : value,
  );
}

/** The body in domain terms: absent members stay absent, missing lists become empty. */
export function toSentOrder(body: OrderBody): SentOrder {
  return present({
    idExternal: body.id_external,
    reference: body.reference,
    orderDate: body.order_date,
    paidAt: body.paid_at,
    total: body.total,
    totalTax: body.total_tax,
    currency: body.currency,
    status: body.id_order_status ?? body.status,
    sourcePlatform: body.source_platform,
    fiscalEvent: body.fiscal_event,
    invoiceAction: body.invoice_action,
    test: body.test,
    client: body.client && toClientFacts(body.client),
    delivery: body.delivery && toDelivery(body.delivery),
    trade: toOrderTrade(body),
    breakdown: body.breakdown.map(toSentLine),
    discounts: (body.discounts ?? []).map(toSentDiscount),
    unmappedTotals: (body.unmapped_totals ?? []).map(toSentUnmappedTotal),
    taxTotals: (body.tax_totals ?? []).map(toTaxTotal),
    amountPaid: body.amount_paid,
    missing: body.missing && body.missing.length > 0 ? body.missing.map(toMissing) : undefined,
    events: (body.correction_events ?? []).map(toSentEvent),
    refunds: (body.refunds ?? []).map(toSentRefund),
    sourceChannel: body.source_channel,
    sourceChannelEvidence: body.source_channel_evidence,
    storeId: body.shop?.id,
    tags: (body.tags ?? []).filter((tag) => tag !== undefined),
    operationDate: body.operation_date,
    updatedAt: body.updated_at,
    contractVersion: body.contract_version,
  });
}

/** Events that come without their order. */
export function toSentEvents(idExternal: string, body: OrderEventsBody): SentEvents {
  return present({
    idExternal,
    events: (body.correction_events ?? []).map(toSentEvent),
    refunds: (body.refunds ?? []).map(toSentRefund),
    updatedAt: body.updated_at,
    contractVersion: body.contract_version,
  });
}

/** An address without members means the same as its absence: the client's own address counts. */
function toDelivery({ country, postcode }: NonNullable<OrderBody["delivery"]>): SentOrder["delivery"] {
  const members = present({ country, postcode });
  return Object.keys(members).length > 0 ? members : undefined;
}

function toSentLine(line: BodyLine): SentLine {
  return present({
    ...productOf(line),
    kind: line.line_kind,
    quantity: line.quantity,
    base: line.base_amount,
    taxRate: line.tax_rate,
    tax: line.tax_amount,
    surchargeRate: line.equivalence_surcharge_rate,
    surcharge: line.equivalence_surcharge_amount,
    ...toLineDetails(line),
  });
}

function toSentDiscount(discount: BodyDiscount): SentDiscount {
  const { code, name, amount, kind, included } = discount;
  const lines = discount.lines ?? [];
  return present({ code, name, amount, kind, included, lines });
}

function toSentUnmappedTotal({ code, title, value, kind }: BodyUnmappedTotal): SentUnmappedTotal {
  return present({ code, title, value, kind });
}

function toTaxTotal(total: BodyTaxTotal): TaxTotal {
  return present({
    rate: total.tax_rate,
    base: total.base_amount,
    tax: total.tax_amount,
    surchargeRate: total.equivalence_surcharge_rate,
    surcharge: total.equivalence_surcharge_amount,
  });
}

function toMissing({ what, where, stated, computed }: BodyMissing): MissingFact {
  return present({ what, where, stated: figureOf(stated), computed: figureOf(computed) });
}

/** A figure in its shortest form, so that 20.00 and 20 are one; text stays as it was sent. */
function figureOf(sent: string | undefined): string | undefined {
  return sent === undefined ? undefined : (decimalFrom(sent) ?? sent);
}

function toSentEvent(event: BodyEvent): SentEvent {
  return present({
    id: event.id_external_event,
    type: event.event_type,
    occurredAt: event.occurred_at,
    reason: event.reason,
    amount: event.amount,
    lines: (event.lines ?? []).map(toSentEventLine),
  });
}

function toSentRefund({ id_external, date, amount, lines }: BodyRefund): SentRefund {
  return present({ id: id_external, date, amount, lines: (lines ?? []).map(toSentRefundLine) });
}

function toSentEventLine(line: BodyEventLine) {
  return present({
    ...productOf(line),
    quantityDelta: line.quantity_delta,
    baseDelta: line.base_delta,
    taxRate: line.tax_rate,
    taxDelta: line.tax_delta,
  });
}

function toSentRefundLine(line: BodyRefundLine) {
  return present({
    ...productOf(line),
    quantity: line.quantity,
    base: line.base_amount,
    taxRate: line.tax_rate,
    tax: line.tax_amount,
  });
}

function productOf(line: Pick<BodyLine, "id_external_product" | "line_id" | "name">) {
  return { productId: line.id_external_product, lineId: line.line_id, name: line.name };
}
