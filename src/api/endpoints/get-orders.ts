import * as z from "zod";
import { ORDER_STATES } from "../../domain/order/decision.ts";
import { endpoint, SHOP_ERRORS } from "../endpoint.ts";
import { callerOf, callObject } from "../keyed-request.ts";
import { refuseAtGate, refuseByRule } from "../refuse.ts";
import { jsonResponse, present } from "../wire/json.ts";
import { nextCursorAnswer, orderCursor, orderListQuery, refuseForeignCursor } from "../wire/lists.ts";
import { listExample } from "../wire/order-examples.ts";
import { listedOrderAnswer, listedOrderMembers } from "../wire/order-response.ts";

const answer = z.strictObject({ items: z.array(listedOrderAnswer), next_cursor: nextCursorAnswer });

export const getOrders = endpoint({
  method: "GET",
  path: "/api/v1/orders",
  query: orderListQuery,
  doc: {
    operationId: "listOrders",
    tag: "Orders",
    summary: "List the orders of the connection",
    description:
      "Last changed first, each as reading it answers, without the sentences. An order that changes while " +
      "the list is read moves to its beginning: ask again with updated_since for what has changed. Answers " +
      "of the AEAT change invoices and not their order.",
    needsKey: true,
    parameters: ["cursor", "order_state", "updated_since", "limit", "x_request_id", "accept_language"],
    answers: { 200: { description: "A page.", data: answer, name: "OrderList", examples: listExample } },
  },
  errors: [...SHOP_ERRORS],
  handle: async (c, { cursor, state, updated_since: changedSince, limit }) => {
    const { connectionId } = callerOf(c);
    const foreign = refuseForeignCursor(c, cursor, connectionId);
    if (foreign) return foreign;
    const query = present({ place: cursor?.place, states: state ?? ORDER_STATES, changedSince, limit });
    const outcome = await callObject(c, (calls, caller) => calls.listOrders(caller, query));
    switch (outcome.outcome) {
      case "found": {
        const { orders, next } = outcome;
        const data = {
          items: orders.map(listedOrderMembers),
          next_cursor: next ? orderCursor({ connectionId, place: next }) : null,
        };
        return jsonResponse(200, { success: true, data });
      }
      case "refused":
        return refuseByRule(c, outcome.refusal);
      default:
        return refuseAtGate(c, outcome);
    }
  },
});
