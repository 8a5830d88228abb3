import { zValidator } from "@hono/zod-validator";
import { BODY_ERRORS, type Endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { exactJson } from "../exact-json.ts";
import { callerOf } from "../middleware/api-key.ts";
import { AVAILABILITY_ANSWER_EXAMPLE, AVAILABILITY_EXAMPLE } from "../openapi/access-examples.ts";
import { refuseAtGate, refuseByRule } from "../refuse.ts";
import { availabilityAnswer, availabilityBody } from "../wire/access-body.ts";
import { jsonResponse } from "../wire/json-response.ts";
import { refuseShape } from "../wire/problems.ts";

export const postInvoiceAvailability: Endpoint = {
  method: "POST",
  path: "/api/v1/order/invoice-availability",
  doc: {
    operationId: "invoiceAvailability",
    tag: "Customer access",
    summary: "Ask which orders have an invoice to show",
    description:
      "For up to 50 orders, from the shop's server: show the link to the invoice only beside those that " +
      "are available. An order with a document stays available whatever becomes of it later.",
    needsKey: true,
    parameters: ["x_request_id", "accept_language"],
    body: { schema: availabilityBody, example: AVAILABILITY_EXAMPLE },
    answers: {
      200: { description: "Told.", data: availabilityAnswer, example: AVAILABILITY_ANSWER_EXAMPLE },
    },
    errors: [...BODY_ERRORS, ...SHOP_ERRORS],
  },
  mount: (app, path) => {
    app.post(path, exactJson, zValidator("json", availabilityBody, refuseShape), async (c) => {
      const { order_ids: ids } = c.req.valid("json");
      const caller = callerOf(c);
      const outcome = await c.var.deps.connection(caller.connectionId).findAvailable(caller, ids);
      c.set("d1Trips", outcome.d1Trips);
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
    });
  },
};
