import { CANCELLATION_REFUSALS } from "../../domain/invoice/refusal.ts";
import { BODY_ERRORS, CONNECTION_ERRORS, endpoint } from "../endpoint.ts";
import { callObject, queryIn } from "../keyed-request.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { invoiceAnswer, invoiceMembers } from "../wire/invoice-response.ts";
import { jsonResponse } from "../wire/json.ts";
import { externalIdAsSent, externalIdInPath } from "../wire/parameters.ts";
import { strictObject, text } from "../wire/values.ts";

const body = strictObject({
  reason: text(500).describe("Why the invoice should never have existed. Kept, not sent to the AEAT."),
});

export const postCancellation = endpoint({
  method: "POST",
  path: "/api/v1/invoice/{external_id}/cancellation",
  name: "CancellationRequest",
  body,
  example: { reason: "The order was a test and nothing was ever sold." },
  doc: {
    operationId: "cancelInvoice",
    tag: "Invoices",
    summary: "Cancel an invoice that should never have existed",
    description:
      "Creates an ANULACION record. Where there was a sale, rectify instead. Repeated, it answers 200 with " +
      "`replayed: true`.",
    needsKey: true,
    parameters: ["external_id", "include", "x_request_id", "accept_language"],
    answers: {
      201: { description: "Cancelled.", data: invoiceAnswer, name: "Invoice", replayed: false },
      200: { description: "It was cancelled before.", data: invoiceAnswer, name: "Invoice", replayed: true },
    },
  },
  errors: [...BODY_ERRORS, ...CONNECTION_ERRORS, ...CANCELLATION_REFUSALS],
  handle: async (c, { reason }) => {
    const externalId = externalIdInPath(c);
    const facts = { external_id: externalIdAsSent(c) };
    if (externalId === undefined) return refuse(c, "invoice_not_found", { facts });
    const cancellation = { externalId, reason };
    const outcome = await callObject(c, (calls, caller) => calls.cancelInvoice(caller, cancellation));
    switch (outcome.outcome) {
      case "cancelled":
      case "replayed": {
        const replayed = outcome.outcome === "replayed";
        const data = invoiceMembers(outcome.invoice, queryIn(c).include, c.get("language"));
        return jsonResponse(replayed ? 200 : 201, { success: true, data, replayed });
      }
      case "refused":
        return refuseByRule(c, outcome.refusal, facts);
      default:
        return refuseAtGate(c, outcome);
    }
  },
});
