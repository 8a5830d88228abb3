import type { InvoiceDocument } from "../../domain/invoice/document.ts";
import type { Tax } from "../../domain/invoice/request.ts";
import { add, type Decimal, isZero, ZERO } from "../../domain/shared/decimal.ts";
import { type Language, numberText } from "../../words/words.ts";
import { marginName, type PricedLine, type PricedLines, priceLines, printedGroups } from "./line-amounts.ts";
import { isTaxed, taxName } from "./tax-words.ts";
import type { Coin } from "./totals.ts";
import {
  figure,
  fill,
  LEGAL,
  LINE_TAX,
  legalWords,
  priceText,
  rateText,
  shownText,
  WORDS,
  type Words,
} from "./words.ts";

export interface LineRow {
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  /** Empty without a discount. */
  readonly discount: string;
  /** The rate with its surcharge, or the reason for no tax. */
  readonly tax: string;
  /** True if `tax` is a rate, which the name of the tax may precede. */
  readonly isRate: boolean;
  readonly amount: string;
  /** The sum up to this line, carried over to the next page. */
  readonly running: string;
}

export interface LineTable {
  readonly caption: string;
  readonly heads: {
    readonly description: string;
    readonly quantity: string;
    readonly price: string;
    readonly discount: string;
    readonly tax: string;
    readonly amount: string;
  };
  /** `IVA incluido`, under the head of the amounts. */
  readonly included?: Words;
  readonly hasDiscounts: boolean;
  readonly hasSurcharges: boolean;
  /** The name of the invoice's only tax; absent if it has several. */
  readonly taxName?: string;
  readonly rows: readonly LineRow[];
}

export function lineTable(document: InvoiceDocument, coin: Coin, language: Language): LineTable {
  const priced = priceLines(document);
  const tax = onlyTax(document);
  const name = tax === undefined ? undefined : taxName(tax, language);
  const currency = coin.currency === "EUR" ? "" : ` ${coin.currency}`;
  const included = priced.taxIncluded && isAnyTaxed(document) ? includedWords(document, language) : undefined;
  return {
    caption: fill(WORDS.lines, language),
    heads: {
      description: fill(WORDS.description, language),
      quantity: fill(WORDS.quantity, language),
      price: priceHead(priced, name, language),
      discount: fill(WORDS.discount, language),
      tax: name ?? fill(WORDS.tax, language),
      amount: `${fill(WORDS.amount, language)}${currency}`,
    },
    ...(included ? { included } : {}),
    hasDiscounts: document.request.lines.some(({ discountRate }) => !isZero(discountRate ?? ZERO)),
    hasSurcharges: document.request.lines.some(({ surchargeRate }) => !isZero(surchargeRate ?? ZERO)),
    ...(name === undefined ? {} : { taxName: name }),
    rows: rowsOf(priced.lines, { coin, language, namesTax: tax === undefined }),
  };
}

/** `IVA incluido`, by the tax of the invoice (article 7.1 RD 1619/2012). */
export function includedWords(document: InvoiceDocument, language: Language): Words {
  const tax = onlyTax(document);
  if (tax === undefined) return legalWords(LEGAL.taxesIncluded, language);
  return legalWords(LEGAL.taxIncluded, language, { tax: (spoken) => taxName(tax, spoken) });
}

/** The tax that all groups have. */
export function onlyTax({ groups, defaults }: InvoiceDocument): Tax | undefined {
  const taxes = new Set(groups.map(({ tax }) => tax));
  if (taxes.size === 0) return defaults.tax;
  return taxes.size === 1 ? groups[0]?.tax : undefined;
}

function isAnyTaxed({ groups }: InvoiceDocument): boolean {
  return printedGroups(groups).some(isTaxed);
}

function priceHead(
  { taxIncluded, lines }: PricedLines,
  name: string | undefined,
  language: Language,
): string {
  const isPriceAlone = lines.length > 0 && lines.every(({ key }) => key.margin !== undefined);
  if (taxIncluded || isPriceAlone) return fill(WORDS.price, language);
  return fill(WORDS.priceExcluding, language, { tax: name ?? fill(WORDS.anyTax, language) });
}

interface RowStyle {
  readonly coin: Coin;
  readonly language: Language;
  readonly namesTax: boolean;
}

function rowsOf(lines: readonly PricedLine[], style: RowStyle): LineRow[] {
  const { coin, language } = style;
  let running: Decimal = ZERO;
  return lines.map(({ line, key, price, amount }) => {
    running = add(running, amount);
    const discount = line.discountRate ?? ZERO;
    return {
      description: shownText(line.description),
      quantity: numberText(line.quantity, language),
      price: priceText(price, coin.decimals, language),
      discount: isZero(discount) ? "" : rateText(discount, language),
      ...lineTax(key, style),
      amount: figure(amount, coin.decimals, language),
      running: figure(running, coin.decimals, language),
    };
  });
}

function lineTax(key: PricedLine["key"], { language, namesTax }: RowStyle) {
  if (key.margin !== undefined) return { tax: marginName(key.regime), isRate: false };
  if (!isTaxed(key)) return { tax: fill(untaxedWords(key.qualification), language), isRate: false };
  const surcharge = isZero(key.surchargeRate ?? ZERO)
    ? ""
    : ` + ${rateText(key.surchargeRate ?? ZERO, language)}`;
  const name = namesTax ? `${taxName(key.tax, language)} ` : "";
  return { tax: `${name}${rateText(key.rate, language)}${surcharge}`, isRate: true };
}

function untaxedWords(qualification: string) {
  if (qualification === "S2") return LINE_TAX.reverseCharge;
  return qualification.startsWith("N") ? LINE_TAX.notSubject : LINE_TAX.exempt;
}
