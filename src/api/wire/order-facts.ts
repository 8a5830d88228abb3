import { type NormalizedOrder, normalizeOrder } from "../../domain/order/normalize-order.ts";
import type { SentOrder } from "../../domain/order/normalize-sent.ts";
import type { TimeZone } from "../../domain/shared/instant.ts";
import { JsonNumber } from "../exact-number.ts";
import { toClientFacts } from "./client-members.ts";
import type { OrderBody } from "./order-body.ts";
import {
  toSentDiscount,
  toSentEvent,
  toSentLine,
  toSentRefund,
  toSentUnmappedTotal,
  toTaxTotal,
} from "./order-part-facts.ts";
import { present } from "./present.ts";

export interface ReadOrder extends NormalizedOrder {
  /** JSON text of the order as sent, unknown members and every digit included. */
  readonly raw: string;
}

/** An order whose issuer's zone is known; `sent` is the tree that the body was read from. */
export function toOrderFacts(
  body: OrderBody,
  { timeZone, sent }: { timeZone: TimeZone; sent: unknown },
): ReadOrder {
  return { ...normalizeOrder(toSentOrder(body), timeZone), raw: orderAsSent(sent) };
}

/** JSON of what was read, its numbers digit by digit. It is never longer than the body was. */
export function orderAsSent(sent: unknown): string {
  return JSON.stringify(sent, (_, value) =>
    value instanceof JsonNumber ? JSON.rawJSON(value.source) : value,
  );
}

/** The wire in domain terms: absent members absent, empty lists for none. */
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
    breakdown: body.breakdown.map(toSentLine),
    discounts: (body.discounts ?? []).map(toSentDiscount),
    unmappedTotals: (body.unmapped_totals ?? []).map(toSentUnmappedTotal),
    taxTotals: (body.tax_totals ?? []).map(toTaxTotal),
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

/** An address without members says what its absence says: the client's own counts. */
function toDelivery({ country, postcode }: NonNullable<OrderBody["delivery"]>): SentOrder["delivery"] {
  const members = present({ country, postcode });
  return Object.keys(members).length > 0 ? members : undefined;
}
