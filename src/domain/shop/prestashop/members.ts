import type { SentLine } from "../../order/sent-order.ts";
import {
  absolute,
  compare,
  type Decimal,
  decimal,
  divide,
  isZero,
  multiply,
  ONE,
  subtract,
  sum,
  ZERO,
} from "../../shared/decimal.ts";
import { present } from "../../shared/present.ts";
import { entriesIn } from "../envelopes.ts";
import type { Findings } from "../mapped.ts";
import { lookedUp, Native } from "../native.ts";
import { lineTax, makesTax, type NativeLine, type NativeTax, percentsOf } from "../rates.ts";
import type { ShopTables } from "../tables.ts";

/** A line of the order with what its refunds need of it. */
export interface PrestashopLine extends NativeLine {
  readonly sent: SentLine;
}

interface Amounts {
  readonly base: Decimal;
  readonly whole: Decimal;
}

interface Described {
  readonly lineId: string | undefined;
  readonly kind: "product" | "shipping" | "fee";
  readonly name?: string | undefined;
  readonly productId?: string | undefined;
  readonly quantity?: Decimal | undefined;
  /** Percents that the shop states for the line. */
  readonly stated: readonly Decimal[];
  readonly where: string;
}

const HUNDRED = decimal("100");
/** Points by which the prices may differ from the stated percent. */
const NEAR = decimal("0.1");
const RATIO_DECIMALS = 4;
const SHARE_DECIMALS = 6;

/**
 * A line of amounts without and with tax, at the stated percents, else at the one that its amounts prove.
 * Prices that say another percent than the shop contradict it.
 */
export function lineOf(
  { base, whole }: Amounts,
  described: Described,
  currency: string,
  findings: Findings,
): PrestashopLine {
  const { lineId, kind, name, productId, quantity, stated, where } = described;
  const tax = subtract(whole, base);
  const percent = sum(stated);
  const taxes = taxesOf(tax, stated, where);
  const line = { base, tax, quantity: quantity ?? ONE, taxes, where };
  const known = new Map(stated.map((rate, index) => [taxIdOf(where, index), rate] as const));
  if (stated.length > 0 && !isZero(base)) {
    const computed = divide(multiply(tax, HUNDRED), base, RATIO_DECIMALS);
    const isFar = compare(absolute(subtract(computed, percent)), NEAR) > 0;
    if (isFar && !makesTax(line, percent, tax, currency))
      findings.add("tax_rate", where, { stated: percent, computed: roundedText(computed) });
  }
  const taxed = lineTax(line, percentsOf([line], known, {}, currency), currency, findings);
  const sent = present({ lineId, productId, name, kind, quantity, base, ...taxed });
  return { ...line, sent };
}

function roundedText(percent: Decimal): Decimal {
  return divide(percent, ONE, 2);
}

function taxIdOf(where: string, index: number): string {
  return `${where} ${index}`;
}

/** Each stated tax has its share of the tax; without one there is a tax of the line's own. */
function taxesOf(tax: Decimal, stated: readonly Decimal[], where: string): readonly NativeTax[] {
  const percent = sum(stated);
  if (isZero(percent)) return isZero(tax) ? [] : [{ id: `${where} own`, amount: tax }];
  return stated.map((rate, index) => ({
    id: taxIdOf(where, index),
    amount: divide(multiply(tax, rate), percent, SHARE_DECIMALS),
  }));
}

/** Percents of the taxes of a line: by the documents of the taxes, else by the shop's table. */
export function statedPercents(
  detail: Native,
  taxes: readonly Native[],
  tables: Pick<ShopTables, "taxRates">,
  where: string,
  findings: Findings,
): readonly Decimal[] {
  const ids = entriesIn(detail.at("associations", "taxes"), ["taxes", "tax"]).flatMap(
    (tax) => tax.at("id").id() ?? [],
  );
  return ids.flatMap((id) => {
    const document = taxes.find((tax) => tax.at("id").id() === id);
    const percent = document?.at("rate").amount() ?? lookedUp(tables.taxRates, id);
    // The amounts may still prove it.
    if (percent === undefined && ids.length > 1) findings.add("tax_rate", where);
    return percent ?? [];
  });
}

/** Documents of an order: JSON as posted, or the children of XML. */
export function documentAt(documents: Readonly<Record<string, unknown>>, name: string): Native {
  const own = Object.hasOwn(documents, name) ? documents[name] : undefined;
  return own instanceof Native ? own : new Native(own);
}

export function amountsOf(
  place: Native,
  [without, within]: readonly [string, string],
  where: string,
  findings: Findings,
): Amounts {
  const base = findings.optionalAmount(place.at(without), where) ?? ZERO;
  const whole = findings.optionalAmount(place.at(within), where) ?? ZERO;
  return { base, whole };
}
