import * as z from "zod";
import type { InvoiceDocument } from "../../domain/invoice/document.ts";
import { PAYMENT_MEANS, type PaymentTerms, termsOf } from "../../domain/invoice/payment-terms.ts";
import { CENTRE_ROLES, type Recipient, type RequestLine } from "../../domain/invoice/request.ts";
import { present } from "./json.ts";

/** Details of the trade as answers state them, in canonical form, next to the functions that make them. */
const date = z.iso.date();

const address = {
  address1: z.string().optional(),
  postcode: z.string().optional(),
  city: z.string().optional(),
};

export const tradeAnswer = {
  rectification_reason: z.string().optional(),
  due_date: date.optional().describe("The request's, or by the company's days to pay."),
  payment: z
    .strictObject({
      means: z.enum(PAYMENT_MEANS).optional(),
      iban: z.string().optional(),
      bic: z.string().optional(),
      reference: z.string().optional(),
      mandate: z.string().optional(),
      paid_on: date.optional(),
    })
    .optional()
    .describe("The request's, or the means of the company's settings at the issue."),
  buyer_reference: z.string().optional(),
  order_reference: z.string().optional(),
  contract_reference: z.string().optional(),
  file_reference: z.string().optional(),
  delivery: z.strictObject({ date: date.optional(), country: z.string().optional(), ...address }).optional(),
  invoicing_period: z.strictObject({ start: date, end: date }).optional(),
};

export function tradeMembers(document: InvoiceDocument) {
  const { request } = document;
  const { dueDate, payment } = termsOf(document);
  return {
    rectification_reason: request.rectificationReason,
    due_date: dueDate,
    payment: payment && paymentMembers(payment),
    buyer_reference: request.buyerReference,
    order_reference: request.orderReference,
    contract_reference: request.contractReference,
    file_reference: request.fileReference,
    delivery: request.delivery,
    invoicing_period: request.invoicingPeriod,
  };
}

function paymentMembers({ paidOn, means, iban, bic, reference, mandate }: PaymentTerms) {
  return present({ means, iban, bic, reference, mandate, paid_on: paidOn });
}

export const recipientDetailsAnswer = {
  email: z.string().optional().describe("In lower case."),
  accepts_electronic: z.boolean().optional(),
  endpoint: z.strictObject({ scheme: z.string(), id: z.string() }).optional(),
  province: z.string().optional(),
  first_name: z.string().optional(),
  surname_1: z.string().optional(),
  surname_2: z.string().optional(),
  administrative_centres: z
    .array(z.strictObject({ role: z.enum(CENTRE_ROLES), code: z.string(), ...address }))
    .optional(),
};

export function recipientDetails(recipient: Recipient) {
  return {
    email: recipient.email,
    accepts_electronic: recipient.acceptsElectronic,
    endpoint: recipient.endpoint,
    province: recipient.province,
    first_name: recipient.firstName,
    surname_1: recipient.surname1,
    surname_2: recipient.surname2,
    administrative_centres: recipient.administrativeCentres,
  };
}

export const lineDetailsAnswer = { unit: z.string().optional(), item_code: z.string().optional() };

export function lineDetails({ unit, itemCode }: RequestLine) {
  return { unit, item_code: itemCode };
}
