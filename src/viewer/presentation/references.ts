import type {
  Amounts,
  CitedInvoice,
  InvoiceDocument,
  Rectified,
  TaxGroup,
} from "../../domain/invoice/document.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { CITED, REPLACES, WITH_FLAG } from "../../domain/invoice/legal-mentions.ts";
import { scaleOf } from "../../domain/invoice/prepare.ts";
import { hasFlag, isRectifying, type RectifiedPeriod } from "../../domain/invoice/request.ts";
import {
  grossOf,
  NOTHING,
  recordableEur,
  subtractAmounts,
  sumAmounts,
} from "../../domain/invoice/tax-groups.ts";
import { type Decimal, decimal, isZero, subtract, sum, ZERO } from "../../domain/shared/decimal.ts";
import type { RegistrationContent } from "../../domain/verifactu/record.ts";
import type { Bilingual, Language } from "../../words/words.ts";
import { marginGroups, printedGroups } from "./line-amounts.ts";
import { type Coin, EURO } from "./totals.ts";
import { fill, legalWords, moneyText, shortDate, shownText, type Words } from "./words.ts";

/** A statement about another invoice, or about a missing recipient. */
export interface Statement {
  readonly words: Words;
  /** Cause and amounts of a correction. */
  readonly details: readonly string[];
}

const RECTIFIES: Readonly<
  Record<"difference" | "substitution", readonly [one: Bilingual, several: Bilingual]>
> = {
  difference: [
    { es: "Rectifica la factura {cited}, por diferencias", en: "Corrects invoice {cited}, by difference" },
    {
      es: "Rectifica las facturas {cited}, por diferencias",
      en: "Corrects invoices {cited}, by difference",
    },
  ],
  substitution: [
    {
      es: "Rectifica la factura {cited}, por sustitución",
      en: "Corrects invoice {cited}, by substitution",
    },
    {
      es: "Rectifica las facturas {cited}, por sustitución",
      en: "Corrects invoices {cited}, by substitution",
    },
  ],
};

/** Article 15.4 RD 1619/2012. */
const RECTIFIES_PERIOD: Bilingual = {
  es: "Rectificación del periodo del {from} al {to}, por diferencias",
  en: "Correction of the period from {from} to {to}, by difference",
};

const CAUSE: Bilingual = { es: "Causa: {cause}", en: "Cause: {cause}" };

export function statementsOf(
  { document }: InvoiceView,
  registration: RegistrationContent,
  language: Language,
): Statement[] {
  const { request, cited } = document;
  const statements: Statement[] = [];
  if (isRectifying(request.invoiceType)) {
    const words = RECTIFIES[request.rectificationMethod ?? "difference"];
    const details = [
      fill(CAUSE, language, { cause: shownText(request.description) }),
      ...correctionTexts(document, registration, language),
    ];
    const { rectifiedPeriod: period } = request;
    statements.push({ words: period ? inPeriod(period, language) : citing(words, cited, language), details });
  } else if (cited.length > 0) {
    statements.push({ words: citing(REPLACES, cited, language), details: [] });
  }
  const flagged = hasFlag(request, "no_recipient_article_6_1_d")
    ? WITH_FLAG.no_recipient_article_6_1_d
    : hasFlag(request, "qualified_simplified_art_7_2_3") && WITH_FLAG.qualified_simplified_art_7_2_3;
  if (flagged) statements.push({ words: legalWords(flagged, language), details: [] });
  return statements;
}

function citing(
  [one, several]: readonly [Bilingual, Bilingual],
  cited: readonly CitedInvoice[],
  language: Language,
): Words {
  const invoices = (spoken: Language) => citedText(cited, spoken);
  return legalWords(cited.length === 1 ? one : several, language, { cited: invoices });
}

function inPeriod({ from, to }: RectifiedPeriod, language: Language): Words {
  const values = { from: shortDate(from), to: shortDate(to) };
  return legalWords(RECTIFIES_PERIOD, language, values);
}

function citedText(cited: readonly CitedInvoice[], language: Language): string {
  const texts = cited.map(({ number, issueDate }) =>
    fill(CITED, language, { number, date: shortDate(issueDate) }),
  );
  const last = texts.pop() ?? "";
  if (texts.length === 0) return last;
  return `${texts.join("; ")}${language === "es" ? ", y" : " and"} ${last}`;
}

const CORRECTION: Bilingual = {
  es: "Importe de la rectificación: {amounts}",
  en: "Amount of the correction: {amounts}",
};
const CORRECTED: Bilingual = { es: "Importe rectificado: {amounts}", en: "Amount corrected: {amounts}" };
// A label and its amount stay on one line.
const BASE: Bilingual = { es: "base\u00a0{amount}", en: "taxable\u00a0{amount}" };
const TAX: Bilingual = { es: "cuota\u00a0{amount}", en: "tax\u00a0{amount}" };
const SURCHARGE: Bilingual = {
  es: "recargo de equivalencia\u00a0{amount}",
  en: "equivalence surcharge\u00a0{amount}",
};

const PRICE: Bilingual = { es: "precio\u00a0{amount}", en: "price\u00a0{amount}" };

/** In the currency of the invoice, and in euros if that is another currency. */
interface Sides {
  readonly own: Parts;
  readonly eur: Parts;
  readonly coin: Coin;
}

/** Amounts shown with their tax, and amounts that the margin scheme shows by price alone. */
interface Parts {
  readonly withTax?: Amounts;
  readonly price?: Decimal;
}

/**
 * Article 15.5 RD 1619/2012: an invoice with corrected amounts also shows the difference, next to the earlier
 * amounts.
 */
function correctionTexts(
  document: InvoiceDocument,
  registration: RegistrationContent,
  language: Language,
): string[] {
  const withTax = document.rectified
    ? asKept(document, document.rectified)
    : asRecorded(document, registration);
  if (!withTax) return [];
  return [
    fill(CORRECTION, language, { amounts: amountsText(withTax.correction, language) }),
    fill(CORRECTED, language, { amounts: amountsText(withTax.corrected, language) }),
  ];
}

interface ShownCorrection {
  readonly correction: Sides;
  readonly corrected: Sides;
}

function asKept(
  { request, groups }: InvoiceDocument,
  { groups: before, elsewhere }: Rectified,
): ShownCorrection | undefined {
  // An external invoice has no price: under the margin scheme none of its amounts can be shown.
  if (elsewhere && printedGroups(groups).length === 0) return undefined;
  const coin = { currency: request.currency, decimals: scaleOf(request.currency) };
  const all = [...before, ...groups];
  const isTold = printedGroups(all).length > 0 || elsewhere !== undefined;
  const hasPrice = marginGroups(all).length > 0;
  const partsOf = (of: readonly TaxGroup[], side: "amounts" | "eur", more?: Amounts): Parts => ({
    ...(isTold
      ? { withTax: sumAmounts([...printedGroups(of).map((group) => group[side]), ...(more ? [more] : [])]) }
      : {}),
    ...(hasPrice ? { price: sum(marginGroups(of).map((group) => grossOf(group[side]))) } : {}),
  });
  const corrected = {
    own: partsOf(before, "amounts", elsewhere?.amounts),
    eur: partsOf(before, "eur", elsewhere?.eur),
  };
  const correction = {
    own: less(partsOf(groups, "amounts"), corrected.own),
    eur: less(partsOf(groups, "eur"), corrected.eur),
  };
  return { correction: { ...correction, coin }, corrected: { ...corrected, coin } };
}

/** Older documents leave it to ImporteRectificacion, in euros as in the record. */
function asRecorded(
  { groups }: InvoiceDocument,
  { rectifiedAmounts }: RegistrationContent,
): ShownCorrection | undefined {
  if (!rectifiedAmounts) return undefined;
  const { base, tax, surcharge = "0" } = rectifiedAmounts;
  const withTax = { base: decimal(base), tax: decimal(tax), surcharge: decimal(surcharge) };
  const correction = less({ withTax: sumAmounts(groups.map(recordableEur)) }, { withTax: withTax });
  return {
    correction: { own: correction, eur: correction, coin: EURO },
    corrected: { own: { withTax: withTax }, eur: { withTax: withTax }, coin: EURO },
  };
}

function less(after: Parts, before: Parts): Parts {
  return {
    ...(after.withTax ? { withTax: subtractAmounts(after.withTax, before.withTax ?? NOTHING) } : {}),
    ...(after.price === undefined ? {} : { price: subtract(after.price, before.price ?? ZERO) }),
  };
}

function amountsText({ own, eur, coin }: Sides, language: Language): string {
  const part = (words: Bilingual, of: (parts: Parts) => Decimal | undefined) => {
    const amount = moneyText(of(own) ?? ZERO, coin, language);
    const euros = coin.currency === EURO.currency ? "" : ` (${moneyText(of(eur) ?? ZERO, EURO, language)})`;
    return fill(words, language, { amount: amount + euros });
  };
  const hasSurcharge = [own, eur].some(({ withTax }) => !isZero(withTax?.surcharge ?? ZERO));
  return [
    ...(own.withTax
      ? [part(BASE, ({ withTax }) => withTax?.base), part(TAX, ({ withTax }) => withTax?.tax)]
      : []),
    ...(hasSurcharge ? [part(SURCHARGE, ({ withTax }) => withTax?.surcharge)] : []),
    ...(own.price === undefined ? [] : [part(PRICE, ({ price }) => price)]),
  ].join(", ");
}
