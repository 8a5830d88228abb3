import type { TaxTotal } from "../../domain/order/facts.ts";
import type {
  SentDiscount,
  SentEvent,
  SentLine,
  SentRefund,
  SentUnmappedTotal,
} from "../../domain/order/normalize-sent.ts";
import type {
  BodyDiscount,
  BodyEvent,
  BodyEventLine,
  BodyLine,
  BodyRefund,
  BodyRefundLine,
  BodyTaxTotal,
  BodyUnmappedTotal,
} from "./order-parts.ts";
import { present } from "./present.ts";

export function toSentLine(line: BodyLine): SentLine {
  return present({
    ...productOf(line),
    kind: line.line_kind,
    quantity: line.quantity,
    base: line.base_amount,
    taxRate: line.tax_rate,
    tax: line.tax_amount,
    surchargeRate: line.equivalence_surcharge_rate,
    surcharge: line.equivalence_surcharge_amount,
  });
}

export function toSentDiscount(discount: BodyDiscount): SentDiscount {
  const { code, name, amount, kind, included } = discount;
  const lines = discount.lines ?? [];
  return present({ code, name, amount, kind, included, lines });
}

export function toSentUnmappedTotal({ code, title, value, kind }: BodyUnmappedTotal): SentUnmappedTotal {
  return present({ code, title, value, kind });
}

export function toTaxTotal(total: BodyTaxTotal): TaxTotal {
  return present({
    rate: total.tax_rate,
    base: total.base_amount,
    tax: total.tax_amount,
    surchargeRate: total.equivalence_surcharge_rate,
    surcharge: total.equivalence_surcharge_amount,
  });
}

export function toSentEvent(event: BodyEvent): SentEvent {
  return present({
    id: event.id_external_event,
    type: event.event_type,
    occurredAt: event.occurred_at,
    reason: event.reason,
    amount: event.amount,
    lines: (event.lines ?? []).map(toSentEventLine),
  });
}

export function toSentRefund({ id_external, date, amount, lines }: BodyRefund): SentRefund {
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
