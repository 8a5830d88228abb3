import { CONNECTION_ERRORS, endpoint } from "../endpoint.ts";
import { callObject, queryIn } from "../keyed-request.ts";
import { refuse, refuseAtGate } from "../refuse.ts";
import { invoiceAnswer, invoiceMembers } from "../wire/invoice-response.ts";
import { jsonResponse } from "../wire/json.ts";
import { externalIdAsSent, externalIdInPath } from "../wire/parameters.ts";

export const getInvoice = endpoint({
  method: "GET",
  path: "/api/v1/invoice/{external_id}",
  immutable: true,
  doc: {
    operationId: "readInvoice",
    tag: "Invoices",
    summary: "Read an issued invoice",
    description:
      "The invoice as it was issued, with the current state of its records, what the AEAT said of them, " +
      "and the amendments that put them right.",
    needsKey: true,
    parameters: ["external_id", "include", "x_request_id", "accept_language"],
    answers: { 200: { description: "The invoice.", data: invoiceAnswer, name: "Invoice" } },
  },
  errors: [...CONNECTION_ERRORS, "invoice_not_found"],
  handle: async (c) => {
    const externalId = externalIdInPath(c);
    const unknown = () => refuse(c, "invoice_not_found", { facts: { external_id: externalIdAsSent(c) } });
    if (externalId === undefined) return unknown();
    const outcome = await callObject(c, (calls, caller) => calls.readInvoice(caller, externalId));
    switch (outcome.outcome) {
      case "found": {
        const data = invoiceMembers(outcome.invoice, queryIn(c).include, c.get("language"));
        return jsonResponse(200, { success: true, data });
      }
      case "unknown":
        return unknown();
      default:
        return refuseAtGate(c, outcome);
    }
  },
});
