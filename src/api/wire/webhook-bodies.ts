import * as z from "zod";
import { INVOICE_TYPES } from "../../domain/invoice/request.ts";
import { ORDER_REASONS } from "../../domain/order/reasons.ts";
import { TEST_EVENT, type ToldEvent } from "../../domain/webhook/event.ts";
import { amount, testAnswer } from "./answers.ts";

/** Bodies of webhooks as the documentation states them. Tests check every body against these. */
const connectionId = z.string().describe("The connection that it happened in.");

const totals = z.strictObject({ base: amount, tax: amount, surcharge: amount, total: amount });

const namedInvoice = z.strictObject({
  invoice_id: z.string(),
  external_id: z.string().nullable().describe("Of a direct invoice; null for one of an order."),
  order_id: z.string().nullable().describe("id_external of its order; null for a direct invoice."),
  series: z.string(),
  number: z.int().min(1),
  full_number: z.string().describe("Series and number in one."),
  invoice_type: z.enum(INVOICE_TYPES),
  issue_date: z.iso.date(),
  test: testAnswer,
});

const invoiceWithSums = namedInvoice.extend({
  currency: z.string(),
  totals: totals.describe("In the currency of the invoice."),
  totals_eur: totals,
});

const recordId = z.string().describe("The record_id of the answers.");
const position = z.int().min(1).describe("Place in the chain of the connection.");

const issued = invoiceWithSums.extend({
  connection_id: connectionId,
  record: z.strictObject({
    record_id: recordId,
    kind: z.literal("ALTA"),
    position,
    hash: z.string().describe("Huella of the record, SHA-256 in upper-case hex."),
  }),
});

function changed(state: "accepted" | "accepted_with_errors" | "rejected") {
  return z.strictObject({
    connection_id: connectionId,
    record: z.strictObject({
      record_id: recordId,
      kind: z.enum(["ALTA", "ANULACION"]),
      position,
      state: z.literal(state),
      amends: z.boolean().describe("It corrects an earlier record of the same invoice (subsanación)."),
    }),
    code: z.int().nullable().describe("The AEAT's code of what is wrong; null where it has said none."),
    hold: z
      .enum(["foreign_duplicate"])
      .nullable()
      .describe("Why a person has to look before anything is corrected; null where nobody has to."),
    invoice: namedInvoice,
  });
}

const held = z.strictObject({
  connection_id: connectionId,
  id_external: z.string().describe("The order, as it was sent."),
  state: z.literal("held"),
  reasons: z
    .array(z.strictObject({ code: z.string().meta({ enum: ORDER_REASONS.map(({ code }) => code) }) }))
    .describe("What it waits for; GET /api/v1/order/{id_external} tells each in words."),
});

const orderInvoiced = z.strictObject({
  connection_id: connectionId,
  id_external: z.string().describe("The order, as it was sent."),
  invoice: invoiceWithSums,
});

const test = z.strictObject({
  connection_id: connectionId,
  webhook_id: z.string().describe("The webhook that was tested."),
});

export const WEBHOOK_BODIES = {
  "invoice.issued": told("invoice.issued", issued),
  "record.accepted": told("record.accepted", changed("accepted")),
  "record.accepted_with_errors": told("record.accepted_with_errors", changed("accepted_with_errors")),
  "record.rejected": told("record.rejected", changed("rejected")),
  "order.held": told("order.held", held),
  "order.invoiced": told("order.invoiced", orderInvoiced),
  [TEST_EVENT]: told(TEST_EVENT, test),
} as const satisfies Readonly<Record<ToldEvent, z.ZodType>>;

function told<Data extends z.ZodType>(type: ToldEvent, data: Data) {
  return z.strictObject({
    type: z.literal(type),
    timestamp: z.iso
      .datetime()
      .describe("When it happened; of a state of a record, when this service learned of it. UTC."),
    data,
  });
}
