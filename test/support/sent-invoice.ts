/** A request as it comes over the wire: JSON text through the contract into domain terms. */

import { parseExactly } from "../../src/api/exact-number.ts";
import { invoiceBody, toInvoiceRequest } from "../../src/api/wire/invoice-body.ts";
import type { InvoiceRequest } from "../../src/domain/invoice/request.ts";

/** Throws where the shape is not right. */
export function sentInvoice(json: string): InvoiceRequest {
  return toInvoiceRequest(invoiceBody.parse(parseExactly(json)));
}

/** Where in the request its shape is not right, as `lines.0.tax_rate`; empty when it is. */
export function shapeProblems(json: string): string[] {
  const parsed = invoiceBody.safeParse(parseExactly(json));
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join("."));
}
