import * as z from "zod";
import { CONNECTION_ERRORS, endpoint } from "../endpoint.ts";
import { callerOf, callObject } from "../keyed-request.ts";
import { refuseAtGate } from "../refuse.ts";
import { listedInvoiceAnswer, listedInvoiceMembers } from "../wire/issued-response.ts";
import { jsonResponse, present } from "../wire/json.ts";
import { invoiceCursor, invoiceListQuery, nextCursorAnswer, refuseForeignCursor } from "../wire/lists.ts";

const answer = z.strictObject({ items: z.array(listedInvoiceAnswer), next_cursor: nextCursorAnswer });

const AMOUNTS = { base: 100, tax: 21, surcharge: 0, total: 121 };
const EXAMPLE = {
  items: [
    {
      ...{ invoice_id: "in000000000000000042", origin: "direct", external_id: "2026-0042", order_id: null },
      ...{ series: "API-1-2026", number: 42, full_number: "API-1-2026-000042" },
      ...{ invoice_type: "F1", documentary_regime: "art6_full" },
      ...{ issue_date: "2026-11-27", operation_date: "2026-11-27", currency: "EUR" },
      ...{ totals: AMOUNTS, totals_eur: AMOUNTS },
      recipient: { company: "Cliente Ejemplo SL", vat_number: "B12345674", country: "ES" },
      ...{ state: "accepted", cancelled: false },
      formats: ["pdf", "ubl", "facturae"].map((format) => ({ format, available: true, reasons: [] })),
    },
  ],
  next_cursor: "WyJpbnZvaWNlcyJd",
};

export const getInvoices = endpoint({
  method: "GET",
  path: "/api/v1/invoices",
  immutable: true,
  query: invoiceListQuery,
  doc: {
    operationId: "listInvoices",
    tag: "Invoices",
    summary: "List the invoices of the connection",
    description:
      "All invoices of the connection, those of orders included, by their place in the chain, newest " +
      "first. Invoices issued meanwhile come before the first page: none is repeated and none left out. A " +
      "page that looks through many invoices for few may have fewer items than limit, or none, and still a " +
      "next_cursor.",
    needsKey: true,
    parameters: [
      ...(["cursor", "from", "to", "type", "invoice_state", "limit"] as const),
      ...(["x_request_id", "accept_language"] as const),
    ],
    answers: { 200: { description: "A page.", data: answer, name: "InvoiceList", example: EXAMPLE } },
  },
  errors: [...CONNECTION_ERRORS],
  handle: async (c, { cursor, from, to, type, state, limit }) => {
    const { connectionId } = callerOf(c);
    const language = c.get("language");
    const foreign = refuseForeignCursor(c, cursor, connectionId);
    if (foreign) return foreign;
    const query = present({ place: cursor?.place, from, to, types: type, states: state, limit });
    const outcome = await callObject(c, (calls, caller) => calls.listInvoices(caller, query));
    if (outcome.outcome !== "found") return refuseAtGate(c, outcome);
    const { invoices, next } = outcome;
    const data = {
      items: invoices.map((view) => listedInvoiceMembers(view, language)),
      next_cursor: next ? invoiceCursor({ connectionId, place: next }) : null,
    };
    return jsonResponse(200, { success: true, data });
  },
});
