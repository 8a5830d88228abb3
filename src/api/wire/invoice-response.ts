import { correction, generate } from "lean-qr";
import { toSvgSource } from "lean-qr/extras/svg";
import * as z from "zod";
import type { TaxGroup, Totals, Warning } from "../../domain/invoice/document.ts";
import {
  amendmentsOf,
  type InvoicePreview,
  type InvoiceView,
  type LinkedInvoice,
  type StoredRecord,
} from "../../domain/invoice/invoice-view.ts";
import {
  DOCUMENTARY_FLAGS,
  DOCUMENTARY_REGIMES,
  ID_TYPES,
  INVOICE_TYPES,
  QUALIFICATIONS,
  RECTIFICATION_METHODS,
  type Recipient,
  TAXES,
} from "../../domain/invoice/request.ts";
import { type ResolvedLine, resolveLine } from "../../domain/invoice/tax-groups.ts";
import { disbursementsOf, payableOf } from "../../domain/invoice/totals.ts";
import { currencyDecimals } from "../../domain/shared/currency.ts";
import {
  add,
  type Decimal,
  divide,
  HUNDRED,
  multiply,
  round,
  subtract,
  ZERO,
} from "../../domain/shared/decimal.ts";
import { invariant } from "../../domain/shared/result.ts";
import { qrUrl } from "../../domain/verifactu/record.ts";
import { recordXml } from "../../domain/verifactu/xml/record-xml.ts";
import type { Language } from "../../words/words.ts";
import {
  amountAnswer,
  outsideMarginAnswer,
  RECORD_STATES,
  taxAnswer,
  testAnswer,
  warningAnswer,
} from "./answers.ts";
import { exactNumber, present, type RawNumber } from "./json.ts";
import type { Include } from "./parameters.ts";
import { warningMembers } from "./plain-facts.ts";
import {
  lineDetails,
  lineDetailsAnswer,
  recipientDetails,
  recipientDetailsAnswer,
  tradeAnswer,
  tradeMembers,
} from "./trade-response.ts";

const EURO_DECIMALS = 2;

/**
 * An invoice as the documentation states it, next to the functions that make it. Tests check every answer.
 */
const date = z.iso.date();
const invoiceType = z.enum(INVOICE_TYPES);
const exact = z.number();

const lineAnswer = z.strictObject({
  line_id: z.string().optional(),
  description: z.string(),
  quantity: exact,
  price_unit: exact,
  tax_rate: exact,
  discount_rate: exact.optional(),
  equivalence_surcharge_rate: exact.optional(),
  type_tax: z.enum(TAXES),
  regime: z.string().nullable().describe("null with type_tax 05."),
  qualification: z.enum(QUALIFICATIONS),
  taxable_margin: exact.optional(),
  ...lineDetailsAnswer,
  net: amountAnswer.describe("Amount of the line without tax."),
  gross: amountAnswer.optional().describe("Amount of the line with tax, when prices_include_tax."),
});

const totalsEurAnswer = z.strictObject({
  ...{ base: amountAnswer, tax: amountAnswer, surcharge: amountAnswer },
  outside_margin: outsideMarginAnswer,
  total: amountAnswer,
});
const totalsAnswer = totalsEurAnswer.extend({
  withholding: amountAnswer.optional(),
  payable: amountAnswer
    .optional()
    .describe("total less withholding and gift cards, plus disbursements, where there are any."),
});

const recordAnswer = z.strictObject({
  record_id: z.string(),
  kind: z.enum(["ALTA", "ANULACION"]),
  position: z.int().min(1).describe("Place in the chain of the connection."),
  hash: z.string().describe("Huella of the record, SHA-256 in upper-case hex."),
  previous_hash: z.string().describe("Empty on the first record of a chain."),
  generated_at: z.string().describe("The record's own literal, with offset."),
  state: z
    .enum(RECORD_STATES)
    .describe("not_submitted: of a connection for tests; no authority gets the record, now or later."),
  aeat_code: z.int().optional().describe("What the AEAT said of the record, where it said something."),
  aeat_message: z.string().optional().describe("The same in the AEAT's own words."),
});

export const recipientAnswer = z.strictObject({
  company: z.string().optional(),
  vat_number: z.string().optional().describe("In canonical form."),
  country: z.string().optional(),
  address1: z.string().optional(),
  postcode: z.string().optional(),
  city: z.string().optional(),
  id_type: z.enum(ID_TYPES).optional(),
  ...recipientDetailsAnswer,
});

const relatedAnswer = z.strictObject({
  external_id: z.string(),
  number: z.string().describe("Series and number in one."),
  issue_date: date,
  invoice_type: invoiceType,
});

const INVOICE_WARNINGS = [
  "recipient_identification_expected",
  "issued_late",
  "company_unverified",
  "connection_for_tests",
] as const satisfies readonly Warning["code"][];

export const invoiceAnswer = z.strictObject({
  external_id: z.string(),
  invoice_id: z.string(),
  series: z.string(),
  number: z.int().min(1),
  full_number: z.string().describe("Series and number in one: the NumSerieFactura of the record."),
  invoice_type: invoiceType,
  documentary_regime: z.enum(DOCUMENTARY_REGIMES),
  documentary_flags: z.array(z.enum(DOCUMENTARY_FLAGS)),
  description: z.string(),
  test: testAnswer,
  issue_date: date,
  operation_date: date.nullable().describe("null when it is the issue date."),
  currency: z.string(),
  exchange_rate: exact.nullable(),
  exchange_rate_date: date.nullable(),
  prices_include_tax: z.boolean(),
  ...tradeAnswer,
  lines: z.array(lineAnswer),
  taxes: z.array(taxAnswer),
  disbursements: z
    .array(z.strictObject({ description: z.string(), amount: amountAnswer }))
    .optional()
    .describe("Suplidos, in payable and never in total."),
  totals: totalsAnswer,
  totals_eur: totalsEurAnswer,
  issuer: z
    .strictObject({ name: z.string(), nif: z.string(), address: z.string() })
    .describe("As of the issue."),
  recipient: recipientAnswer.nullable(),
  verifactu: recordAnswer.extend({
    qr_url: z
      .string()
      .nullable()
      .describe("null of a connection for tests: no authority would know the invoice."),
    qr_svg: z.string().optional().describe("With ?include=qr_svg."),
    xml: z.string().optional().describe("With ?include=xml: the record as the AEAT gets it."),
  }),
  amendments: z
    .array(recordAnswer)
    .describe("Records that put right what an earlier one said, oldest first; the invoice stays as it is."),
  rectification_method: z.enum(RECTIFICATION_METHODS).optional(),
  rectified_period: z.strictObject({ from: date, to: date }).optional(),
  rectifies: z.array(relatedAnswer.partial({ external_id: true })),
  rectified_by: z
    .array(relatedAnswer.extend({ kind: z.enum(["difference", "substitution", "replacement"]) }))
    .describe("Only those in force."),
  cancelled: z.boolean(),
  cancellation: recordAnswer.extend({ reason: z.string() }).optional(),
  warnings: z.array(warningAnswer(INVOICE_WARNINGS)),
  request_id: z.string().describe("X-Request-Id of the request that issued the invoice."),
});

/** Closed as well: an answer with a number is an invoice, and a preview is none. */
export const invoicePreviewAnswer = invoiceAnswer
  .omit({ invoice_id: true, number: true, full_number: true, verifactu: true, cancellation: true })
  .extend({
    preview: z.literal(true),
    series: z.string().describe("Of the series that the number would be of."),
    issue_date: date.describe("Today: an invoice is dated when it is issued."),
    amendments: z.array(recordAnswer).max(0),
    rectified_by: z.array(relatedAnswer).max(0),
    cancelled: z.literal(false),
    request_id: z.string().describe("X-Request-Id of this request."),
  });

/** An issued invoice as the interface shows it. Amounts are JSON numbers written digit by digit. */
export function invoiceMembers(view: InvoiceView, include: ReadonlySet<Include>, language: Language) {
  const { document } = view;
  return present({
    external_id: view.externalId,
    invoice_id: view.invoiceId,
    series: view.series,
    number: view.number,
    full_number: view.fullNumber,
    ...saleMembers(view),
    verifactu: verifactuBlock(view, include),
    amendments: amendmentsOf(view).map(recordBlock),
    rectification_method: document.request.rectificationMethod,
    rectified_period: document.request.rectifiedPeriod,
    rectifies: rectifiesOf(view),
    rectified_by: view.rectifiedBy.filter((linked) => linked.inForce).map(linkedOf),
    cancelled: view.cancellation !== undefined,
    cancellation: view.cancellation && cancellationBlock(view.cancellation),
    warnings: warningsOf(view, language),
    request_id: view.requestId,
  });
}

/** The same before issuing: members of issued invoices are left out, and it is marked as a preview. */
export function previewMembers(preview: InvoicePreview, language: Language) {
  return present({
    external_id: preview.externalId,
    series: preview.series,
    ...saleMembers(preview),
    amendments: [],
    rectification_method: preview.document.request.rectificationMethod,
    rectified_period: preview.document.request.rectifiedPeriod,
    rectifies: rectifiesOf(preview),
    rectified_by: [],
    cancelled: false,
    warnings: warningsOf(preview, language),
    request_id: preview.requestId,
    preview: true,
  });
}

/** Type, days and amounts of a document, as a list has them too. */
export function summaryMembers({ document, issueDate }: Pick<InvoicePreview, "document" | "issueDate">) {
  const { request } = document;
  const amount = amountIn(decimalsOf(document));
  return {
    invoice_type: request.invoiceType,
    documentary_regime: request.regime,
    test: document.test,
    issue_date: issueDate,
    operation_date: document.operationDate ?? issueDate,
    currency: request.currency,
    totals: { ...totalsOf(document.totals, amount), ...payableIn({ document }, amount) },
    totals_eur: totalsOf(document.totalsEur, amountIn(EURO_DECIMALS)),
  };
}

/** The seller, the customer and the goods, as the document has them. */
function saleMembers(view: InvoicePreview) {
  const { document } = view;
  const { request } = document;
  const decimals = decimalsOf(document);
  const amount = amountIn(decimals);
  return {
    invoice_type: request.invoiceType,
    documentary_regime: request.regime,
    documentary_flags: request.flags,
    description: request.description,
    test: document.test,
    issue_date: view.issueDate,
    operation_date: document.operationDate ?? view.issueDate,
    currency: request.currency,
    exchange_rate: request.exchangeRate === undefined ? null : exactNumber(request.exchangeRate),
    exchange_rate_date: request.exchangeRateDate ?? null,
    prices_include_tax: request.pricesIncludeTax,
    ...tradeMembers(document),
    lines: linesOf(view, amount, decimals),
    taxes: taxesOf(document.groups, amount),
    disbursements: disbursementsIn(view, amount),
    totals: { ...totalsOf(document.totals, amount), ...payableIn(view, amount) },
    totals_eur: totalsOf(document.totalsEur, amountIn(EURO_DECIMALS)),
    issuer: issuerOf(view),
    recipient: request.recipient ? recipientOf(request.recipient) : null,
  };
}

function decimalsOf({ request }: InvoicePreview["document"]): number {
  const decimals = currencyDecimals(request.currency);
  invariant(decimals !== undefined, "an invoice has a known currency");
  return decimals;
}

function linesOf({ document }: InvoicePreview, amount: Amount, decimals: number) {
  const { request, lineAmounts, defaults } = document;
  return request.lines.map((line, index) => {
    const lineAmount = lineAmounts[index] ?? ZERO;
    const resolved = resolveLine(line, index, lineAmount, defaults);
    const net = request.pricesIncludeTax ? netOf(resolved, decimals) : lineAmount;
    return present({
      line_id: line.lineId,
      description: line.description,
      quantity: exactNumber(line.quantity),
      price_unit: exactNumber(line.priceUnit),
      tax_rate: exactNumber(line.taxRate),
      discount_rate: optionalNumber(line.discountRate),
      equivalence_surcharge_rate: optionalNumber(line.surchargeRate),
      type_tax: resolved.tax,
      regime: resolved.regime ?? null,
      qualification: line.qualification,
      taxable_margin: optionalNumber(line.taxableMargin),
      ...lineDetails(line),
      net: amount(net),
      gross: request.pricesIncludeTax ? amount(lineAmount) : undefined,
    });
  });
}

/** Net of a line whose price includes tax, for display only: the group carries the rounding. */
function netOf({ amount, margin = amount, rate, surchargeRate }: ResolvedLine, decimals: number): Decimal {
  const percent = add(add(HUNDRED, rate), surchargeRate ?? ZERO);
  return round(add(divide(multiply(margin, HUNDRED), percent, decimals), subtract(amount, margin)), decimals);
}

function totalsOf({ base, tax, surcharge, outsideMargin, total }: Totals, amount: Amount) {
  return present({
    ...{ base: amount(base), tax: amount(tax), surcharge: amount(surcharge) },
    outside_margin: outsideMargin && amount(outsideMargin),
    total: amount(total),
  });
}

function disbursementsIn({ document: { request } }: InvoicePreview, amount: Amount) {
  if (request.disbursements === undefined) return undefined;
  return disbursementsOf(request).map((one) => ({
    description: one.description,
    amount: amount(one.amount),
  }));
}

/** Withheld and paid amounts appear below the total: the total and its record do not change. */
function payableIn({ document }: Pick<InvoicePreview, "document">, amount: Amount) {
  const { withholding } = document;
  const payable = payableOf(document);
  return present({
    withholding: withholding && amount(withholding),
    payable: payable && amount(payable),
  });
}

function issuerOf({ document }: InvoicePreview) {
  const { name, nif, address1, postcode, city } = document.issuer;
  return { name, nif, address: `${address1}, ${postcode} ${city}` };
}

function recipientOf(recipient: Recipient) {
  return present({
    company: recipient.company,
    vat_number: recipient.vatNumber,
    country: recipient.country,
    address1: recipient.address1,
    postcode: recipient.postcode,
    city: recipient.city,
    id_type: recipient.idType,
    ...recipientDetails(recipient),
  });
}

function rectifiesOf({ document }: InvoicePreview) {
  return document.cited.map(({ externalId, number, issueDate, invoiceType }) =>
    present({ external_id: externalId, number, issue_date: issueDate, invoice_type: invoiceType }),
  );
}

function linkedOf({ externalId, fullNumber, issueDate, invoiceType, kind }: LinkedInvoice) {
  return {
    external_id: externalId,
    number: fullNumber,
    issue_date: issueDate,
    invoice_type: invoiceType,
    kind,
  };
}

function warningsOf({ document }: InvoicePreview, language: Language) {
  return document.warnings.map((warning) => warningMembers(warning, language));
}

function optionalNumber(value: Decimal | undefined): RawNumber | undefined {
  return value === undefined ? undefined : exactNumber(value);
}

/** Art. 21 Orden HAC/1177/2024: correction level M exactly; ISO 18004: four modules of quiet zone. */
const QUIET_ZONE_MODULES = 4;

function qrSvg(url: string): string {
  const code = generate(url, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M });
  return toSvgSource(code, { on: "#000", off: "#fff", pad: QUIET_ZONE_MODULES });
}

/** The registration record of an invoice, which stays the same when the invoice is cancelled. */
function verifactuBlock(view: InvoiceView, include: ReadonlySet<Include>) {
  const { record } = view.alta;
  const url = qrUrlOf(view);
  return present({
    ...recordBlock(view.alta),
    qr_url: url,
    qr_svg: include.has("qr_svg") && url !== null ? qrSvg(url) : undefined,
    xml: include.has("xml") ? recordXml(record) : undefined,
  });
}

function cancellationBlock(cancellation: StoredRecord & { readonly reason: string }) {
  return { ...recordBlock(cancellation), reason: cancellation.reason };
}

/**
 * Literals of the record: a first record has no previous hash, and its own input says `Huella=`. The AEAT's
 * response is given in its own words.
 */
function recordBlock({ recordId, record, state, standing }: StoredRecord) {
  const { content, position, hash } = record;
  return present({
    record_id: recordId,
    kind: content.kind,
    position,
    hash,
    previous_hash: content.chain.first ? "" : content.chain.hash,
    generated_at: content.generatedAt,
    state,
    aeat_code: standing?.code,
    aeat_message: standing?.text,
  });
}

function qrUrlOf({ environment, trial, alta }: InvoiceView): string | null {
  if (trial) return null;
  const { content } = alta.record;
  invariant(content.kind === "ALTA", "an invoice is registered by an ALTA record");
  return qrUrl({ environment, key: content.key, total: content.total });
}

type Amount = (value: Decimal) => RawNumber;

/** Amounts were already rounded to the currency; this only guarantees the published form. */
export function amountIn(decimals: number): Amount {
  return (value) => exactNumber(round(value, decimals));
}

/** The breakdown as every invoice shows it. */
export function taxesOf(groups: readonly TaxGroup[], amount: Amount) {
  return groups.map(({ tax, regime, qualification, rate, surchargeRate, amounts }) =>
    present({
      type_tax: tax,
      regime: regime ?? null,
      qualification,
      tax_rate: exactNumber(rate),
      base: amount(amounts.base),
      tax: amount(amounts.tax),
      equivalence_surcharge_rate: exactNumber(surchargeRate ?? ZERO),
      equivalence_surcharge: amount(amounts.surcharge),
      outside_margin: amounts.outsideMargin && amount(amounts.outsideMargin),
    }),
  );
}
