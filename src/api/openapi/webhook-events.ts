import * as z from "zod";
import { INVOICE_TYPES } from "../../domain/invoice/request.ts";
import type { InvoiceDelivery } from "../../domain/mailing/invoice-delivery.ts";
import { ORDER_REASONS } from "../../domain/order/reasons.ts";
import { decimal } from "../../domain/shared/decimal.ts";
import { invariant } from "../../domain/shared/result.ts";
import { type DeliveredEvent, TEST_EVENT } from "../../domain/webhook/event.ts";
import {
  type ChangedFact,
  eventOfChange,
  eventOfHold,
  eventOfMail,
  eventOfTest,
  eventsOfIssued,
  type PublishedEvent,
} from "../../domain/webhook/published-event.ts";
import { amountAnswer, testAnswer } from "../wire/answers.ts";
import { deliveryAnswer } from "../wire/delivery-response.ts";

/** One event as the documentation states it. Tests check every body against these schemas. */
interface WebhookEventDoc {
  readonly summary: string;
  /** When it is sent. */
  readonly description: string;
  readonly data: z.ZodType;
  /** Made by the code for real events. */
  readonly example: PublishedEvent;
}

const connectionId = z.string().describe("The connection that it happened in.");

const totals = z.strictObject({
  base: amountAnswer,
  tax: amountAnswer,
  surcharge: amountAnswer,
  total: amountAnswer,
});

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

const invoiceIssued = invoiceWithSums.extend({
  connection_id: connectionId,
  record: z.strictObject({
    record_id: recordId,
    kind: z.literal("ALTA"),
    position,
    hash: z.string().describe("Huella of the record, SHA-256 in upper-case hex."),
  }),
});

function recordChanged(state: "accepted" | "accepted_with_errors" | "rejected") {
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

const orderHeld = z.strictObject({
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

function mailed(state: "sent" | "failed") {
  return deliveryAnswer.extend({
    connection_id: connectionId,
    to: z.string().describe("Masked, such as m***@c***.es."),
    state: z.literal(state),
  });
}

const webhookTest = z.strictObject({
  connection_id: connectionId,
  webhook_id: z.string().describe("The webhook that was tested."),
});

const CONNECTION = "cn000000000000000042";
export const EXAMPLE_ID = "msg_000000000000000000000000042";
export const EXAMPLE_AT = Date.parse("2026-11-27T10:15:30+01:00");

const TOTALS = {
  base: decimal("106.4"),
  tax: decimal("22.34"),
  surcharge: decimal("0"),
  total: decimal("128.74"),
};

const INVOICE = {
  invoiceId: "in000000000000000042",
  origin: "direct:order-1001",
  series: "API-1-2026",
  number: 42,
  fullNumber: "API-1-2026-000042",
  invoiceType: "F1",
  issueDate: "2026-11-27",
  currency: "EUR",
  totals: TOTALS,
  totalsEur: TOTALS,
};

const RECORD = { installationId: "is000000000000000042", position: 42 };
const ISSUED = { ...RECORD, hash: "A".repeat(64), generatedAt: EXAMPLE_AT };

export const WEBHOOK_DOCS: Readonly<Record<DeliveredEvent, WebhookEventDoc>> = {
  "invoice.issued": {
    summary: "An invoice was issued",
    description:
      "It has its number and its record stands in the chain. Rectifying invoices and the invoices of " +
      "orders are told too; amendments and cancellations of records are not. What is no invoice but a test " +
      "says so by test.",
    data: invoiceIssued,
    example: exampleOfIssue("invoice.issued", INVOICE.origin),
  },
  "record.accepted": {
    summary: "The AEAT accepted a record",
    description: "Of an invoice, of its amendment or of its cancellation.",
    data: recordChanged("accepted"),
    example: exampleOfChange("accepted"),
  },
  "record.accepted_with_errors": {
    summary: "The AEAT accepted a record with errors",
    description: "It counts, and should be amended; `code` says what is wrong.",
    data: recordChanged("accepted_with_errors"),
    example: exampleOfChange("accepted_with_errors", 2001),
  },
  "record.rejected": {
    summary: "The AEAT rejected a record",
    description:
      "It does not count; `code` says why. The owner of the connection sees the AEAT's words and what can " +
      "be done.",
    data: recordChanged("rejected"),
    example: exampleOfChange("rejected", 1110),
  },
  "order.held": {
    summary: "An order waits for its owner",
    description: "Told while it still waits. An order that comes to wait for other reasons is told again.",
    data: orderHeld,
    example: eventOfHold(CONNECTION, {
      idExternal: "5001",
      heldSeq: 12,
      changedAt: EXAMPLE_AT,
      reasons: ["recipient_incomplete"],
    }),
  },
  "order.invoiced": {
    summary: "An order got its invoice",
    description:
      "Its first one, and the new one of an order that came back after it was cancelled; invoice.issued " +
      "tells of the same invoice and of those that correct it.",
    data: orderInvoiced,
    example: exampleOfIssue("order.invoiced", "order:5001"),
  },
  "invoice.emailed": {
    summary: "An invoice went out by e-mail",
    description:
      "The mail service took it; whether it arrived is not known. The address is masked: the invoice's " +
      "`deliveries` have it whole.",
    data: mailed("sent"),
    example: exampleOfMail({ state: "sent", sentAt: EXAMPLE_AT }),
  },
  "invoice.email_failed": {
    summary: "An invoice could not be sent by e-mail",
    description:
      "The address was refused, the mail service took it in none of its attempts, or something ended the " +
      "delivery before; `error` says which. It is not tried again: send it anew.",
    data: mailed("failed"),
    example: exampleOfMail({ state: "failed", error: "address_refused" }),
  },
  [TEST_EVENT]: {
    summary: "A test",
    description: "Sent when the owner asks for it; every webhook gets it, whatever it has chosen.",
    data: webhookTest,
    example: eventOfTest(CONNECTION, {
      endpointId: "wh000000000000000042",
      deliveryId: EXAMPLE_ID,
      at: EXAMPLE_AT,
    }),
  },
};

/** The body of one event as the receiver gets it. */
export function webhookBody(type: DeliveredEvent) {
  return z.strictObject({
    type: z.literal(type),
    timestamp: z.iso
      .datetime()
      .describe("When it happened; of a state of a record, when this service learned of it. UTC."),
    data: WEBHOOK_DOCS[type].data,
  });
}

function exampleOfIssue(event: DeliveredEvent, origin: string): PublishedEvent {
  const events = eventsOfIssued(CONNECTION, { ...ISSUED, invoice: { ...INVOICE, origin } });
  const example = events.find((one) => one.event === event);
  invariant(example, "an issued invoice has this event");
  return example;
}

function exampleOfMail(settled: Pick<InvoiceDelivery, "state" | "sentAt" | "error">): PublishedEvent {
  const delivery: InvoiceDelivery = {
    ...({ id: "de000000000000000042", invoiceId: INVOICE.invoiceId, channel: "email" } as const),
    ...({ to: "compras@cliente.example", language: "es", formats: ["pdf"], cause: "call" } as const),
    ...{ attempts: 1, queuedAt: EXAMPLE_AT, ...settled },
  };
  return eventOfMail(CONNECTION, delivery, EXAMPLE_AT);
}

function exampleOfChange(state: ChangedFact["state"], code?: number): PublishedEvent {
  const fact: ChangedFact = {
    ...RECORD,
    changedSeq: 7,
    kind: "ALTA",
    state,
    origin: INVOICE.origin,
    invoice: INVOICE,
    ...(code === undefined ? {} : { code }),
  };
  return eventOfChange(CONNECTION, fact, EXAMPLE_AT);
}
