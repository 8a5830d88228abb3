/** Every file for programs that an invoice may have, as the product writes them. */
import { facturaeXml } from "../../../src/domain/einvoice/facturae/facturae-xml.ts";
import { formatRefusals } from "../../../src/domain/einvoice/formats.ts";
import { writeUbl } from "../../../src/domain/einvoice/ubl/write-ubl.ts";
import { electronicInvoiceOf } from "../../../src/domain/einvoice/view.ts";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import { forPeppol } from "./kinds.ts";

export interface ElectronicFile {
  readonly format: "ubl" | "ubl_peppol" | "facturae";
  readonly xml: string;
}

/** For Peppol the invoice gets what Peppol asks for beyond EN 16931. */
export function electronicFilesOf(view: InvoiceView): readonly ElectronicFile[] {
  const [invoice, forNetwork] = [electronicInvoiceOf(view), electronicInvoiceOf(forPeppol(view))];
  const files = [
    ["ubl", invoice, () => writeUbl(invoice, { version: "ubl-2.1", profile: "en16931" })],
    ["ubl_peppol", forNetwork, () => writeUbl(forNetwork, { version: "ubl-2.1", profile: "peppol" })],
    ["facturae", invoice, () => facturaeXml(invoice)],
  ] as const;
  return files
    .filter(([format, of]) => formatRefusals(of, format).length === 0)
    .map(([format, , write]) => ({ format, xml: write() }));
}
