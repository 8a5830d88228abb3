import type { CivilDate } from "../shared/civil-date.ts";
import {
  add,
  type Decimal,
  divide,
  HUNDRED,
  isNegative,
  isPositive,
  isZero,
  multiply,
  percentOf,
  round,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import type { Fact } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { Amounts, TaxGroup, TaxGroupKey, Totals } from "./document.ts";
import { scaleOf } from "./prepare.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest, RequestLine, Tax } from "./request.ts";

/** Defaults of lines without tax or regime: the tax of the issuer's territory, the issuer's regime. */
export interface LineDefaults {
  readonly tax: Tax;
  readonly regime: string;
}

/** A line with its tax and regime decided. */
export interface ResolvedLine extends TaxGroupKey {
  readonly index: number;
  readonly lineId?: string;
  readonly amount: Decimal;
  readonly margin?: Decimal;
}

/** The issuer's regime applies to S1 sales only: exempt and not subject lines use the general regime. */
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
    ...(line.taxableMargin === undefined ? {} : { margin: line.taxableMargin }),
  };
}

/**
 * One-stop-shop sales: regime 17 of IVA, not subject in Spain, taxed at the rate of the country of
 * consumption.
 */
export function isOss(key: Pick<TaxGroupKey, "tax" | "regime">): boolean {
  return key.tax === "01" && key.regime === "17";
}

const MARGIN_REGIMES: readonly string[] = ["03", "05"];

/** Sales taxed by their margin: used goods, art, antiques; travel agencies (AEAT list L8A and L8B). */
export function isMarginScheme({ tax, regime = "", qualification }: TaxGroupKey): boolean {
  return (tax === "01" || tax === "03") && qualification === "S1" && MARGIN_REGIMES.includes(regime);
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
    const amounts = amountsOfLines(request, key, members);
    return [{ ...key, amounts, eur: amountsToEur(amounts, request.exchangeRate) }];
  });
}

/** Under the margin scheme the margins are taxed, and the prices paid all the same. */
function amountsOfLines(request: InvoiceRequest, key: TaxGroupKey, lines: readonly ResolvedLine[]): Amounts {
  const amount = sum(lines.map((line) => line.amount));
  if (lines.every(({ margin }) => margin === undefined)) return amountsOfGroup(request, key, amount);
  const margins = sum(lines.map((line) => line.margin ?? line.amount));
  const margin = round(margins, scaleOf(request.currency));
  return { ...amountsOfGroup(request, key, margin), outsideMargin: subtract(amount, margin) };
}

/** Base, tax and surcharge of a group's lines: net, or with tax if prices include it. */
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

/** The amount paid: with tax, and with the untaxed part of the margin scheme. */
export function grossOf(amounts: Amounts): Decimal {
  return add(taxedGrossOf(amounts), amounts.outsideMargin ?? ZERO);
}

/** The taxed amount with its tax: the whole price, or the margin. */
export function taxedGrossOf({ base, tax, surcharge }: Amounts): Decimal {
  return add(add(base, tax), surcharge);
}

/** The taxed amount as the lines state it; rounding never changes it. */
export function measureOf(request: Pick<InvoiceRequest, "pricesIncludeTax">, amounts: Amounts): Decimal {
  return request.pricesIncludeTax ? taxedGrossOf(amounts) : amounts.base;
}

export function isOfMargin({ outsideMargin }: Amounts): boolean {
  return outsideMargin !== undefined;
}

/** Base and untaxed part have one sign, so that parts of a group never offset each other. */
export function isBelowZero({ base, outsideMargin }: Amounts): boolean {
  return isNegative(base) || isNegative(outsideMargin ?? ZERO);
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  return combine(a, b, add);
}

export function subtractAmounts(a: Amounts, b: Amounts): Amounts {
  return combine(a, b, subtract);
}

function combine(a: Amounts, b: Amounts, by: (a: Decimal, b: Decimal) => Decimal): Amounts {
  const hasMargin = isOfMargin(a) || isOfMargin(b);
  return {
    base: by(a.base, b.base),
    tax: by(a.tax, b.tax),
    surcharge: by(a.surcharge, b.surcharge),
    ...(hasMargin ? { outsideMargin: by(a.outsideMargin ?? ZERO, b.outsideMargin ?? ZERO) } : {}),
  };
}

export function amountsToEur(amounts: Amounts, rate: Decimal | undefined): Amounts {
  const { outsideMargin } = amounts;
  return {
    base: toEur(amounts.base, rate),
    tax: toEur(amounts.tax, rate),
    surcharge: toEur(amounts.surcharge, rate),
    ...(outsideMargin === undefined ? {} : { outsideMargin: toEur(outsideMargin, rate) }),
  };
}

/** The amounts of a group in the record; one-stop-shop sales record the base only. */
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
  const { base, tax, surcharge, outsideMargin = ZERO } = amounts;
  return [base, tax, surcharge, outsideMargin].every(isZero);
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

/** Prices with tax: the tax is the gross less base and surcharge, so that the gross is kept. */
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

/** The rate is quoted as the ECB does, units of the currency per euro (article 79.11 LIVA). */
export function checkExchange(request: InvoiceRequest, today: CivilDate): Result<void, IssueRefusal> {
  const { currency, exchangeRate, exchangeRateDate } = request;
  if (currency === "EUR") {
    if (exchangeRate === undefined) return ok(undefined);
    const facts = { detail: { phrase: "no_rate_in_euros" }, fix: { phrase: "send_no_rate" } } as const;
    return refuse("exchange_rate_invalid", facts, "exchange_rate");
  }
  const invalid = (detail: Fact, member: string) =>
    refuse("exchange_rate_invalid", { detail, fix: { phrase: "give_rate", currency } }, member);
  if (exchangeRate === undefined || exchangeRateDate === undefined) {
    return refuse(
      "exchange_rate_required",
      { currency },
      exchangeRate === undefined ? "exchange_rate" : "exchange_rate_date",
    );
  }
  if (!isPositive(exchangeRate)) return invalid({ phrase: "rate_not_above_zero" }, "exchange_rate");
  if (exchangeRateDate > today) return invalid({ phrase: "rate_date_in_future" }, "exchange_rate_date");
  return ok(undefined);
}

/** EUR = amount / rate, to the cent; an amount in euros is itself. */
function toEur(amount: Decimal, exchangeRate: Decimal | undefined): Decimal {
  return exchangeRate === undefined ? amount : divide(amount, exchangeRate, 2);
}
