import * as z from "zod";
import { FORMAT_REASONS, FORMATS, type FormatOffer, formatsOf } from "../../domain/einvoice/formats.ts";
import { electronicInvoiceOf } from "../../domain/einvoice/view.ts";
import { type InvoiceView, newestRegistration } from "../../domain/invoice/invoice-view.ts";
import { deliveryMembers, type InvoiceDelivery } from "../../domain/mailing/invoice-delivery.ts";
import { orderIdOf } from "../../domain/order/order-origin.ts";
import { formatReasonSentence, type Language } from "../../words/words.ts";
import { RECORD_STATES } from "./answers.ts";
import { deliveryAnswer } from "./delivery-response.ts";
import { invoiceAnswer, invoiceMembers, recipientAnswer, summaryMembers } from "./invoice-response.ts";
import { present } from "./json.ts";
import type { Include } from "./parameters.ts";

const formatAnswer = z.strictObject({
  format: z.enum(FORMATS),
  available: z.boolean(),
  reasons: z
    .array(z.strictObject({ code: z.enum(FORMAT_REASONS), message: z.string() }))
    .describe("Why the format cannot say this invoice, and the way out; empty if it can."),
});

/** The origin of an invoice, as every list and answer of invoices tells it. */
export const originAnswer = {
  origin: z.enum(["direct", "order"]),
  order_id: z.string().nullable().describe("The id_external of its order; null of a direct invoice."),
  formats: z.array(formatAnswer),
};

export const issuedAnswer = invoiceAnswer.extend({
  ...originAnswer,
  deliveries: z.array(deliveryAnswer).describe("Mails with this invoice, oldest first; the last hundred."),
});

/** An invoice by its own id: of an order its external_id is empty. */
export function issuedMembers(
  { view, deliveries }: { readonly view: InvoiceView; readonly deliveries: readonly InvoiceDelivery[] },
  include: ReadonlySet<Include>,
  language: Language,
) {
  return {
    ...invoiceMembers(view, include, language),
    ...originMembers(view),
    formats: formatMembers(view, language),
    deliveries: deliveries.map(deliveryMembers),
  };
}

const { series, number, full_number, invoice_type, documentary_regime, test, ...rest } = invoiceAnswer.shape;
const { issue_date, operation_date, currency, totals, totals_eur, cancelled } = rest;
const { company, vat_number, country } = recipientAnswer.shape;

/** An invoice in a list: what tells it from others and says where it stands. */
export const listedInvoiceAnswer = z.strictObject({
  invoice_id: z.string(),
  origin: originAnswer.origin,
  external_id: z.string().nullable().describe("null of an invoice of an order."),
  order_id: originAnswer.order_id,
  ...{ series, number, full_number, invoice_type, documentary_regime, test },
  ...{ issue_date, operation_date, currency, totals, totals_eur },
  recipient: z.strictObject({ company, vat_number, country }).nullable(),
  state: z
    .enum([...RECORD_STATES, "cancelled"])
    .describe("Of its newest registration; cancelled once it was annulled."),
  cancelled,
  formats: originAnswer.formats,
});

export function listedInvoiceMembers(view: InvoiceView, language: Language) {
  const { externalId, series, number, fullNumber, document } = view;
  const { recipient } = document.request;
  return present({
    invoice_id: view.invoiceId,
    ...originMembers(view),
    external_id: externalId === "" ? null : externalId,
    ...{ series, number, full_number: fullNumber },
    ...summaryMembers(view),
    recipient: recipient
      ? present({ company: recipient.company, vat_number: recipient.vatNumber, country: recipient.country })
      : null,
    state: view.cancellation ? "cancelled" : newestRegistration(view).state,
    cancelled: view.cancellation !== undefined,
    formats: formatMembers(view, language),
  });
}

export function originMembers({ origin }: InvoiceView) {
  const orderId = orderIdOf(origin);
  return { origin: orderId === undefined ? "direct" : "order", order_id: orderId ?? null };
}

export function formatMembers(view: InvoiceView, language: Language) {
  return formatsOf(electronicInvoiceOf(view)).map(({ format, available, reasons }: FormatOffer) => ({
    format,
    available,
    reasons: reasons.map((code) => ({ code, message: formatReasonSentence(code, language) })),
  }));
}
