import * as z from "zod";
import { FORMAT_REASONS, FORMATS, type FormatOffer, formatsOf } from "../../domain/einvoice/formats.ts";
import { electronicInvoiceOf } from "../../domain/einvoice/view.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { orderIdOf } from "../../domain/order/order-origin.ts";
import { formatReasonSentence, type Language } from "../../words/words.ts";
import { invoiceAnswer, invoiceMembers } from "./invoice-response.ts";
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

export const issuedAnswer = invoiceAnswer.extend(originAnswer);

/** An invoice by its own id: of an order its external_id is empty. */
export function issuedMembers(view: InvoiceView, include: ReadonlySet<Include>, language: Language) {
  return {
    ...invoiceMembers(view, include, language),
    ...originMembers(view),
    formats: formatMembers(view, language),
  };
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
