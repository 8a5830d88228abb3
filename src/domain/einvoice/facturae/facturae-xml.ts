import { hasFlag } from "../../invoice/request.ts";
import { divide, ONE, toFixed } from "../../shared/decimal.ts";
import { declaring, element, leaf, type Markup } from "../../verifactu/xml/element.ts";
import type { ElectronicInvoice } from "../electronic-invoice.ts";
import { corrective, numberElements } from "./corrective.ts";
import { items } from "./lines.ts";
import { buyerParty, sellerParty, type ThirdParty, thirdPartyElement } from "./party.ts";
import { LONGEST, Remarks } from "./remarks.ts";
import {
  invoiceTotals,
  paymentDetails,
  remarkDisbursements,
  type Settlement,
  settlementOf,
} from "./settlement.ts";
import { NAMESPACES } from "./signature.ts";
import { taxesOutputs, taxesWithheld } from "./taxes.ts";
import { type AmountStyle, amountStyle, amountType, group } from "./writer.ts";

export interface FacturaeOptions {
  /** The producer of the software, if it signs with a certificate that is not the issuer's. */
  readonly thirdParty?: ThirdParty;
  /** The invoice as a PDF, in base64. */
  readonly pdf?: string;
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/**
 * The root of a Facturae 3.2.2 (Orden HAP/1650/2015 and its schema) with one invoice, as Canonical XML 1.0
 * writes it. The invoice must be one that `formatRefusals` allows.
 */
export function facturaeXml(invoice: ElectronicInvoice, options: FacturaeOptions = {}): Markup {
  const remarks = new Remarks();
  remarks.add("QR tributario", invoice.qrUrl);
  const style = amountStyle(invoice);
  const settlement = settlementOf(invoice);
  const root = element("fe:Facturae", {}, [
    fileHeader({ invoice, settlement, style }, options, remarks),
    group("Parties", sellerParty(invoice, remarks), buyerParty(invoice, remarks)),
    group("Invoices", invoiceElement({ invoice, settlement, style }, options, remarks)),
  ]);
  return declaring(root, NAMESPACES);
}

interface Parts {
  readonly invoice: ElectronicInvoice;
  readonly settlement: Settlement;
  readonly style: AmountStyle;
}

function fileHeader(
  { invoice, settlement, style }: Parts,
  { thirdParty }: FacturaeOptions,
  remarks: Remarks,
): Markup {
  const { eur } = settlement;
  return group(
    "FileHeader",
    leaf("SchemaVersion", "3.2.2"),
    leaf("Modality", "I"),
    leaf("InvoiceIssuerType", thirdParty ? "TE" : "EM"),
    ...(thirdParty ? [thirdPartyElement(thirdParty, remarks)] : []),
    group(
      "Batch",
      leaf("BatchIdentifier", invoice.issuer.nif + invoice.number),
      leaf("InvoicesCount", "1"),
      amountType("TotalInvoicesAmount", settlement.invoiceTotal, style, eur?.invoiceTotal),
      amountType("TotalOutstandingAmount", settlement.outstanding, style, eur?.outstanding),
      amountType("TotalExecutableAmount", settlement.executable, style, eur?.executable),
      leaf("InvoiceCurrencyCode", invoice.currency),
    ),
  );
}

function invoiceElement(
  { invoice, settlement, style }: Parts,
  options: FacturaeOptions,
  remarks: Remarks,
): Markup {
  const before = [
    invoiceHeader(invoice, remarks),
    issueData(invoice, remarks),
    taxesOutputs(invoice, style),
    ...taxesWithheld(invoice, style),
    invoiceTotals(invoice, settlement, style),
    items(invoice, style, remarks),
    ...paymentDetails(invoice, settlement),
    ...legalLiterals(invoice, remarks),
  ];
  remarkRest(invoice, remarks);
  return group("Invoice", ...before, ...additionalData(options, remarks));
}

function invoiceHeader(invoice: ElectronicInvoice, remarks: Remarks): Markup {
  const isQualified = hasFlag(invoice, "qualified_simplified_art_7_2_3");
  return group(
    "InvoiceHeader",
    ...numberElements(invoice.number),
    leaf("InvoiceDocumentType", isQualified ? "FA" : "FC"),
    leaf("InvoiceClass", invoice.correction ? "OR" : "OO"),
    ...corrective(invoice, remarks),
  );
}

function issueData(invoice: ElectronicInvoice, remarks: Remarks): Markup {
  const { invoicingPeriod: period, exchange } = invoice;
  return group(
    "InvoiceIssueData",
    leaf("IssueDate", invoice.issueDate),
    leaf("OperationDate", invoice.operationDate),
    ...(period
      ? [group("InvoicingPeriod", leaf("StartDate", period.start), leaf("EndDate", period.end))]
      : []),
    leaf("InvoiceCurrencyCode", invoice.currency),
    ...(exchange
      ? [
          group(
            "ExchangeRateDetails",
            leaf("ExchangeRate", eurosForOne(exchange.rate)),
            leaf("ExchangeRateDate", exchange.date),
          ),
        ]
      : []),
    leaf("TaxCurrencyCode", "EUR"),
    leaf("LanguageName", "es"),
    leaf("InvoiceDescription", remarks.cut("Concepto", invoice.description, LONGEST.text)),
    leaf("ReceiverTransactionReference", reference("Pedido", invoice.orderReference, remarks)),
    leaf("FileReference", reference("Expediente", invoice.fileReference, remarks)),
    leaf("ReceiverContractReference", reference("Contrato", invoice.contractReference, remarks)),
  );
}

const RATE_DECIMALS = 8;

/** ExchangeRate says euros for one unit of the currency; ours are units for one euro. */
function eurosForOne(rate: NonNullable<ElectronicInvoice["exchange"]>["rate"]): string {
  return toFixed(divide(ONE, rate, RATE_DECIMALS), RATE_DECIMALS);
}

/** A part of a reference refers to nothing: a long one goes whole to the remarks. */
function reference(label: string, text: string | undefined, remarks: Remarks): string | undefined {
  if (text === undefined || [...text].length <= LONGEST.short) return text;
  remarks.add(label, text);
  return undefined;
}

function legalLiterals({ mentions }: ElectronicInvoice, remarks: Remarks): Markup[] {
  if (mentions.length === 0) return [];
  const literals = mentions.map(({ text }) =>
    leaf("LegalReference", remarks.cut("Mención legal", text, LONGEST.literal)),
  );
  return [group("LegalLiterals", ...literals)];
}

/** Facts without an element of their own. */
function remarkRest(invoice: ElectronicInvoice, remarks: Remarks): void {
  const { buyerReference, delivery, issuer } = invoice;
  remarks.add("Referencia del comprador", buyerReference);
  if (delivery) {
    const { date, address1, postcode, city, country } = delivery;
    const place = [address1, [postcode, city].filter(Boolean).join(" "), country].filter(Boolean).join(", ");
    remarks.add("Fecha de entrega", date);
    remarks.add("Lugar de entrega", place);
  }
  remarkDisbursements(invoice, remarks);
  remarks.add("Datos registrales", issuer.registry);
}

function additionalData({ pdf }: FacturaeOptions, remarks: Remarks): Markup[] {
  const { text } = remarks;
  if (pdf === undefined && text === "") return [];
  return [
    group(
      "AdditionalData",
      ...(pdf === undefined ? [] : [group("RelatedDocuments", attachment(pdf))]),
      leaf("InvoiceAdditionalInformation", text === "" ? undefined : text),
    ),
  ];
}

function attachment(pdf: string): Markup {
  return group(
    "Attachment",
    leaf("AttachmentCompressionAlgorithm", "NONE"),
    leaf("AttachmentFormat", "pdf"),
    leaf("AttachmentEncoding", "BASE64"),
    leaf("AttachmentDescription", "Factura"),
    leaf("AttachmentData", pdf),
  );
}
