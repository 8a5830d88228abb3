import { zValidator } from "@hono/zod-validator";
import { CANCELLATION_REFUSALS } from "../../domain/invoice/refusal.ts";
import { BODY_ERRORS, CONNECTION_ERRORS, type Endpoint } from "../endpoint.ts";
import { exactJson } from "../exact-json.ts";
import { callerOf } from "../middleware/api-key.ts";
import { queryIn } from "../middleware/api-query.ts";
import { CANCELLATION_EXAMPLE } from "../openapi/examples.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { invoiceAnswer } from "../wire/answers.ts";
import { cancellationBody } from "../wire/cancellation-body.ts";
import { invoiceMembers } from "../wire/invoice-response.ts";
import { jsonResponse } from "../wire/json-response.ts";
import { externalIdAsSent, externalIdInPath } from "../wire/parameters.ts";
import { refuseShape } from "../wire/problems.ts";

export const postCancellation: Endpoint = {
  method: "POST",
  path: "/api/v1/invoice/{external_id}/cancellation",
  doc: {
    operationId: "cancelInvoice",
    tag: "Invoices",
    summary: "Cancel an invoice that should never have existed",
    description:
      "Creates an ANULACION record. Where there was a sale, rectify instead. Repeated, it answers 200 with " +
      "`replayed: true`.",
    needsKey: true,
    parameters: ["external_id", "include", "x_request_id", "accept_language"],
    body: { schema: cancellationBody, example: CANCELLATION_EXAMPLE },
    answers: {
      201: { description: "Cancelled.", data: invoiceAnswer, replayed: false },
      200: { description: "It was cancelled before.", data: invoiceAnswer, replayed: true },
    },
    errors: [...BODY_ERRORS, ...CONNECTION_ERRORS, ...CANCELLATION_REFUSALS],
  },
  mount: (app, path) => {
    app.post(path, exactJson, zValidator("json", cancellationBody, refuseShape), async (c) => {
      const externalId = externalIdInPath(c);
      const facts = { external_id: externalIdAsSent(c) };
      if (externalId === undefined) return refuse(c, "invoice_not_found", { facts });
      const caller = callerOf(c);
      const { deps, language } = c.var;
      const { reason } = c.req.valid("json");
      const connection = deps.connection(caller.connectionId);
      const outcome = await connection.cancelInvoice(caller, { externalId, reason });
      c.set("d1Trips", outcome.d1Trips);
      switch (outcome.outcome) {
        case "cancelled":
        case "replayed": {
          const replayed = outcome.outcome === "replayed";
          const data = invoiceMembers(outcome.invoice, queryIn(c).include, language);
          return jsonResponse(replayed ? 200 : 201, { success: true, data, replayed });
        }
        case "refused":
          return refuseByRule(c, outcome.refusal, facts);
        default:
          return refuseAtGate(c, outcome);
      }
    });
  },
};
