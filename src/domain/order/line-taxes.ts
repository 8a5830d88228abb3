import type { SalesSettings } from "../billing/sales-settings.ts";
import type { TaxGroupKey } from "../invoice/document.ts";
import { type IssuingSettings, TAX_OF_TERRITORY } from "../invoice/settings.ts";
import { ratesOn, surchargesOn, TAX_NAMES } from "../invoice/tax-rates.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  isAtMost,
  isPositive,
  isZero,
  multiply,
  ONE,
  percentOf,
  subtract,
  sum,
  unitOf,
  ZERO,
} from "../shared/decimal.ts";
import { percents } from "../shared/fact.ts";
import { isRegimeOf } from "../verifactu/aeat-lists.ts";
import type { Taxation } from "./destination.ts";
import { amountOf, scaleIn } from "./fact-text.ts";
import { because, type Reason } from "./reasons.ts";
import { isFree, type KeyedLine, type SoldLine, surchargeOf } from "./sold-lines.ts";

export interface TaxedUnder {
  readonly issuer: Pick<IssuingSettings, "territory" | "defaultRegime">;
  readonly sales: Pick<SalesSettings, "zeroRateBasis">;
  readonly taxation: Taxation;
  /** The day on which rates are judged. */
  readonly operationDate: CivilDate;
}

export type Combinable = Pick<SoldLine, "base" | "rate" | "tax" | "surchargeRate" | "surcharge">;

/** A combined rate is read as rate and recargo de equivalencia: 26.2 is 21 and 5.2. */
export function readCombinedRates<Line extends Combinable>(
  lines: readonly Line[],
  issuer: Pick<IssuingSettings, "territory">,
  operationDate: CivilDate,
): Line[] {
  if (issuer.territory !== "peninsula") return [...lines];
  const pairs = combinedRates(operationDate);
  return lines.map((line) => {
    const isWhole = line.surchargeRate !== undefined && isZero(line.surcharge);
    const pair = line.surchargeRate === undefined ? pairs.get(line.rate) : undefined;
    const { rate, surchargeRate } = pair ?? line;
    if (surchargeRate === undefined || !(pair || isWhole)) return line;
    const surcharge = multiply(multiply(line.base, surchargeRate), PER_CENT);
    return { ...line, rate, surchargeRate, surcharge, tax: subtract(line.tax, surcharge) };
  });
}

const PER_CENT = decimal("0.01");

function combinedRates(date: CivilDate) {
  const rates = ratesOn("01", date) ?? [];
  const pairs = rates.flatMap((rate) =>
    surchargesOn(rate, date).map((surchargeRate) => ({ rate, surchargeRate })),
  );
  return new Map(
    pairs
      .map((pair) => [add(pair.rate, pair.surchargeRate), pair] as const)
      .filter(([combined]) => !rates.includes(combined)),
  );
}

/** True if every line has a positive rate of the issuer's territory. */
export function haveHomeRates(
  lines: readonly SoldLine[],
  issuer: Pick<IssuingSettings, "territory">,
  operationDate: CivilDate,
): boolean {
  const rates = ratesOn(TAX_OF_TERRITORY[issuer.territory], operationDate) ?? [];
  return lines.every((line) => isPositive(line.rate) && rates.includes(line.rate));
}

/** The first line with a tax that does not match its rate and base. */
export function amountReasons(lines: readonly SoldLine[], currency: string): Reason[] {
  const wrong = lines.find((line) => !isFree(line) && !isTaxRight(line, currency));
  if (!wrong) return [];
  const scale = scaleIn(currency);
  const { name, base, rate, tax, surchargeRate = ZERO, surcharge } = wrong;
  const whole = add(rate, surchargeRate);
  return [
    because("tax_mismatch", {
      line: name,
      rate: { percent: whole },
      base: amountOf(base, currency),
      expected: amountOf(percentOf(base, whole, scale), currency),
      tax: amountOf(add(tax, surcharge), currency),
    }),
  ];
}

/** Rates and grounds, as needed for home taxation and for untaxed lines among one-stop-shop sales. */
export function rateReasons(lines: readonly SoldLine[], under: TaxedUnder): Reason[] {
  const { taxation, sales } = under;
  if (taxation !== "home" && taxation !== "oss") return [];
  const taxed = lines.filter((line) => !isFree(line));
  const unlawful = taxation === "home" ? taxed.find((line) => !isLawful(line, under)) : undefined;
  const groundless = taxed.find(({ rate }) => isZero(rate) && sales.zeroRateBasis === undefined);
  return [
    ...(unlawful ? [unlawfulRate(unlawful, under)] : []),
    ...(groundless ? [because("zero_rate_basis_missing", { line: groundless.name })] : []),
  ];
}

export function keyedLines(lines: readonly SoldLine[], under: TaxedUnder): KeyedLine[] {
  return lines.map((line) => ({ ...line, key: keyOfLine(line, under) }));
}

function keyOfLine(line: SoldLine, under: TaxedUnder): TaxGroupKey {
  const { issuer, taxation } = under;
  const tax = TAX_OF_TERRITORY[issuer.territory];
  switch (taxation) {
    case "oss":
      if (isZero(line.rate) && !isFree(line)) return homeKey(line, under);
      return { tax: "01", regime: "17", qualification: "N2", rate: line.rate };
    case "export":
      return { tax, regime: isRegimeOf(tax, "02") ? "02" : "01", qualification: "E2", rate: ZERO };
    case "intra_community":
      return { tax, regime: "01", qualification: "E5", rate: ZERO };
    case "not_located":
      return { tax, regime: "01", qualification: "N2", rate: ZERO };
    case "home":
      return homeKey(line, under);
  }
}

function homeKey(line: SoldLine, { issuer, sales }: TaxedUnder): TaxGroupKey {
  const tax = TAX_OF_TERRITORY[issuer.territory];
  const qualification = isZero(line.rate) ? (sales.zeroRateBasis ?? "E1") : "S1";
  const regime = qualification === "S1" ? issuer.defaultRegime : "01";
  return { tax, regime, qualification, rate: line.rate, ...surchargeOf(line.surchargeRate) };
}

/** Largest sum of roundings per piece: 0.01 a line and 0.005 a piece, at most 0.25. */
export function roundingOf(lines: readonly SoldLine[], currency: string): Decimal {
  const units = sum(lines.filter((line) => !isFree(line)).map(({ quantity }) => pieces(quantity)));
  return multiply(unitOf(scaleIn(currency)), cappedAt(units, MOST_UNITS));
}

/** Within the rounding difference; exactly zero if no tax is due. */
function isTaxRight(line: SoldLine, currency: string): boolean {
  const { base, rate, tax, surchargeRate = ZERO, surcharge } = line;
  if (isZero(rate)) return isZero(tax) && isZero(surcharge);
  const tolerance = roundingOf([line], currency);
  const isNear = (amount: Decimal, percent: Decimal) =>
    isAtMost(absolute(subtract(multiply(multiply(base, percent), PER_CENT), amount)), tolerance);
  return isNear(tax, rate) && isNear(surcharge, surchargeRate);
}

const MOST_UNITS = decimal("25");
const HALF = decimal("0.5");

function pieces(quantity: Decimal): Decimal {
  return add(ONE, multiply(absolute(quantity), HALF));
}

function cappedAt(value: Decimal, limit: Decimal): Decimal {
  return compare(value, limit) > 0 ? limit : value;
}

/** A line without tax needs its ground and has no rate; donations are at 0 %, which IPSI does not have. */
function isLawful({ rate, surchargeRate }: SoldLine, { issuer, sales, operationDate }: TaxedUnder): boolean {
  const tax = TAX_OF_TERRITORY[issuer.territory];
  const isUntaxed = isZero(rate) && sales.zeroRateBasis !== "S1";
  if (!isUntaxed && !(ratesOn(tax, operationDate) ?? []).includes(rate)) return false;
  if (surchargeRate === undefined) return true;
  return tax === "01" && surchargesOn(rate, operationDate).includes(surchargeRate);
}

function unlawfulRate(line: SoldLine, { issuer, operationDate }: TaxedUnder): Reason {
  const tax = TAX_OF_TERRITORY[issuer.territory];
  const allowed = { all: percents(ratesOn(tax, operationDate) ?? []) };
  return because("tax_mismatch", {
    line: line.name,
    rate: { percent: add(line.rate, line.surchargeRate ?? ZERO) },
    date: { date: operationDate },
    tax_name: TAX_NAMES[tax],
    territory: { phrase: issuer.territory },
    allowed,
  });
}
