import type { InvoiceDocument, TaxGroup } from "../../domain/invoice/document.ts";
import { identifierOf } from "../../domain/invoice/prepare.ts";
import { isOfMargin, isOss } from "../../domain/invoice/tax-groups.ts";
import { compare, type Decimal } from "../../domain/shared/decimal.ts";
import { type Bilingual, countryText, type Language, numberText } from "../../words/words.ts";
import { marginName } from "./margin.ts";
import { groupWords, OSS_REGIME, REVERSE_CHARGE, regimeWords } from "./tax-words.ts";
import { fill, legalWords, plainWords, rateText, shortDate, type Words } from "./texts.ts";
import { WORDS } from "./words.ts";

const OSS_IN_COUNTRY: Bilingual = {
  es: "{regime}: IVA de {country} al {rates}. Importe que figura en el código QR: {total}",
  en: "{regime}: VAT of {country} at {rates}. Amount in the QR code: {total}",
};
const OSS_SOMEWHERE: Bilingual = {
  es: "{regime}: IVA del país de consumo al {rates}. Importe que figura en el código QR: {total}",
  en: "{regime}: VAT of the country of consumption at {rates}. Amount in the QR code: {total}",
};

export interface NoteFacts {
  readonly language: Language;
  /** Whether the rate is the European Central Bank's own. */
  readonly isEcbRate: boolean;
  /** ImporteTotal of the record, as money. */
  readonly recordTotal: string;
}

/** The notes next to the totals: conversion to euros, special regimes, the figure of the QR. */
export function notesOf(document: InvoiceDocument, facts: NoteFacts): Words[] {
  return [
    ...exchangeNote(document, facts),
    ...ossNote(document, facts),
    ...reverseChargeNote(document, facts),
    ...regimeNotes(document, facts),
  ];
}

/** Only of one-stop-shop sales is the figure in the QR not the total in euros. */
export function isQrAmountAside({ groups }: InvoiceDocument): boolean {
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
  const country = document.consumedIn ?? document.request.recipient?.country ?? HOME;
  const values = {
    regime: fill(OSS_REGIME, language),
    country: countryText(country, language),
    rates: ratesText(rates, language),
    total: recordTotal,
  };
  return [plainWords(country === HOME ? OSS_SOMEWHERE : OSS_IN_COUNTRY, language, values)];
}

/** No sale of the one-stop shop is consumed here: the recipient's country is not that of consumption. */
const HOME = "ES";

function ratesText(rates: readonly Decimal[], language: Language): string {
  return rates.map((rate) => rateText(rate, language)).join(language === "es" ? " y al " : " and ");
}

/** A service located where a business of the EU has its VAT number: article 6.1.m RD 1619/2012. */
function reverseChargeNote({ request, groups }: InvoiceDocument, { language }: NoteFacts): Words[] {
  if (identifierOf(request.recipient)?.kind !== "eu_vat") return [];
  const located = groups.filter((group) => group.qualification === "N2" && !isOss(group));
  if (located.length === 0) return [];
  return [ofGroups(legalWords(REVERSE_CHARGE, language), located, { groups, language })];
}

/** Each special regime once; of which groups, where others stand beside them. */
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
