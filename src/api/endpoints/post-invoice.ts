import type { Context } from "hono";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { prepareInvoice } from "../../domain/invoice/prepare.ts";
import { ISSUE_REFUSALS } from "../../domain/invoice/refusal.ts";
import type { IssueOutcome, TripCount } from "../../ledger/core/outcomes.ts";
import type { InvoicePreviewOutcome } from "../../ledger/issue/decide-group.ts";
import type { AppEnv } from "../deps.ts";
import { BODY_ERRORS, CONNECTION_ERRORS, endpoint } from "../endpoint.ts";
import { callObject, queryIn } from "../keyed-request.ts";
import { refuse, refuseAtGate, refuseByRule } from "../refuse.ts";
import { invoiceBody, toInvoiceRequest } from "../wire/invoice-body.ts";
import {
  invoiceAnswer,
  invoiceMembers,
  invoicePreviewAnswer,
  previewMembers,
} from "../wire/invoice-response.ts";
import { jsonResponse } from "../wire/json.ts";
import type { Include } from "../wire/parameters.ts";

/** A developer's first invoice: small and fully valid. */
export const INVOICE_REQUEST_EXAMPLE = {
  external_id: "order-1001",
  invoice_type: "F1",
  description: "Office chairs",
  currency: "EUR",
  recipient: {
    company: "Comercial Ejemplo SL",
    vat_number: "B12345674",
    country: "ES",
    address1: "Calle Mayor 5",
    postcode: "28013",
    city: "Madrid",
  },
  lines: [
    { line_id: "l1", description: "Chair", quantity: 2, price_unit: 49.95, tax_rate: 21 },
    { line_id: "l2", description: "Delivery", quantity: 1, price_unit: 6.5, tax_rate: 21 },
  ],
};

export const postInvoice = endpoint({
  method: "POST",
  path: "/api/v1/invoice",
  immutable: true,
  name: "InvoiceRequest",
  body: invoiceBody,
  example: INVOICE_REQUEST_EXAMPLE,
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
    answers: {
      201: { description: "Issued.", data: invoiceAnswer, name: "Invoice", replayed: false },
      200: {
        description: "Issued before by the same request.",
        data: invoiceAnswer,
        name: "Invoice",
        replayed: true,
        or: {
          description: "A preview.",
          data: invoicePreviewAnswer,
          name: "InvoicePreview",
          replayed: false,
        },
      },
    },
  },
  errors: [...BODY_ERRORS, ...CONNECTION_ERRORS, "idempotency_conflict", ...ISSUE_REFUSALS],
  handle: async (c, sent) => {
    const request = toInvoiceRequest(sent);
    const prepared = prepareInvoice(request);
    const { include, preview } = queryIn(c);
    const outcome = await callObject<(IssueOutcome | InvoicePreviewOutcome) & TripCount>(
      c,
      (calls, caller) =>
        preview ? calls.previewInvoice(caller, prepared) : calls.issueInvoice(caller, prepared),
    );
    switch (outcome.outcome) {
      case "issued":
        return answer(c, outcome.invoice, include);
      case "previewed": {
        const data = previewMembers(outcome.preview, c.get("language"));
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
  },
});

function answer(
  c: Context<AppEnv>,
  invoice: InvoiceView,
  include: ReadonlySet<Include>,
  replayed = false,
): Response {
  const data = invoiceMembers(invoice, include, c.get("language"));
  return jsonResponse(replayed ? 200 : 201, { success: true, data, replayed });
}
