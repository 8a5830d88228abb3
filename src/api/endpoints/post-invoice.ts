import { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { prepareInvoice } from "../../domain/invoice/prepare.ts";
import { ISSUE_REFUSALS } from "../../domain/invoice/refusal.ts";
import type { AppEnv } from "../deps.ts";
import { BODY_ERRORS, CONNECTION_ERRORS, type Endpoint } from "../endpoint.ts";
import { exactJson } from "../exact-json.ts";
import { callerOf } from "../middleware/api-key.ts";
import { queryIn } from "../middleware/api-query.ts";
import { INVOICE_REQUEST_EXAMPLE } from "../openapi/examples.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { invoiceAnswer, invoicePreviewAnswer } from "../wire/answers.ts";
import { invoiceBody } from "../wire/invoice-body.ts";
import { invoiceMembers, previewMembers } from "../wire/invoice-response.ts";
import { jsonResponse } from "../wire/json-response.ts";
import type { Include } from "../wire/parameters.ts";
import { refuseShape } from "../wire/problems.ts";
import { toInvoiceRequest } from "../wire/to-invoice-request.ts";

export const postInvoice: Endpoint = {
  method: "POST",
  path: "/api/v1/invoice",
  immutable: true,
  doc: {
    operationId: "issueInvoice",
    tag: "Invoices",
    summary: "Issue an invoice",
    description:
      "Issues at once: assigns series and number, creates the ALTA record and leaves it pending " +
      "submission. The same external_id with the same content answers 200 with `replayed: true` and " +
      "issues nothing. With `preview=true` nothing is issued and nothing is stored: the answer is what " +
      "would be issued now, the very refusal, or, of an external_id that is known, the invoice as it was " +
      "issued. A preview has no number and no record, so `include` adds nothing to it.",
    needsKey: true,
    parameters: ["include", "preview", "x_request_id", "accept_language"],
    body: { schema: invoiceBody, example: INVOICE_REQUEST_EXAMPLE },
    answers: {
      201: { description: "Issued.", data: invoiceAnswer, replayed: false },
      200: {
        description: "Issued before by the same request.",
        data: invoiceAnswer,
        replayed: true,
        or: { description: "A preview.", data: invoicePreviewAnswer, replayed: false },
      },
    },
    errors: [...BODY_ERRORS, ...CONNECTION_ERRORS, "idempotency_conflict", ...ISSUE_REFUSALS],
  },
  mount: (app, path) => {
    app.post(path, exactJson, zValidator("json", invoiceBody, refuseShape), async (c) => {
      const request = toInvoiceRequest(c.req.valid("json"));
      const caller = callerOf(c);
      const { deps } = c.var;
      const connection = deps.connection(caller.connectionId);
      const prepared = prepareInvoice(request);
      const { include, preview } = queryIn(c);
      const outcome = await (preview
        ? connection.previewInvoice(caller, prepared)
        : connection.issueInvoice(caller, prepared));
      c.set("d1Trips", outcome.d1Trips);
      switch (outcome.outcome) {
        case "issued":
          return answer(c, outcome.invoice, include);
        case "previewed": {
          const data = previewMembers(outcome.preview, c.var.language);
          return jsonResponse(200, { success: true, data, replayed: false });
        }
        case "replayed":
          return answer(c, outcome.invoice, include, true);
        case "conflict":
          return refuse(c, "idempotency_conflict", {
            facts: { number: outcome.fullNumber, external_id: request.externalId },
          });
        case "refused":
          return refuseByRule(c, outcome.refusal);
        default:
          return refuseAtGate(c, outcome);
      }
    });
  },
};

function answer(
  c: Context<AppEnv>,
  invoice: InvoiceView,
  include: ReadonlySet<Include>,
  replayed = false,
): Response {
  const data = invoiceMembers(invoice, include, c.var.language);
  return jsonResponse(replayed ? 200 : 201, { success: true, data, replayed });
}
