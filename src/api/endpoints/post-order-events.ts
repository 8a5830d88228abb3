import { BODY_ERRORS, endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { callObject, queryIn } from "../keyed-request.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { jsonResponse } from "../wire/json.ts";
import { orderEventsBody } from "../wire/order-body.ts";
import { knownExamples, ORDER_EVENTS_EXAMPLE } from "../wire/order-examples.ts";
import { toSentEvents } from "../wire/order-facts.ts";
import { orderAnswer, orderMembers } from "../wire/order-response.ts";
import { externalIdAsSent, externalIdInPath } from "../wire/parameters.ts";

export const postOrderEvents = endpoint({
  method: "POST",
  path: "/api/v1/order/{id_external}/events",
  name: "OrderEventsRequest",
  body: orderEventsBody,
  example: ORDER_EVENTS_EXAMPLE,
  doc: {
    operationId: "submitOrderEvents",
    tag: "Orders",
    summary: "Submit events of a known order",
    description:
      "Decides the stored order with these events, as if it had been sent again with them: netted into an " +
      "invoice to come, rectified after it. An event acts once, and the same events again change nothing. " +
      "An order that is not known keeps nothing of them. Contract 1.9.",
    needsKey: true,
    parameters: ["id_external", "preview", "x_request_id", "accept_language"],
    answers: {
      200: { description: "The order.", data: orderAnswer, name: "Order", examples: knownExamples },
    },
  },
  errors: [
    ...BODY_ERRORS,
    ...SHOP_ERRORS,
    "order_not_found",
    "sync_not_ready",
    "order_erased",
    "document_too_large",
  ],
  handle: async (c, body) => {
    const { preview } = queryIn(c);
    const idExternal = externalIdInPath(c);
    if (idExternal === undefined) {
      return refuse(c, "order_not_found", { facts: { order_id: externalIdAsSent(c) } });
    }
    const submission = { sent: toSentEvents(idExternal, body), preview };
    const outcome = await callObject(c, (calls, caller) => calls.submitEvents(caller, submission));
    switch (outcome.outcome) {
      case "taken": {
        const data = orderMembers(outcome.order, c.var.language);
        return jsonResponse(200, { success: true, data: preview ? { ...data, preview } : data });
      }
      case "refused":
        return refuseByRule(c, outcome.refusal);
      default:
        return refuseAtGate(c, outcome);
    }
  },
});
