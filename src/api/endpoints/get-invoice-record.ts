import { newestRegistration } from "../../domain/invoice/invoice-view.ts";
import { recordXml } from "../../domain/verifactu/xml/record-xml.ts";
import { CONNECTION_ERRORS, endpoint } from "../endpoint.ts";
import { fileAnswer, fileResponse, readIssued, utf8, XML_TYPE } from "../invoice-files.ts";

export const getInvoiceRecord = endpoint({
  method: "GET",
  path: "/api/v1/invoices/{invoice_id}/record.xml",
  immutable: true,
  doc: {
    operationId: "readInvoiceRecord",
    tag: "Invoices",
    summary: "The registration of the invoice, as the AEAT gets it",
    description: "RegistroAlta of the newest registration: that of the issue, or its last amendment.",
    needsKey: true,
    parameters: ["invoice_id", "x_request_id", "accept_language"],
    answers: {
      200: fileAnswer({ description: "The file, named by the number.", contentType: "application/xml" }),
    },
  },
  errors: [...CONNECTION_ERRORS, "invoice_not_found"],
  handle: async (c) => {
    const issued = await readIssued(c);
    if (issued instanceof Response) return issued;
    const { record } = newestRegistration(issued.invoice);
    return fileResponse(c, {
      bytes: utf8(`<?xml version="1.0" encoding="UTF-8"?>\n${recordXml(record)}`),
      name: `${issued.invoice.fullNumber}.record.xml`,
      contentType: XML_TYPE,
    });
  },
});
