import * as z from "zod";
import { MAILING_REFUSALS } from "../../domain/mailing/decide-mailing.ts";
import {
  deliveryMembers,
  type InvoiceDelivery,
  MAIL_LANGUAGES,
  MAILED_FORMATS,
  mailedFormats,
} from "../../domain/mailing/invoice-delivery.ts";
import { BODY_ERRORS, CONNECTION_ERRORS, endpoint } from "../endpoint.ts";
import { refuseFormat } from "../invoice-files.ts";
import { callObject } from "../keyed-request.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { deliveryAnswer } from "../wire/delivery-response.ts";
import { jsonResponse } from "../wire/json.ts";
import { invoiceIdInPath } from "../wire/parameters.ts";
import { email } from "../wire/trade-values.ts";
import { list, optional, strictObject } from "../wire/values.ts";

const body = strictObject({
  to: optional(email).describe(
    "At most 254 characters, kept in lower case. Absent: the recipient’s e-mail, of an order its client’s.",
  ),
  language: optional(z.enum(MAIL_LANGUAGES)).describe("Of the mail and its PDF. Default es."),
  formats: optional(list(z.enum(MAILED_FORMATS), MAILED_FORMATS.length)).describe(
    "Attached files. The PDF is always among them, and alone by default.",
  ),
  resend: optional(z.boolean()).describe(
    "True sends it again to an address that has it. While a mail to the address is queued, no second one is.",
  ),
});

const EXAMPLE: InvoiceDelivery = {
  id: "de000000000000000042",
  invoiceId: "in000000000000000042",
  ...({ channel: "email", to: "compras@cliente.example", language: "es", cause: "call" } as const),
  ...({ formats: ["pdf", "ubl"], state: "queued", attempts: 0 } as const),
  queuedAt: Date.parse("2026-11-27T10:15:30+01:00"),
};

const named = { data: deliveryAnswer, name: "Delivery", example: deliveryMembers(EXAMPLE) };

export const postInvoiceEmail = endpoint({
  method: "POST",
  path: "/api/v1/invoices/{invoice_id}/email",
  name: "EmailRequest",
  body,
  example: { to: "compras@cliente.example", language: "es", formats: ["pdf", "ubl"] },
  doc: {
    operationId: "emailInvoice",
    tag: "Invoices",
    summary: "Send an invoice to its customer by e-mail",
    description:
      "Any invoice of the connection, those of orders included. The mail is queued and sent in the " +
      "background; read the invoice, or subscribe to invoice.emailed and invoice.email_failed, to see what " +
      "came of it. Invoice and address are the key: the same again answers 200 with `replayed: true` and " +
      "the delivery that there is, unless that one has failed. At most 60 new mails a minute and 2,000 a " +
      "day and connection.",
    needsKey: true,
    parameters: ["invoice_id", "x_request_id", "accept_language"],
    answers: {
      202: { description: "Queued.", ...named, replayed: false },
      200: { description: "The address has this delivery already.", ...named, replayed: true },
    },
  },
  errors: [
    ...BODY_ERRORS,
    ...CONNECTION_ERRORS,
    "invoice_not_found",
    "format_cannot_express",
    ...MAILING_REFUSALS,
  ],
  handle: async (c, { to, language = "es", formats = [], resend = false }) => {
    const facts = { external_id: c.req.path.split("/")[4] ?? "" };
    const invoiceId = invoiceIdInPath(c);
    if (invoiceId === undefined) return refuse(c, "invoice_not_found", { facts });
    const request = {
      ...{ invoiceId, language, resend, formats: mailedFormats(formats) },
      ...(to === undefined ? {} : { to }),
    };
    const outcome = await callObject(c, (calls, caller) => calls.emailInvoice(caller, request));
    switch (outcome.outcome) {
      case "queued":
      case "replayed": {
        const replayed = outcome.outcome === "replayed";
        const data = deliveryMembers(outcome.delivery);
        return jsonResponse(replayed ? 200 : 202, { success: true, data, replayed });
      }
      case "refused":
        return refuseByRule(c, outcome.refusal, facts);
      case "cannot_express":
        return refuseFormat(c, outcome.format, outcome.reasons);
      case "unknown":
        return refuse(c, "invoice_not_found", { facts });
      default:
        return refuseAtGate(c, outcome);
    }
  },
});
