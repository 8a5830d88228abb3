import { isPositive } from "../../shared/decimal.ts";
import { dateText } from "../../shared/typography.ts";
import { branch, branchOfSome, leaf, type Markup, NOTHING } from "../../verifactu/xml/element.ts";
import type { ElectronicInvoice } from "../electronic-invoice.ts";
import { deliveryXml } from "./delivery.ts";
import { lineXml } from "./lines.ts";
import { noteOf } from "./note.ts";
import { buyerXml, sellerXml } from "./parties.ts";
import { paymentMeansXml } from "./payment.ts";
import { monetaryTotalXml, taxTotalsXml } from "./totals.ts";
import { CUSTOMIZATION, PROCESS, type UblDocument, type UblProfile, ublDocumentOf } from "./ubl-document.ts";

export interface UblOptions {
  readonly version: "ubl-2.1";
  readonly profile: UblProfile;
  /** The PDF in base64, to be attached. */
  readonly pdf?: string;
}

const NAMESPACE = "urn:oasis:names:specification:ubl:schema:xsd";

/**
 * The invoice in UBL 2.1, as EN 16931 maps it (CEN/TS 16931-3-2): the same bytes for the same view. The
 * caller has asked `formatRefusals` before.
 */
export function writeUbl(invoice: ElectronicInvoice, options: UblOptions): string {
  const document = ublDocumentOf(invoice, options.profile);
  const { root } = document;
  const content = [
    ...headXml(document),
    ...referencesXml(document, options),
    sellerXml(document),
    buyerXml(document),
    deliveryXml(document),
    paymentMeansXml(document),
    paymentTermsXml(document),
    ...taxTotalsXml(document),
    monetaryTotalXml(document),
    ...invoice.lines.map((line) => lineXml(document, line)),
  ];
  const namespaces = {
    "": `${NAMESPACE}:${root}-2`,
    cac: `${NAMESPACE}:CommonAggregateComponents-2`,
    cbc: `${NAMESPACE}:CommonBasicComponents-2`,
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${branch(root, content, namespaces)}`;
}

function headXml(document: UblDocument): Markup[] {
  const { invoice, profile, root, typeCode } = document;
  const { currency } = invoice;
  return [
    leaf("cbc:CustomizationID", CUSTOMIZATION[profile]),
    leaf("cbc:ProfileID", PROCESS),
    leaf("cbc:ID", invoice.number),
    leaf("cbc:IssueDate", invoice.issueDate),
    // BT-9: a credit note has it among the means of payment.
    leaf("cbc:DueDate", root === "Invoice" ? invoice.dueDate : undefined),
    leaf(root === "Invoice" ? "cbc:InvoiceTypeCode" : "cbc:CreditNoteTypeCode", typeCode),
    leaf("cbc:Note", noteOf(document)),
    leaf("cbc:DocumentCurrencyCode", currency),
    leaf("cbc:TaxCurrencyCode", currency === "EUR" ? undefined : "EUR"),
    leaf("cbc:BuyerReference", invoice.buyerReference),
    periodXml(document),
  ];
}

/** BT-8 of UNTDID 2005: the tax falls due when the invoice is paid. */
const WHEN_PAID = "432";
const CASH_ACCOUNTING = "07";

function periodXml({ invoice }: UblDocument): Markup {
  const { correction, invoicingPeriod, groups } = invoice;
  const { from, to } = correction?.period ?? {};
  const isWhenPaid = groups.some(
    ({ tax, regime }) => regime === CASH_ACCOUNTING && (tax === "01" || tax === "03"),
  );
  return branchOfSome("cac:InvoicePeriod", [
    leaf("cbc:StartDate", from ?? invoicingPeriod?.start),
    leaf("cbc:EndDate", to ?? invoicingPeriod?.end),
    leaf("cbc:DescriptionCode", isWhenPaid ? WHEN_PAID : undefined),
  ]);
}

function referencesXml({ invoice }: UblDocument, { pdf }: UblOptions): Markup[] {
  const { correction, replaces, orderReference, contractReference } = invoice;
  const cited = [...(correction?.cited ?? []), ...replaces];
  return [
    branchOfSome("cac:OrderReference", [leaf("cbc:ID", orderReference)]),
    ...cited.map(({ number, issueDate }) =>
      branch("cac:BillingReference", [
        branch("cac:InvoiceDocumentReference", [leaf("cbc:ID", number), leaf("cbc:IssueDate", issueDate)]),
      ]),
    ),
    branchOfSome("cac:ContractDocumentReference", [leaf("cbc:ID", contractReference)]),
    qrXml(invoice),
    pdfXml(invoice, pdf),
  ];
}

/** Article 20.2 Orden HAC/1177/2024: the address of the QR in a field of its own. */
function qrXml({ qrUrl }: ElectronicInvoice): Markup {
  if (qrUrl === undefined) return NOTHING;
  return branch("cac:AdditionalDocumentReference", [
    leaf("cbc:ID", "QR tributario"),
    leaf("cbc:DocumentDescription", "Factura verificable en la sede electrónica de la AEAT"),
    branch("cac:Attachment", [branch("cac:ExternalReference", [leaf("cbc:URI", qrUrl)])]),
  ]);
}

function pdfXml({ number }: ElectronicInvoice, pdf: string | undefined): Markup {
  if (pdf === undefined) return NOTHING;
  const file = { mimeCode: "application/pdf", filename: `${number}.pdf` };
  return branch("cac:AdditionalDocumentReference", [
    leaf("cbc:ID", `${number}.pdf`),
    leaf("cbc:DocumentDescription", "Factura en PDF"),
    branch("cac:Attachment", [leaf("cbc:EmbeddedDocumentBinaryObject", pdf, file)]),
  ]);
}

/** BT-20, which BR-CO-25 wants where something is due and no BT-9 says when. */
function paymentTermsXml({ invoice, root, due }: UblDocument): Markup {
  const { dueDate, payment } = invoice;
  const hasDueDate = dueDate !== undefined && (root === "Invoice" || payment?.means !== undefined);
  if (hasDueDate || !isPositive(due.left)) return NOTHING;
  const note = dueDate === undefined ? "Vencimiento no indicado" : `Vencimiento: ${dateText(dueDate, "es")}`;
  return branch("cac:PaymentTerms", [leaf("cbc:Note", note)]);
}
