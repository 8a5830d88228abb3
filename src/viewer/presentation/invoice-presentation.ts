import type { InvoiceLook } from "../../domain/brand/look.ts";
import type { InvoiceDocument, TaxGroup } from "../../domain/invoice/document.ts";
import { annulmentsOf, type InvoiceView } from "../../domain/invoice/invoice-view.ts";
import {
  OSS_IN_COUNTRY,
  OSS_REGIME,
  OSS_SOMEWHERE,
  REVERSE_CHARGE,
  TEST_MARKS,
} from "../../domain/invoice/legal-mentions.ts";
import { consumptionCountry } from "../../domain/invoice/oss.ts";
import { identifierOf, scaleOf } from "../../domain/invoice/prepare.ts";
import { isRectifying, type Recipient } from "../../domain/invoice/request.ts";
import { isOfMargin, isOss } from "../../domain/invoice/tax-groups.ts";
import { compare, type Decimal } from "../../domain/shared/decimal.ts";
import { invariant } from "../../domain/shared/result.ts";
import { qrUrl, type RecordRecipient, type RegistrationContent } from "../../domain/verifactu/record.ts";
import { amountText, type Bilingual, countryText, type Language, numberText } from "../../words/words.ts";
import { marginName } from "./line-amounts.ts";
import { includedWords, type LineTable, lineTable } from "./lines.ts";
import { type Statement, statementsOf } from "./references.ts";
import { groupWords, regimeWords } from "./tax-words.ts";
import { type TaxTable, taxTable } from "./taxes.ts";
import { type Coin, type TotalRow, totalRows } from "./totals.ts";
import { centreLines, paymentNote, tradeDetails } from "./trade-words.ts";
import {
  fill,
  INVOICE,
  type Labelled,
  LEGAL,
  legalWords,
  moneyText,
  plainWords,
  rateText,
  shortDate,
  shownText,
  WORDS,
  type Words,
} from "./words.ts";

/** The whole content of an invoice in reading order: page and PDF only lay it out. */
export interface InvoicePresentation {
  readonly language: Language;
  readonly number: string;
  readonly title: Words;
  /** For a test, or for an installation that does not submit to the real AEAT. */
  readonly testMark?: Words;
  /** Under the number of an invoice that was annulled. */
  readonly cancelled?: Words;
  /** Later changes: annulled, corrected, replaced. Shown around the sheet, never on it. */
  readonly notices: readonly string[];
  readonly issueDate: string;
  /** Dates, order and currency. */
  readonly details: readonly Labelled[];
  /** Absent if no tax authority would know the invoice. */
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
  /** The owner's own text, above the register details. */
  readonly footer?: string;
  /** Register details of a company, at the foot. */
  readonly registry?: string;
  /** The owner's colour of title and rule, `#RRGGBB`, readable on white. */
  readonly accent?: string;
  readonly logo?: ShownLogo;
  readonly record: RecordIdentity;
}

export interface ShownLogo {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Where a page loads it from. */
  readonly url: string;
}

export interface QrBlock {
  readonly url: string;
  readonly above: Words;
  readonly below: Words;
  /** The figure in the QR if it differs from the invoice's total. */
  readonly amount?: string;
}

/** The record that proves the document: its hash and instants, as the record itself writes them. */
interface RecordIdentity {
  readonly hash: string;
  readonly generatedAt: string;
  /** The last record that changed the content of the document. */
  readonly changedAt: string;
}

export interface PresentationOptions {
  readonly language: Language;
  /** The shop's name of its order. */
  readonly orderReference?: string;
  /** True if the exchange rate is that of the European Central Bank. */
  readonly isEcbRate?: boolean;
  readonly look?: InvoiceLook;
  /** Where a page loads the logo of the look from; a PDF contains it. */
  readonly logoUrl?: string;
  /** True if it is only shown what an invoice would be. */
  readonly isDraft?: boolean;
}

export interface PdfOptions extends PresentationOptions {
  readonly creator: string;
  /** Red, green and blue of each pixel of the look's logo, as a stream of zlib. */
  readonly picture?: Uint8Array<ArrayBuffer>;
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
  const { footer } = document;
  return {
    language,
    number: view.fullNumber,
    title: titleOf(view, language),
    ...(options.isDraft ? { testMark: legalWords(TEST_MARKS.draft, language) } : testMarkOf(view, language)),
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
    ...(footer === undefined ? {} : { footer: shownText(footer) }),
    ...(registry === undefined ? {} : { registry: shownText(registry) }),
    ...lookOf(options),
    record: identityOf(view),
  };
}

/** QR and legal words are the same under every look. */
function lookOf({ look = {}, logoUrl = "" }: PresentationOptions) {
  const { accent, logo } = look;
  return {
    ...(accent ? { accent: accent.printed } : {}),
    ...(logo ? { logo: { width: logo.width, height: logo.height, url: logoUrl } } : {}),
  };
}

/** With an unproven NIF it is not an invoice for any tax authority. */
function testMarkOf({ environment, document }: InvoiceView, language: Language) {
  if (document.test) return { testMark: legalWords(TEST_MARKS.unproven, language) };
  return environment === "test" ? { testMark: legalWords(TEST_MARKS.test, language) } : {};
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
 * The record's own literal begins with the day in the issuer's zone. If an annulment was repeated, the first
 * one cancelled the invoice.
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
    ...tradeDetails(document, language),
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

const namesIn = new Map<Language, Intl.DisplayNames>();

/** Made on first use: it costs the start of the Worker several milliseconds. */
function namesOf(language: Language): Intl.DisplayNames {
  const made = namesIn.get(language) ?? new Intl.DisplayNames([language], { type: "currency" });
  namesIn.set(language, made);
  return made;
}

/** `GBP, libra esterlina`: the code, and the name if it has one. */
function currencyText(currency: string, language: Language): string {
  const name = namesOf(language).of(currency);
  return name === undefined || name === currency ? currency : `${currency}, ${name}`;
}

interface NoteFacts {
  readonly language: Language;
  /** True if the rate is the European Central Bank's own. */
  readonly isEcbRate: boolean;
  /** ImporteTotal of the record, as money. */
  readonly recordTotal: string;
}

/** The notes next to the totals: conversion to euros, special regimes, the figure of the QR, payment. */
function notesOf(document: InvoiceDocument, facts: NoteFacts): Words[] {
  return [
    ...exchangeNote(document, facts),
    ...ossNote(document, facts),
    ...reverseChargeNote(document, facts),
    ...regimeNotes(document, facts),
    ...paymentNote(document, facts.language),
  ];
}

/** The figure in the QR differs from the total in euros only for one-stop-shop sales. */
function isQrAmountAside({ groups }: InvoiceDocument): boolean {
  return groups.some(isOss);
}

function exchangeNote(document: InvoiceDocument, { language, isEcbRate }: NoteFacts): Words[] {
  const { currency, exchangeRate, exchangeRateDate } = document.request;
  if (exchangeRate === undefined || exchangeRateDate === undefined) return [];
  const values = { date: shortDate(exchangeRateDate), rate: numberText(exchangeRate, language), currency };
  const rate = fill(isEcbRate ? WORDS.exchangeRateEcb : WORDS.exchangeRate, language, values);
  const inQr = isQrAmountAside(document) ? "" : ` ${fill(WORDS.eurosInQr, language)}`;
  return [{ text: rate + inQr, language }];
}

function ossNote(document: InvoiceDocument, { language, recordTotal }: NoteFacts): Words[] {
  const rates = [...new Set(document.groups.filter(isOss).map(({ rate }) => rate))]
    .toSorted(compare)
    .reverse();
  if (rates.length === 0) return [];
  const country = consumptionCountry(document);
  const values = {
    regime: fill(OSS_REGIME, language),
    country: country === undefined ? "" : countryText(country, language),
    rates: ratesText(rates, language),
    total: recordTotal,
  };
  return [plainWords(country === undefined ? OSS_SOMEWHERE : OSS_IN_COUNTRY, language, values)];
}

function ratesText(rates: readonly Decimal[], language: Language): string {
  return rates.map((rate) => rateText(rate, language)).join(language === "es" ? " y al " : " and ");
}

/** A service located where an EU business has its VAT number: article 6.1.m RD 1619/2012. */
function reverseChargeNote({ request, groups }: InvoiceDocument, { language }: NoteFacts): Words[] {
  if (identifierOf(request.recipient)?.kind !== "eu_vat") return [];
  const located = groups.filter((group) => group.qualification === "N2" && !isOss(group));
  if (located.length === 0) return [];
  return [ofGroups(legalWords(REVERSE_CHARGE, language), located, { groups, language })];
}

/** Each special regime once; if it has only some of the groups, their names too. */
function regimeNotes({ groups }: InvoiceDocument, { language }: NoteFacts): Words[] {
  const byRegime = Map.groupBy(groups, (group) => regimeWords(group, language)?.text);
  return [...byRegime].flatMap(([text, members]) => {
    const words = members[0] && regimeWords(members[0], language);
    if (text === undefined || !words) return [];
    const isBeside = members.length < groups.length && members.some(({ amounts }) => isOfMargin(amounts));
    return [ofGroups(isBeside ? withFinalPrices(words) : words, members, { groups, language })];
  });
}

/** Among prices without tax, a note says that prices of the margin scheme are final. */
function withFinalPrices({ gloss, ...words }: Words): Words {
  return {
    ...{ ...words, text: `${words.text}; ${FINAL_PRICES.es}` },
    ...(gloss === undefined ? {} : { gloss: `${gloss}; ${FINAL_PRICES.en}` }),
  };
}

const FINAL_PRICES: Bilingual = { es: "precios finales", en: "final prices" };

interface AllGroups {
  readonly groups: readonly TaxGroup[];
  readonly language: Language;
}

function ofGroups(words: Words, members: readonly TaxGroup[], { groups, language }: AllGroups): Words {
  if (members.length === groups.length) return words;
  const nameOf = (group: TaxGroup) =>
    isOfMargin(group.amounts) ? marginName(group.regime) : groupWords(group, language).name.text;
  const names = [...new Set(members.map(nameOf))].join(", ");
  return { ...words, text: `${names}: ${words.text}` };
}

export interface Party {
  /** Empty if none is known. */
  readonly name: string;
  /** Identifier and address, one below the other. */
  readonly details: readonly string[];
}

function issuerOf({ document }: InvoiceView, language: Language): Party {
  const { name, nif, address1, postcode, city, phone, email } = document.issuer;
  const details = [
    ...[`${fill(WORDS.nif, language)} ${nif}`, address1, `${postcode} ${city}`],
    ...[phone, email].filter(isTold),
  ];
  return { name: shownText(name), details: details.map(shownText) };
}

/** Undefined without a recipient. */
function recipientOf(
  { document }: InvoiceView,
  registration: RegistrationContent,
  language: Language,
): Party | undefined {
  const { recipient } = document.request;
  if (!recipient) return undefined;
  const [identified] = registration.recipients ?? [];
  const details = [
    ...(identified ? [identifierText(identified, language)] : []),
    ...addressLines(recipient, language),
    ...centreLines(recipient, language),
  ];
  const { company = "" } = recipient;
  // An e-mail alone is where the invoice goes, and names nobody.
  if (company === "" && details.length === 0) return undefined;
  return { name: shownText(company), details: details.map(shownText) };
}

const EU_VAT = "02";

/** The identifier that the record for the AEAT has. */
function identifierText(recipient: RecordRecipient, language: Language): string {
  if ("nif" in recipient) return `${fill(WORDS.nif, language)} ${recipient.nif}`;
  const label = recipient.idType === EU_VAT ? WORDS.vatNumber : WORDS.idNumber;
  return `${fill(label, language)} ${recipient.id}`;
}

/** Abroad, the country follows the place. */
function addressLines({ address1, postcode, city, country }: Recipient, language: Language): string[] {
  const place = [postcode, city].filter(isTold).join(" ");
  const abroad = country === undefined || country === "ES" ? "" : countryText(country, language);
  return [address1, [place, abroad].filter(isTold).join(", ")].filter(isTold);
}

function isTold(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}
