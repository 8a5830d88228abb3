import {
  add,
  type Decimal,
  divide,
  HUNDRED,
  isZero,
  multiply,
  percentOf,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import type { Amounts, TaxGroup, TaxGroupKey, Totals } from "./document.ts";
import { toEur } from "./exchange.ts";
import { scaleOf } from "./prepare.ts";
import type { InvoiceRequest, RequestLine, Tax } from "./request.ts";

/** What lines without their own tax or regime get: the tax of the issuer's territory, the issuer's regime. */
export interface LineDefaults {
  readonly tax: Tax;
  readonly regime: string;
}

/** A line with its tax and regime decided. */
export interface ResolvedLine extends TaxGroupKey {
  readonly index: number;
  readonly lineId?: string;
  readonly amount: Decimal;
}

/**
 * The issuer's regime is that of S1 sales only: exempt and not subject lines leave it for the general one.
 */
export function resolveLine(
  line: RequestLine,
  index: number,
  amount: Decimal,
  defaults: LineDefaults,
): ResolvedLine {
  const tax = line.tax ?? defaults.tax;
  const regime = line.regime ?? (tax === "05" ? undefined : defaultRegimeOf(line, tax, defaults));
  return {
    index,
    ...(line.lineId === undefined ? {} : { lineId: line.lineId }),
    tax,
    ...(regime === undefined ? {} : { regime }),
    qualification: line.qualification,
    rate: line.taxRate,
    ...(line.surchargeRate === undefined ? {} : { surchargeRate: line.surchargeRate }),
    amount,
  };
}

/**
 * One-stop-shop sales: regime 17 of IVA, not subject here, taxed at the rate of the country of consumption.
 */
export function isOss(key: Pick<TaxGroupKey, "tax" | "regime">): boolean {
  return key.tax === "01" && key.regime === "17";
}

/** Lines that agree in tax, regime, qualification, rate and surcharge, in the order of their first line. */
export function formGroups(request: InvoiceRequest, lines: readonly ResolvedLine[]): TaxGroup[] {
  const byKey = new Map<string, ResolvedLine[]>();
  for (const line of lines) {
    const known = byKey.get(keyText(line));
    if (known) known.push(line);
    else byKey.set(keyText(line), [line]);
  }
  return [...byKey.values()].flatMap((members) => {
    const [first] = members;
    if (!first) return [];
    const key = keyOf(first);
    const amount = sum(members.map((line) => line.amount));
    const amounts = amountsOfGroup(request, key, amount);
    return [{ ...key, amounts, eur: amountsToEur(amounts, request.exchangeRate) }];
  });
}

/** Base, tax and surcharge of what the lines of a group come to: net, or with tax where prices include it. */
export function amountsOfGroup(
  request: Pick<InvoiceRequest, "currency" | "pricesIncludeTax">,
  key: TaxGroupKey,
  amount: Decimal,
): Amounts {
  const scale = scaleOf(request.currency);
  return request.pricesIncludeTax ? splitGross(key, amount, scale) : addTax(key, amount, scale);
}

export function keyOf(group: TaxGroupKey): TaxGroupKey {
  const { tax, regime, qualification, rate, surchargeRate } = group;
  return {
    tax,
    ...(regime === undefined ? {} : { regime }),
    qualification,
    rate,
    ...(surchargeRate === undefined ? {} : { surchargeRate }),
  };
}

export function keyText(key: TaxGroupKey): string {
  return [key.tax, key.regime ?? "", key.qualification, key.rate, key.surchargeRate ?? ""].join("|");
}

export function grossOf(amounts: Amounts): Decimal {
  return add(add(amounts.base, amounts.tax), amounts.surcharge);
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  return { base: add(a.base, b.base), tax: add(a.tax, b.tax), surcharge: add(a.surcharge, b.surcharge) };
}

export function subtractAmounts(a: Amounts, b: Amounts): Amounts {
  return {
    base: subtract(a.base, b.base),
    tax: subtract(a.tax, b.tax),
    surcharge: subtract(a.surcharge, b.surcharge),
  };
}

export function amountsToEur(amounts: Amounts, rate: Decimal | undefined): Amounts {
  return {
    base: toEur(amounts.base, rate),
    tax: toEur(amounts.tax, rate),
    surcharge: toEur(amounts.surcharge, rate),
  };
}

/** What the record says of a group: of one-stop-shop sales the base only. */
export function recordableEur(group: TaxGroup): Amounts {
  return isOss(group) ? { ...NOTHING, base: group.eur.base } : group.eur;
}

export const NOTHING: Amounts = { base: ZERO, tax: ZERO, surcharge: ZERO };

export function sumAmounts(all: Iterable<Amounts>): Amounts {
  let total = NOTHING;
  for (const amounts of all) total = addAmounts(total, amounts);
  return total;
}

export function isNothing(amounts: Amounts): boolean {
  return isZero(amounts.base) && isZero(amounts.tax) && isZero(amounts.surcharge);
}

export function totalsOf(amounts: Amounts): Totals {
  return { ...amounts, total: grossOf(amounts) };
}

/** EN 16931: the tax of a group is computed once, on the sum of its lines. */
function addTax(key: TaxGroupKey, base: Decimal, scale: number): Amounts {
  return {
    base,
    tax: percentOf(base, key.rate, scale),
    surcharge: percentOf(base, key.surchargeRate ?? ZERO, scale),
  };
}

/**
 * Prices with tax: the tax is what the base and the surcharge leave of the gross, so that the gross is kept.
 */
function splitGross(key: TaxGroupKey, gross: Decimal, scale: number): Amounts {
  const surchargeRate = key.surchargeRate ?? ZERO;
  const percent = add(add(HUNDRED, key.rate), surchargeRate);
  const base = divide(multiply(gross, HUNDRED), percent, scale);
  const surcharge = percentOf(base, surchargeRate, scale);
  return { base, tax: subtract(subtract(gross, base), surcharge), surcharge };
}

function defaultRegimeOf(line: RequestLine, tax: Tax, defaults: LineDefaults): string {
  return line.qualification === "S1" && tax === defaults.tax ? defaults.regime : "01";
}
