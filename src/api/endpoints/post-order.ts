import { zValidator } from "@hono/zod-validator";
import { BODY_ERRORS, type Endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { exactJson } from "../exact-json.ts";
import { callerOf } from "../middleware/api-key.ts";
import { queryIn } from "../middleware/api-query.ts";
import { createdExamples, knownExamples, ORDER_EXAMPLE } from "../openapi/order-examples.ts";
import { refuseAtGate, refuseByRule } from "../refuse.ts";
import { jsonResponse } from "../wire/json-response.ts";
import { orderAnswer } from "../wire/order-answers.ts";
import { orderBody } from "../wire/order-body.ts";
import { orderAsSent, toSentOrder } from "../wire/order-facts.ts";
import { orderMembers } from "../wire/order-response.ts";
import { refuseShape } from "../wire/problems.ts";

export const postOrder: Endpoint = {
  method: "POST",
  path: "/api/v1/order",
  doc: {
    operationId: "submitOrder",
    tag: "Orders",
    summary: "Submit an order",
    description:
      "Tells the facts of an order; the service decides whether an invoice is issued, rectified, or waits " +
      "for the owner. The same order again changes nothing and issues nothing. Send it again whenever " +
      "something of it changes: corrections come as events, each with an id of its own, and act once. " +
      "Members that are not listed are kept with the order, never refused. Waits until the owner has " +
      "completed step 2 of the setup.",
    needsKey: true,
    parameters: ["preview", "x_request_id", "accept_language"],
    body: { schema: orderBody, example: ORDER_EXAMPLE },
    answers: {
      201: { description: "Not known before.", data: orderAnswer, examples: createdExamples },
      200: { description: "Known before, or a preview.", data: orderAnswer, examples: knownExamples },
    },
    errors: [...BODY_ERRORS, ...SHOP_ERRORS, "sync_not_ready", "order_erased", "document_too_large"],
  },
  mount: (app, path) => {
    app.post(path, exactJson, zValidator("json", orderBody, refuseShape), async (c) => {
      const { preview } = queryIn(c);
      const sent = toSentOrder(c.req.valid("json"));
      const asSent = orderAsSent(await c.req.json());
      const caller = callerOf(c);
      const { deps, language } = c.var;
      const connection = deps.connection(caller.connectionId);
      const outcome = await connection.submitOrder(caller, { sent, asSent, preview });
      c.set("d1Trips", outcome.d1Trips);
      switch (outcome.outcome) {
        case "taken": {
          const data = orderMembers(outcome.order, language);
          if (preview) return jsonResponse(200, { success: true, data: { ...data, preview } });
          return jsonResponse(outcome.created ? 201 : 200, { success: true, data });
        }
        case "refused":
          return refuseByRule(c, outcome.refusal);
        default:
          return refuseAtGate(c, outcome);
      }
    });
  },
};
