import { CONNECTION_ERRORS, endpoint } from "../endpoint.ts";
import { fileAnswer, fileResponse, pdfOf, readIssued } from "../invoice-files.ts";
import { queryIn } from "../keyed-request.ts";

export const getInvoicePdf = endpoint({
  method: "GET",
  path: "/api/v1/invoices/{invoice_id}/pdf",
  immutable: true,
  doc: {
    operationId: "readInvoicePdf",
    tag: "Invoices",
    summary: "The invoice as a PDF",
    description: "The document that its customer sees, with the QR of the tax agency.",
    needsKey: true,
    parameters: ["invoice_id", "language", "x_request_id", "accept_language"],
    answers: {
      200: fileAnswer({ description: "The PDF, named by the number.", contentType: "application/pdf" }),
    },
  },
  errors: [...CONNECTION_ERRORS, "invoice_not_found"],
  handle: async (c) => {
    const issued = await readIssued(c);
    if (issued instanceof Response) return issued;
    return fileResponse(c, {
      bytes: await pdfOf(c, issued, queryIn(c).language ?? "es"),
      name: `${issued.invoice.fullNumber}.pdf`,
      contentType: "application/pdf",
    });
  },
});
