import { CONNECTION_ERRORS, endpoint } from "../endpoint.ts";
import { readIssued } from "../invoice-files.ts";
import { queryIn } from "../keyed-request.ts";
import { issuedAnswer, issuedMembers } from "../wire/issued-response.ts";
import { jsonResponse } from "../wire/json.ts";

export const getIssuedInvoice = endpoint({
  method: "GET",
  path: "/api/v1/invoices/{invoice_id}",
  immutable: true,
  doc: {
    operationId: "readIssuedInvoice",
    tag: "Invoices",
    summary: "Read an invoice by its own id",
    description:
      "Any invoice of the connection, those of orders included, with the formats in which it can be had " +
      "and the mails that it went out with.",
    needsKey: true,
    parameters: ["invoice_id", "include", "x_request_id", "accept_language"],
    answers: { 200: { description: "The invoice.", data: issuedAnswer, name: "IssuedInvoice" } },
  },
  errors: [...CONNECTION_ERRORS, "invoice_not_found"],
  handle: async (c) => {
    const issued = await readIssued(c, { deliveries: true });
    if (issued instanceof Response) return issued;
    const { invoice: view, deliveries = [] } = issued;
    const data = issuedMembers({ view, deliveries }, queryIn(c).include, c.get("language"));
    return jsonResponse(200, { success: true, data });
  },
});
