import { endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { callObject } from "../keyed-request.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { jsonResponse } from "../wire/json.ts";
import { readExamples } from "../wire/order-examples.ts";
import { orderAnswer, orderMembers } from "../wire/order-response.ts";
import { externalIdAsSent, externalIdInPath } from "../wire/parameters.ts";

export const getOrder = endpoint({
  method: "GET",
  path: "/api/v1/order/{id_external}",
  doc: {
    operationId: "readOrder",
    tag: "Orders",
    summary: "Read what became of an order",
    description: "Its state, the reasons for it, and its invoices with the current state of their records.",
    needsKey: true,
    parameters: ["id_external", "x_request_id", "accept_language"],
    answers: { 200: { description: "The order.", data: orderAnswer, name: "Order", examples: readExamples } },
  },
  errors: [...SHOP_ERRORS, "order_not_found"],
  handle: async (c) => {
    const idExternal = externalIdInPath(c);
    const unknown = () => refuse(c, "order_not_found", { facts: { order_id: externalIdAsSent(c) } });
    if (idExternal === undefined) return unknown();
    const outcome = await callObject(c, (calls, caller) => calls.readOrder(caller, idExternal));
    switch (outcome.outcome) {
      case "found":
        return jsonResponse(200, { success: true, data: orderMembers(outcome.order, c.get("language")) });
      case "unknown":
        return unknown();
      case "refused":
        return refuseByRule(c, outcome.refusal);
      default:
        return refuseAtGate(c, outcome);
    }
  },
});
