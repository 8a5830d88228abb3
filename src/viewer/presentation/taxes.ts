import type { Amounts, InvoiceDocument, TaxGroup } from "../../domain/invoice/document.ts";
import { consumptionCountry } from "../../domain/invoice/oss.ts";
import { sumAmounts } from "../../domain/invoice/tax-groups.ts";
import { add, compare, isZero, ZERO } from "../../domain/shared/decimal.ts";
import type { Language } from "../../words/words.ts";
import { printedGroups } from "./line-amounts.ts";
import { groupWords, isTaxed } from "./tax-words.ts";
import { type Coin, EURO } from "./totals.ts";
import { figure, fill, rateText, WORDS, type Words } from "./words.ts";

export interface TaxRow {
  readonly name: Words;
  /** The article or rule after the name. */
  readonly law?: string;
  /** One per column after the name; empty without a value. */
  readonly cells: readonly string[];
}

export interface TaxTable {
  readonly caption: string;
  /** The first names the tax, the others are columns of figures. */
  readonly heads: readonly string[];
  /** Empty if no tax is shown. */
  readonly rows: readonly TaxRow[];
  /** Absent if there is only one row. */
  readonly sum?: TaxRow;
}

/** One row per group: the highest rate first, its surcharge below it, untaxed groups last. */
export function taxTable(document: InvoiceDocument, coin: Coin, language: Language): TaxTable {
  const country = consumptionCountry(document);
  const columns: Columns = { coin, inEuros: coin.currency !== "EUR", language, country };
  const groups = printedGroups(document.groups);
  const rows = groups.toSorted(byRate).flatMap((group) => rowsOf(group, columns));
  const sum: TaxRow = {
    name: { text: fill(WORDS.sum, language), language },
    cells: cellsOf([sumOf(groups, "amounts"), sumOf(groups, "eur")].map(taxInAll), columns),
  };
  return {
    caption: fill(WORDS.taxes, language),
    heads: headsOf(columns),
    rows,
    ...(rows.length > 1 ? { sum } : {}),
  };
}

function sumOf(groups: readonly TaxGroup[], side: "amounts" | "eur"): Amounts {
  return sumAmounts(groups.map((group) => group[side]));
}

interface Columns {
  readonly coin: Coin;
  readonly inEuros: boolean;
  readonly language: Language;
  /** Of one-stop-shop sales. */
  readonly country: string | undefined;
}

function headsOf({ coin, inEuros, language }: Columns): string[] {
  const [base, tax] = [fill(WORDS.base, language), fill(WORDS.taxAmount, language)];
  const figures = inEuros
    ? [`${base} ${coin.currency}`, `${tax} ${coin.currency}`, `${base} EUR`, `${tax} EUR`]
    : [base, tax];
  return [fill(WORDS.tax, language), ...figures];
}

function byRate(a: TaxGroup, b: TaxGroup): number {
  return Number(isTaxed(b)) - Number(isTaxed(a)) || compare(b.rate, a.rate);
}

function rowsOf(group: TaxGroup, columns: Columns): TaxRow[] {
  const { language, country } = columns;
  const own = groupWords(group, language, country);
  const sides = [group.amounts, group.eur];
  const row = { ...own, cells: cellsOf(sides.map(isTaxed(group) ? baseAndTax : baseOnly), columns) };
  if (isZero(group.surchargeRate ?? ZERO)) return [row];
  const text = `${fill(WORDS.surcharge, language)} ${rateText(group.surchargeRate ?? ZERO, language)}`;
  return [row, { name: { text, language }, cells: cellsOf(sides.map(surchargeOnly), columns) }];
}

interface Side {
  readonly base?: Amounts["base"];
  readonly tax?: Amounts["tax"];
}

function baseAndTax({ base, tax }: Amounts): Side {
  return { base, tax };
}

function baseOnly({ base }: Amounts): Side {
  return { base };
}

/** Its base is in the row above and must not count twice. */
function surchargeOnly({ surcharge }: Amounts): Side {
  return { tax: surcharge };
}

function taxInAll({ base, tax, surcharge }: Amounts): Side {
  return { base, tax: add(tax, surcharge) };
}

function cellsOf(sides: readonly Side[], { coin, inEuros, language }: Columns): string[] {
  const [own = {}, eur = {}] = sides;
  const cells = (side: Side, { decimals }: Coin) =>
    [side.base, side.tax].map((amount) => (amount === undefined ? "" : figure(amount, decimals, language)));
  return inEuros ? [...cells(own, coin), ...cells(eur, EURO)] : cells(own, coin);
}
