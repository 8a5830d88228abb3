import { formatRefusals } from "../../domain/einvoice/formats.ts";
import { electronicInvoiceOf } from "../../domain/einvoice/view.ts";
import { CONNECTION_ERRORS, endpoint } from "../endpoint.ts";
import {
  fileAnswer,
  fileResponse,
  pdfOf,
  readIssued,
  refuseFormat,
  SIGNATURE_HEADER,
  XML_TYPE,
} from "../invoice-files.ts";
import { queryIn } from "../keyed-request.ts";

export const getInvoiceFacturae = endpoint({
  method: "GET",
  path: "/api/v1/invoices/{invoice_id}/facturae",
  immutable: true,
  doc: {
    operationId: "readInvoiceFacturae",
    tag: "Invoices",
    summary: "The invoice in Facturae 3.2.2",
    description:
      "Signed by XAdES-EPES where the service has a certificate for it; the header Cuadre-Signature says " +
      "xades-epes or none. An invoice is signed once, and the same bytes answer every later request.",
    needsKey: true,
    parameters: ["invoice_id", "attach", "x_request_id", "accept_language"],
    answers: {
      200: fileAnswer(
        { description: "The file, named by the number.", contentType: "application/xml" },
        SIGNATURE_HEADER,
      ),
    },
  },
  errors: [...CONNECTION_ERRORS, "invoice_not_found", "format_cannot_express"],
  handle: async (c) => {
    const issued = await readIssued(c);
    if (issued instanceof Response) return issued;
    const invoice = electronicInvoiceOf(issued.invoice);
    const reasons = formatRefusals(invoice, "facturae");
    if (reasons.length > 0) return refuseFormat(c, "facturae", reasons);
    const attached = queryIn(c).attach === "pdf" ? { pdf: () => pdfOf(c, issued, "es") } : {};
    const { invoiceId } = issued.invoice;
    const file = await c.get("deps").facturae({ invoiceId, invoice, ...attached });
    return fileResponse(c, {
      bytes: file.bytes,
      name: `${invoice.number}.facturae.${file.signature === "none" ? "xml" : "xsig"}`,
      contentType: XML_TYPE,
      headers: { "Cuadre-Signature": file.signature },
    });
  },
});
