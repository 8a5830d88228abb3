import { roundToTotal } from "../shared/apportion.ts";
import {
  absolute,
  add,
  compare,
  type Decimal,
  digitsOf,
  divide,
  HUNDRED,
  isNegative,
  isPositive,
  isZero,
  multiply,
  negate,
  round,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import { money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { type Balance, isWholeRest, remainingIn } from "./balance.ts";
import type { InvoiceDocument, TaxGroupKey } from "./document.ts";
import { percentWithTax } from "./line-nets.ts";
import { scaleOf } from "./prepare.ts";
import { type Refusal, refuse } from "./refusal.ts";
import type { ReturnedLine } from "./request.ts";
import { grossOf, keyOf, keyText, type ResolvedLine, resolveLine } from "./tax-groups.ts";

/**
 * A line of an issued invoice and what can still go back of it. Amounts have the tax in them, are of the
 * invoice's currency and have the sign of the line's tax group.
 */
export interface LineBalance {
  /** Its place on the invoice, from 1. */
  readonly line: number;
  readonly key: TaxGroupKey;
  readonly description: string;
  readonly quantity: Decimal;
  /** Its gross less its share of the discount of its tax group. */
  readonly worth: Decimal;
  readonly taken: QuantityAndGross;
  readonly left: QuantityAndGross;
}

interface QuantityAndGross {
  readonly quantity: Decimal;
  readonly gross: Decimal;
}

/** The part of a line that goes back: pieces, or an amount with tax. */
export type LinePart =
  | { readonly line: number; readonly quantity: Decimal }
  | { readonly line: number; readonly amount: Decimal };

export const LINE_REFUSALS = [
  "rectify_nothing_chosen",
  "rectify_line_unknown",
  "rectify_line_repeated",
  "rectify_quantity_exceeds",
  "rectify_amount_exceeds",
  "rectify_amount_digits",
  "rectify_exceeds",
] as const;
export type LineRefusal = Refusal<(typeof LINE_REFUSALS)[number]>;

interface SoldInvoice {
  readonly document: InvoiceDocument;
  /** Of the invoice's groups; what was returned before the invoice counts as invoiced and taken. */
  readonly balances: readonly Balance[];
  /** Lines that earlier rectifications took back. An amount without a known line is in `balances` alone. */
  readonly returned: readonly ReturnedLine[];
}

/** The lines that are worth something, in the order of the invoice. */
export function lineBalances({ document, balances, returned }: SoldInvoice): LineBalance[] {
  const scale = scaleOf(document.request.currency);
  const before = Map.groupBy(returned, ({ line }) => line);
  const lines = balances.flatMap((balance) => {
    const left = grossOf(remainingIn(balance));
    return worthsIn(balance, document, scale).map(({ index, worth }) => {
      const line = document.request.lines[index];
      const parts = before.get(index + 1) ?? [];
      const quantity = absolute(line?.quantity ?? ZERO);
      const taken = {
        quantity: sum(parts.map((part) => part.quantity ?? ZERO)),
        gross: sum(parts.map(({ gross }) => gross)),
      };
      return {
        line: index + 1,
        key: keyOf(balance.key),
        description: line?.description ?? "",
        ...{ quantity, worth, taken },
        left: {
          quantity: isZero(left) ? ZERO : atLeastZero(subtract(quantity, taken.quantity)),
          gross: nearerToZero(subtract(worth, taken.gross), left),
        },
      };
    });
  });
  return lines.filter(({ worth }) => !isZero(worth)).toSorted((a, b) => a.line - b.line);
}

interface Worth {
  readonly index: number;
  readonly worth: Decimal;
}

/** Digits of a quotient before it is rounded to the currency's. */
const EXACT_DIGITS = 20;

/**
 * The gross of a group is what its lines are worth together: the lines of the other sign, and cents of
 * rounding, are a discount that the others share by largest remainder.
 */
function worthsIn({ key, invoiced }: Balance, document: InvoiceDocument, scale: number): Worth[] {
  const gross = grossOf(invoiced);
  const own = grossLines(document).filter((line) => keyText(line.key) === keyText(key));
  const isBelow = isNegative(gross);
  const sold = own.filter((line) => (isBelow ? isNegative(line.gross) : isPositive(line.gross)));
  const exact = sum(sold.map((line) => line.gross));
  const whole = round(exact, scale);
  if (isZero(whole)) return [];
  const prices = roundToTotal(sold.map(weighed), whole, scale);
  const discount = subtract(whole, gross);
  const shares = roundToTotal(
    prices.map((price) => ({
      weight: divide(multiply(discount, price), whole, EXACT_DIGITS),
      rate: ZERO,
    })),
    discount,
    scale,
  );
  return sold.map(({ index }, place) => ({
    index,
    worth: subtract(prices[place] ?? ZERO, shares[place] ?? ZERO),
  }));
}

function weighed({ gross }: GrossLine) {
  return { weight: gross, rate: ZERO };
}

export interface GrossLine {
  /** Its place on the invoice, from 0. */
  readonly index: number;
  readonly key: ResolvedLine;
  /** Unrounded. */
  readonly gross: Decimal;
}

/** Every line with its tax. */
export function grossLines({ request, lineAmounts, defaults }: InvoiceDocument): GrossLine[] {
  return request.lines.map((line, index) => {
    const amount = lineAmounts[index] ?? ZERO;
    const key = resolveLine(line, index, amount, defaults);
    const gross = request.pricesIncludeTax
      ? amount
      : divide(multiply(amount, percentWithTax(key)), HUNDRED, EXACT_DIGITS);
    return { index, key, gross };
  });
}

/** What goes back of each line, positive as the line is. Its groups never fall below zero. */
export function takeLines(
  lines: readonly LineBalance[],
  parts: readonly LinePart[],
  { balances, currency }: { readonly balances: readonly Balance[]; readonly currency: string },
): Result<readonly ReturnedLine[], LineRefusal> {
  const scale = scaleOf(currency);
  const taken: ReturnedLine[] = [];
  for (const [index, part] of parts.entries()) {
    const path = `lines.${index}`;
    const line = lines.find((each) => each.line === part.line);
    if (!line) return refuse("rectify_line_unknown", { line: String(part.line) }, `${path}.line`);
    if (taken.some((each) => each.line === part.line)) {
      return refuse("rectify_line_repeated", { line: line.description }, `${path}.line`);
    }
    const one =
      "quantity" in part
        ? byQuantity(line, part.quantity, path, scale)
        : byAmount(line, part.amount, path, currency);
    if (!one.ok) return one;
    taken.push(one.value);
  }
  if (taken.every(({ gross }) => isZero(gross))) return refuse("rectify_nothing_chosen", {}, "lines");
  return withinGroups(lines, taken.filter(isSomething), balances, currency);
}

export function isSomething({ gross, quantity = ZERO }: ReturnedLine): boolean {
  return !isZero(gross) || !isZero(quantity);
}

function byQuantity(
  line: LineBalance,
  quantity: Decimal,
  path: string,
  scale: number,
): Result<ReturnedLine, LineRefusal> {
  const { left, description } = line;
  const isTooMuch = compare(quantity, left.quantity) > 0;
  if (isNegative(quantity) || isTooMuch) {
    const facts = { line: description, left: { amount: left.quantity } };
    return refuse("rectify_quantity_exceeds", facts, `${path}.quantity`);
  }
  return ok({ line: line.line, quantity, gross: worthOfPieces(line, quantity, scale) });
}

/**
 * Worth taken so far = round(worth x pieces so far / pieces), so that the parts add up to the whole. Where
 * something else was taken of the line, such as a price reduction, the pieces left share what is left.
 */
function worthOfPieces(
  { worth, quantity, taken, left }: LineBalance,
  pieces: Decimal,
  scale: number,
): Decimal {
  if (isZero(pieces)) return ZERO;
  if (compare(pieces, left.quantity) === 0) return left.gross;
  const soFar = (count: Decimal) => divide(multiply(worth, count), quantity, scale);
  const isRegular = taken.gross === soFar(taken.quantity) && left.gross === subtract(worth, taken.gross);
  if (isRegular) return subtract(soFar(add(taken.quantity, pieces)), taken.gross);
  return divide(multiply(left.gross, pieces), left.quantity, scale);
}

function byAmount(
  { line, left, description }: LineBalance,
  amount: Decimal,
  path: string,
  currency: string,
): Result<ReturnedLine, LineRefusal> {
  if (digitsOf(amount).fraction > scaleOf(currency)) {
    return refuse("rectify_amount_digits", { currency, digits: String(scaleOf(currency)) }, `${path}.amount`);
  }
  const isWrongWay = !isZero(amount) && isNegative(amount) !== isNegative(left.gross);
  if (isWrongWay || compare(absolute(amount), absolute(left.gross)) > 0) {
    const facts = { line: description, left: money(left.gross, currency) };
    return refuse("rectify_amount_exceeds", facts, `${path}.amount`);
  }
  return ok({ line, gross: amount });
}

/**
 * Lines are worth at most what is left of their group. A group whose lines all go back goes back whole, and
 * so does one that would keep two cents of rounding.
 */
function withinGroups(
  lines: readonly LineBalance[],
  taken: readonly ReturnedLine[],
  balances: readonly Balance[],
  currency: string,
): Result<readonly ReturnedLine[], LineRefusal> {
  const scale = scaleOf(currency);
  const gross = new Map(taken.map((each) => [each.line, each.gross]));
  for (const balance of balances) {
    const own = lines.filter((line) => keyText(line.key) === keyText(balance.key));
    const parts = taken.filter((part) => own.some(({ line }) => line === part.line));
    const requested = sum(parts.map((part) => part.gross));
    const left = grossOf(remainingIn(balance));
    if (isZero(requested)) continue;
    const isWhole = own.every((line) => isZero(line.left.gross) || gross.get(line.line) === line.left.gross);
    if (isWhole || isWholeRest(requested, left, scale)) {
      takeRest(parts, own, { gross, left });
      continue;
    }
    if (compare(absolute(requested), absolute(left)) > 0) {
      const facts = {
        rate: { percent: balance.key.rate },
        requested: money(requested, currency),
        left: money(left, currency),
      };
      return refuse("rectify_exceeds", facts, "lines");
    }
  }
  return ok(taken.map((part) => ({ ...part, gross: gross.get(part.line) ?? part.gross })));
}

/** The parts come to what is left: each takes what its line has, and the first one what no line has. */
function takeRest(
  parts: readonly ReturnedLine[],
  lines: readonly LineBalance[],
  { gross, left }: { readonly gross: Map<number, Decimal>; readonly left: Decimal },
): void {
  let missing = subtract(left, sum(parts.map((part) => part.gross)));
  for (const part of parts) {
    const own = lines.find(({ line }) => line === part.line);
    const isMore = isNegative(missing) === isNegative(left);
    const room = isMore ? subtract(own?.left.gross ?? ZERO, part.gross) : negate(part.gross);
    const step = nearerToZero(missing, room);
    gross.set(part.line, add(part.gross, step));
    missing = subtract(missing, step);
  }
  const [first] = parts;
  if (first) gross.set(first.line, add(gross.get(first.line) ?? ZERO, missing));
}

/** The margin within the amount of a line of the margin scheme; undefined for any other line. */
export function marginIn(
  { taxableMargin, quantity }: { readonly taxableMargin?: Decimal; readonly quantity: Decimal },
  part: ReturnedLine,
  scale: number,
): Decimal | undefined {
  if (taxableMargin === undefined || part.quantity === undefined || isZero(quantity)) return undefined;
  return divide(multiply(taxableMargin, part.quantity), absolute(quantity), scale);
}

function atLeastZero(value: Decimal): Decimal {
  return isNegative(value) ? ZERO : value;
}

/** The smaller amount of two with one sign; nothing of two with different ones. */
function nearerToZero(a: Decimal, b: Decimal): Decimal {
  if (isZero(a) || isZero(b) || isNegative(a) !== isNegative(b)) return ZERO;
  return compare(absolute(a), absolute(b)) <= 0 ? a : b;
}
