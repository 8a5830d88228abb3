import { formatRefusals } from "../../domain/einvoice/formats.ts";
import { writeUbl } from "../../domain/einvoice/ubl/write-ubl.ts";
import { electronicInvoiceOf } from "../../domain/einvoice/view.ts";
import { base64Of } from "../../domain/shared/base64.ts";
import { CONNECTION_ERRORS, endpoint } from "../endpoint.ts";
import {
  fileAnswer,
  fileResponse,
  pdfOf,
  readIssued,
  refuseFormat,
  utf8,
  XML_TYPE,
} from "../invoice-files.ts";
import { queryIn } from "../keyed-request.ts";

export const getInvoiceUbl = endpoint({
  method: "GET",
  path: "/api/v1/invoices/{invoice_id}/ubl",
  immutable: true,
  doc: {
    operationId: "readInvoiceUbl",
    tag: "Invoices",
    summary: "The invoice in UBL 2.1",
    description:
      "An Invoice or CreditNote of EN 16931, or of Peppol BIS Billing 3. The same invoice is the same " +
      "bytes at every request.",
    needsKey: true,
    parameters: ["invoice_id", "profile", "attach", "x_request_id", "accept_language"],
    answers: {
      200: fileAnswer({ description: "The file, named by the number.", contentType: "application/xml" }),
    },
  },
  errors: [...CONNECTION_ERRORS, "invoice_not_found", "format_cannot_express"],
  handle: async (c) => {
    const issued = await readIssued(c);
    if (issued instanceof Response) return issued;
    const { profile, attach } = queryIn(c);
    const format = profile === "peppol" ? "ubl_peppol" : "ubl";
    const invoice = electronicInvoiceOf(issued.invoice);
    const reasons = formatRefusals(invoice, format);
    if (reasons.length > 0) return refuseFormat(c, format, reasons);
    const pdf = attach === "pdf" ? { pdf: base64Of(await pdfOf(c, issued, "es")) } : {};
    return fileResponse(c, {
      bytes: utf8(writeUbl(invoice, { version: "ubl-2.1", profile, ...pdf })),
      name: `${invoice.number}.ubl.xml`,
      contentType: XML_TYPE,
    });
  },
});
