import { BODY_ERRORS, endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { callObject, queryIn } from "../keyed-request.ts";
import { refuseAtGate, refuseByRule } from "../refuse.ts";
import { jsonResponse } from "../wire/json.ts";
import { orderBody } from "../wire/order-body.ts";
import { createdExamples, knownExamples, ORDER_EXAMPLE } from "../wire/order-examples.ts";
import { orderAsSent, toSentOrder } from "../wire/order-facts.ts";
import { orderAnswer, orderMembers } from "../wire/order-response.ts";

export const postOrder = endpoint({
  method: "POST",
  path: "/api/v1/order",
  name: "OrderRequest",
  body: orderBody,
  example: ORDER_EXAMPLE,
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
    answers: {
      201: { description: "Not known before.", data: orderAnswer, name: "Order", examples: createdExamples },
      200: {
        description: "Known before, or a preview.",
        data: orderAnswer,
        name: "Order",
        examples: knownExamples,
      },
    },
  },
  errors: [...BODY_ERRORS, ...SHOP_ERRORS, "sync_not_ready", "order_erased", "document_too_large"],
  handle: async (c, body) => {
    const { preview } = queryIn(c);
    const submission = { sent: toSentOrder(body), asSent: orderAsSent(await c.req.json()), preview };
    const outcome = await callObject(c, (calls, caller) => calls.submitOrder(caller, submission));
    switch (outcome.outcome) {
      case "taken": {
        const data = orderMembers(outcome.order, c.get("language"));
        if (preview) return jsonResponse(200, { success: true, data: { ...data, preview } });
        return jsonResponse(outcome.created ? 201 : 200, { success: true, data });
      }
      case "refused":
        return refuseByRule(c, outcome.refusal);
      default:
        return refuseAtGate(c, outcome);
    }
  },
});
