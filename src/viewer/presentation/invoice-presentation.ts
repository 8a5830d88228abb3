import { annulmentsOf } from "../../domain/invoice/invoice-records.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { scaleOf } from "../../domain/invoice/prepare.ts";
import { isRectifying } from "../../domain/invoice/request.ts";
import { invariant } from "../../domain/shared/result.ts";
import { qrUrl } from "../../domain/verifactu/qr-url.ts";
import type { RegistrationContent } from "../../domain/verifactu/record.ts";
import { amountText, type Language } from "../../words/words.ts";
import { currencyText } from "./currency-name.ts";
import { includedWords, type LineTable, lineTable } from "./lines.ts";
import { isQrAmountAside, notesOf } from "./notes.ts";
import { issuerOf, type Party, recipientOf } from "./parties.ts";
import { type Statement, statementsOf } from "./references.ts";
import { type TaxTable, taxTable } from "./taxes.ts";
import {
  fill,
  type Labelled,
  legalWords,
  moneyText,
  plainWords,
  shortDate,
  shownText,
  type Words,
} from "./texts.ts";
import { type Coin, type TotalRow, totalRows } from "./totals.ts";
import { INVOICE, LEGAL, WORDS } from "./words.ts";

/** The whole content of an invoice in reading order: page and PDF only lay it out. */
export interface InvoicePresentation {
  readonly language: Language;
  readonly number: string;
  readonly title: Words;
  /** For a test, or for an installation that does not submit to the real authority. */
  readonly testMark?: Words;
  /** Under the number of an invoice that was annulled. */
  readonly cancelled?: Words;
  /** Later changes: annulled, corrected, replaced. Shown around the sheet, never on it. */
  readonly notices: readonly string[];
  readonly issueDate: string;
  /** Dates, order and currency. */
  readonly details: readonly Labelled[];
  /** Absent where no authority would know the invoice. */
  readonly qr?: QrBlock;
  readonly issuer: Party;
  readonly recipient?: { readonly label: string; readonly party: Party };
  readonly subject?: Labelled;
  readonly statements: readonly Statement[];
  readonly lines: LineTable;
  readonly taxes: TaxTable;
  readonly totals: readonly TotalRow[];
  readonly total: string;
  readonly notes: readonly Words[];
  /** Register details of a company, at the foot. */
  readonly registry?: string;
  readonly record: RecordIdentity;
}

export interface QrBlock {
  readonly url: string;
  readonly above: Words;
  readonly below: Words;
  /** The figure in the QR where it is not the invoice's total. */
  readonly amount?: string;
}

/** Which record proves the document: its hash and instants, as the record itself writes them. */
export interface RecordIdentity {
  readonly hash: string;
  readonly generatedAt: string;
  /** The last record that changed the content of the document. */
  readonly changedAt: string;
}

export interface PresentationOptions {
  readonly language: Language;
  /** The shop's name of its order. */
  readonly orderReference?: string;
  /** Whether the exchange rate was taken from the European Central Bank. */
  readonly isEcbRate?: boolean;
}

export function presentInvoice(view: InvoiceView, options: PresentationOptions): InvoicePresentation {
  const { document } = view;
  const { language } = options;
  const registration = registrationOf(view);
  const { currency } = document.request;
  const coin: Coin = { currency, decimals: scaleOf(currency) };
  const lines = lineTable(document, coin, language);
  const included = lines.included && includedWords(document, language);
  const recipient = recipientOf(view, registration, language);
  const subject = subjectOf(view, options);
  const { registry } = document.issuer;
  return {
    language,
    number: view.fullNumber,
    title: titleOf(view, language),
    ...testMarkOf(view, language),
    ...cancelledMark(view, language),
    notices: noticesOf(view, language),
    issueDate: shortDate(view.issueDate)(language),
    details: detailsOf(view, options),
    ...(view.trial ? {} : { qr: qrOf(view, registration, language) }),
    issuer: issuerOf(view, language),
    ...(recipient ? { recipient: { label: fill(WORDS.customer, language), party: recipient } } : {}),
    ...(subject ? { subject } : {}),
    statements: statementsOf(view, registration, language),
    lines,
    taxes: taxTable(document, coin, language),
    totals: totalRows(document, { coin, language, ...(included ? { included } : {}) }),
    total: moneyText(document.totals.total, coin, language),
    notes: notesOf(document, {
      language,
      isEcbRate: options.isEcbRate ?? false,
      recordTotal: amountText(registration.total, "EUR", language),
    }),
    ...(registry === undefined ? {} : { registry: shownText(registry) }),
    record: identityOf(view),
  };
}

/** With an unproven NIF it is no invoice, for any authority. */
function testMarkOf({ environment, document }: InvoiceView, language: Language) {
  if (document.test) return { testMark: legalWords(LEGAL.unproven, language) };
  return environment === "test" ? { testMark: legalWords(LEGAL.test, language) } : {};
}

function registrationOf({ alta }: InvoiceView): RegistrationContent {
  const { content } = alta.record;
  invariant(content.kind === "ALTA", "an invoice is registered by an ALTA record");
  return content;
}

function titleOf({ document }: InvoiceView, language: Language): Words {
  const { invoiceType, regime } = document.request;
  if (isRectifying(invoiceType)) return legalWords(LEGAL.rectifying, language);
  if (regime === "art7_simplified") return legalWords(LEGAL.simplified, language);
  return plainWords(INVOICE, language);
}

function cancelledMark(view: InvoiceView, language: Language) {
  const date = cancelledOn(view);
  return date === undefined ? {} : { cancelled: legalWords(LEGAL.cancelled, language, { date }) };
}

/**
 * The record's own literal begins with the day in the issuer's zone. An annulment that had to be repeated
 * cancelled the invoice the first time.
 */
function cancelledOn(view: InvoiceView) {
  const first = annulmentsOf(view)[0] ?? view.cancellation;
  return first && shortDate(first.record.content.generatedAt.slice(0, 10));
}

function noticesOf(view: InvoiceView, language: Language): string[] {
  const { rectifiedBy } = view;
  const date = cancelledOn(view);
  const acting = rectifiedBy.filter(({ inForce }) => inForce);
  const corrections = acting.filter(({ kind }) => kind === "difference");
  const numbers = corrections.map(({ fullNumber }) => fullNumber).join(", ");
  const successors = acting.filter(({ kind }) => kind !== "difference");
  return [
    ...(date === undefined ? [] : [fill(WORDS.cancelledNotice, language, { date })]),
    ...(corrections.length > 0 ? [fill(WORDS.rectifiedNotice, language, { numbers })] : []),
    ...successors.map(({ fullNumber, issueDate }) =>
      fill(WORDS.replacedNotice, language, { number: fullNumber, date: shortDate(issueDate) }),
    ),
  ];
}

function detailsOf({ document, issueDate }: InvoiceView, options: PresentationOptions): Labelled[] {
  const { language, orderReference } = options;
  const { operationDate, request } = document;
  const labelled = (label: keyof typeof WORDS, value: string) => ({
    label: fill(WORDS[label], language),
    value,
  });
  return [
    labelled("issueDate", shortDate(issueDate)(language)),
    ...(operationDate === undefined ? [] : [labelled("operationDate", shortDate(operationDate)(language))]),
    ...(orderReference === undefined ? [] : [labelled("order", shownText(orderReference))]),
    ...(request.currency === "EUR" ? [] : [labelled("currency", currencyText(request.currency, language))]),
  ];
}

/** The subject of an order's invoice is its order; of a correction, its cause. */
function subjectOf({ document }: InvoiceView, options: PresentationOptions): Labelled | undefined {
  const { description, invoiceType } = document.request;
  const isOrder = options.orderReference !== undefined && description === `Pedido ${options.orderReference}`;
  if (isOrder || isRectifying(invoiceType)) return undefined;
  return { label: fill(WORDS.subject, options.language), value: shownText(description) };
}

function qrOf(view: InvoiceView, { key, total }: RegistrationContent, language: Language): QrBlock {
  const isAside = isQrAmountAside(view.document);
  const amount = amountText(total, "EUR", language);
  return {
    url: qrUrl({ environment: view.environment, key, total }),
    above: legalWords(LEGAL.qrAbove, language),
    below: legalWords(LEGAL.qrBelow, language),
    ...(isAside ? { amount: fill(WORDS.amountInQr, language, { amount }) } : {}),
  };
}

function identityOf({ alta, cancellation }: InvoiceView): RecordIdentity {
  const { hash, content } = alta.record;
  const { generatedAt } = content;
  return { hash, generatedAt, changedAt: cancellation?.record.content.generatedAt ?? generatedAt };
}
