import { type Endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { callerOf } from "../middleware/api-key.ts";
import { readExamples } from "../openapi/order-examples.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { jsonResponse } from "../wire/json-response.ts";
import { orderAnswer } from "../wire/order-answers.ts";
import { orderMembers } from "../wire/order-response.ts";
import { externalIdAsSent, externalIdInPath } from "../wire/parameters.ts";

export const getOrder: Endpoint = {
  method: "GET",
  path: "/api/v1/order/{id_external}",
  doc: {
    operationId: "readOrder",
    tag: "Orders",
    summary: "Read what became of an order",
    description: "Its state, the reasons for it, and its invoices with the current state of their records.",
    needsKey: true,
    parameters: ["id_external", "x_request_id", "accept_language"],
    answers: { 200: { description: "The order.", data: orderAnswer, examples: readExamples } },
    errors: [...SHOP_ERRORS, "order_not_found"],
  },
  mount: (app, path) => {
    app.get(path, async (c) => {
      const idExternal = externalIdInPath(c);
      const unknown = () => refuse(c, "order_not_found", { facts: { order_id: externalIdAsSent(c) } });
      if (idExternal === undefined) return unknown();
      const caller = callerOf(c);
      const { deps, language } = c.var;
      const outcome = await deps.connection(caller.connectionId).readOrder(caller, idExternal);
      c.set("d1Trips", outcome.d1Trips);
      switch (outcome.outcome) {
        case "found":
          return jsonResponse(200, { success: true, data: orderMembers(outcome.order, language) });
        case "unknown":
          return unknown();
        case "refused":
          return refuseByRule(c, outcome.refusal);
        default:
          return refuseAtGate(c, outcome);
      }
    });
  },
};
