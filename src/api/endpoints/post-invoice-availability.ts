import * as z from "zod";
import { BODY_ERRORS, endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { callObject } from "../keyed-request.ts";
import { refuseAtGate, refuseByRule } from "../refuse.ts";
import { jsonResponse } from "../wire/json.ts";
import { idText, members } from "../wire/order-values.ts";
import { list } from "../wire/values.ts";

const MOST_ORDERS = 50;

const body = members({
  order_ids: list(idText(), MOST_ORDERS, 1).describe("Identifiers of orders, as sent in id_external."),
});

export const answer = z.strictObject({
  items: z
    .array(z.strictObject({ order_id: z.string(), state: z.enum(["available", "not_available"]) }))
    .describe("In the order asked. not_available also for unknown orders, and while access is off."),
});

export const postInvoiceAvailability = endpoint({
  method: "POST",
  path: "/api/v1/order/invoice-availability",
  name: "AvailabilityRequest",
  body,
  example: { order_ids: ["5001", "5002"] },
  doc: {
    operationId: "invoiceAvailability",
    tag: "Customer access",
    summary: "Ask which orders have an invoice to show",
    description:
      "For up to 50 orders, from the shop's server: show the link to the invoice only beside those that " +
      "are available. An order with a document stays available whatever becomes of it later.",
    needsKey: true,
    parameters: ["x_request_id", "accept_language"],
    answers: {
      200: {
        description: "Told.",
        data: answer,
        name: "Availability",
        example: {
          items: [
            { order_id: "5001", state: "available" },
            { order_id: "5002", state: "not_available" },
          ],
        },
      },
    },
  },
  errors: [...BODY_ERRORS, ...SHOP_ERRORS],
  handle: async (c, { order_ids: ids }) => {
    const outcome = await callObject(c, (calls, caller) => calls.findAvailable(caller, ids));
    switch (outcome.outcome) {
      case "found": {
        const available = new Set(outcome.available);
        const items = ids.map((id) => ({
          order_id: id,
          state: available.has(id) ? "available" : "not_available",
        }));
        return jsonResponse(200, { success: true, data: { items } });
      }
      case "refused":
        return refuseByRule(c, outcome.refusal);
      default:
        return refuseAtGate(c, outcome);
    }
  },
});
