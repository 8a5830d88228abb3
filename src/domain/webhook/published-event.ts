import type { Totals } from "../invoice/document.ts";
import { externalIdOf } from "../invoice/origin.ts";
import { deliveryMembers, type InvoiceDelivery, maskedAddress } from "../mailing/invoice-delivery.ts";
import { orderIdOf, orderOriginOf } from "../order/order-origin.ts";
import { currencyDecimals } from "../shared/currency.ts";
import { exactNumber, round } from "../shared/decimal.ts";
import type { Instant } from "../shared/instant.ts";
import { invariant } from "../shared/result.ts";
import { type RecordContent, recordId } from "../verifactu/record.ts";
import type { RecordChange } from "../verifactu/submission/settle.ts";
import { type DeliveredEvent, TEST_EVENT } from "./event.ts";

/** An event as published: ids, numbers, sums, states and codes, without personal data. */
export interface PublishedEvent {
  readonly event: DeliveredEvent;
  /** The subject and its version: each endpoint gets every subject once. */
  readonly subject: string;
  readonly happenedAt: Instant;
  readonly data: object;
}

/** The members common to all invoice events. */
export interface NamedInvoice {
  readonly invoiceId: string;
  readonly origin: string;
  readonly series: string;
  readonly number: number;
  readonly fullNumber: string;
  readonly invoiceType: string;
  readonly issueDate: string;
  /** A test is no invoice. */
  readonly test?: true;
}

interface RecordPlace {
  readonly installationId: string;
  readonly position: number;
}

export interface IssuedFact extends RecordPlace {
  readonly hash: string;
  readonly generatedAt: Instant;
  readonly invoice: NamedInvoice & {
    readonly currency: string;
    readonly totals: Totals;
    readonly totalsEur: Totals;
  };
}

export interface ChangedFact extends RecordPlace, Pick<RecordChange, "code" | "hold"> {
  readonly changedSeq: number;
  readonly kind: RecordContent["kind"];
  readonly state: "accepted" | "accepted_with_errors" | "rejected";
  /** The record's own origin: that of its invoice, of an amendment or of a cancellation. */
  readonly origin: string;
  readonly invoice: NamedInvoice;
}

export interface HeldFact {
  readonly idExternal: string;
  readonly heldSeq: number;
  readonly changedAt: Instant;
  /** Codes, in the order of the ladder. */
  readonly reasons: readonly string[];
}

/** An invoice that got its number and, where it is the invoice of an order, that the order has it now. */
export function eventsOfIssued(connectionId: string, fact: IssuedFact): readonly PublishedEvent[] {
  const { invoice, position, hash, generatedAt: happenedAt } = fact;
  const record = { record_id: recordId(fact.installationId, position), kind: "ALTA", position, hash };
  const members = { ...namedMembers(invoice), ...sums(invoice) };
  const issued = { connection_id: connectionId, ...members, record };
  const subject = invoice.invoiceId;
  const origin = orderOriginOf(invoice.origin);
  return [
    { event: "invoice.issued", subject, happenedAt, data: issued },
    ...(origin?.of === "order"
      ? [
          {
            event: "order.invoiced",
            subject,
            happenedAt,
            data: { connection_id: connectionId, id_external: origin.idExternal, invoice: members },
          } as const,
        ]
      : []),
  ];
}

/** The record does not store the time of the answer: the event carries the time of detection. */
export function eventOfChange(connectionId: string, fact: ChangedFact, noticedAt: Instant): PublishedEvent {
  const { kind, position, state, code, hold, origin } = fact;
  const id = recordId(fact.installationId, position);
  return {
    event: `record.${state}`,
    subject: id,
    happenedAt: noticedAt,
    data: {
      connection_id: connectionId,
      record: { record_id: id, kind, position, state, amends: isAmendment(origin) },
      code: code ?? null,
      hold: hold ?? null,
      invoice: namedMembers(fact.invoice),
    },
  };
}

export function eventOfHold(connectionId: string, fact: HeldFact): PublishedEvent {
  const { idExternal, heldSeq, changedAt, reasons } = fact;
  return {
    event: "order.held",
    // The number comes first, so that no order name can make two subjects equal.
    subject: `${heldSeq}:${idExternal}`,
    happenedAt: changedAt,
    data: {
      connection_id: connectionId,
      id_external: idExternal,
      state: "held",
      reasons: reasons.map((code) => ({ code })),
    },
  };
}

/** The mail service took the mail, or will not; the address is masked, as no event has personal data. */
export function eventOfMail(
  connectionId: string,
  delivery: InvoiceDelivery,
  settledAt: Instant,
): PublishedEvent {
  const masked = { ...delivery, to: maskedAddress(delivery.to) };
  return {
    event: delivery.state === "sent" ? "invoice.emailed" : "invoice.email_failed",
    subject: delivery.id,
    happenedAt: settledAt,
    data: { connection_id: connectionId, ...deliveryMembers(masked) },
  };
}

export function eventOfTest(
  connectionId: string,
  test: { readonly endpointId: string; readonly deliveryId: string; readonly at: Instant },
): PublishedEvent {
  return {
    event: TEST_EVENT,
    subject: test.deliveryId,
    happenedAt: test.at,
    data: { connection_id: connectionId, webhook_id: test.endpointId },
  };
}

function namedMembers(invoice: NamedInvoice) {
  const { origin, number, series } = invoice;
  return {
    invoice_id: invoice.invoiceId,
    external_id: externalIdOf(origin) || null,
    order_id: orderIdOf(origin) ?? null,
    series,
    number,
    full_number: invoice.fullNumber,
    invoice_type: invoice.invoiceType,
    issue_date: invoice.issueDate,
    ...(invoice.test ? { test: true } : {}),
  };
}

function sums({ currency, totals, totalsEur }: IssuedFact["invoice"]) {
  return { currency, totals: totalsIn(currency, totals), totals_eur: totalsIn("EUR", totalsEur) };
}

function totalsIn(currency: string, { base, tax, surcharge, total }: Totals) {
  const decimals = currencyDecimals(currency);
  invariant(decimals !== undefined, "an issued invoice has a known currency");
  const amount = (value: Totals["total"]) => exactNumber(round(value, decimals));
  return { base: amount(base), tax: amount(tax), surcharge: amount(surcharge), total: amount(total) };
}

function isAmendment(origin: string): boolean {
  return origin.startsWith("amend:");
}
