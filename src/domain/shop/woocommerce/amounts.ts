import { scaleIn } from "../../order/fact-text.ts";
import {
  absolute,
  add,
  type Decimal,
  decimal,
  digitsOf,
  isAtMost,
  multiply,
  round,
  subtract,
  sum,
} from "../../shared/decimal.ts";
import type { Native } from "../native.ts";
import type { NativeLine } from "../rates.ts";

/** A line of an order or of a refund with its place in the document. */
export interface NativeAmounts extends NativeLine {
  readonly native: Native;
}

type Amounts = Pick<NativeAmounts, "base" | "tax">;
/** The amounts of a line in another of the forms in which WooCommerce adds up. */
export type Reading<Line> = (line: Line, scale: number) => Amounts;

export interface AddedUp<Line> {
  readonly lines: readonly Line[];
  /** The shop adds up what it keeps, with all decimals. */
  readonly isAsKept: boolean;
}

/**
 * WooCommerce keeps more decimals than the cent and shows as many as it is asked for. It adds up either its
 * rounded lines, or everything as it is kept (`woocommerce_tax_round_at_subtotal`), and a document does not
 * say which. So lines count as they are shown if that makes `wanted`, else in the first form that does.
 */
export function asAddedUp<Line extends NativeAmounts>(
  lines: readonly Line[],
  wanted: Decimal | undefined,
  currency: string,
  rounded: Reading<Line>,
): AddedUp<Line> {
  const scale = scaleIn(currency);
  const read = (reading: Reading<Line>) => lines.map((line) => ({ ...line, ...reading(line, scale) }));
  const makes = (each: readonly Line[]) =>
    wanted !== undefined && round(grossOf(each), scale) === round(wanted, scale);
  if (makes(lines)) return { lines, isAsKept: false };
  const [asRounded, asKept] = [read(rounded), read(keptAmounts)];
  if (!makes(asRounded) && makes(asKept)) return { lines: asKept, isAsKept: true };
  const isRounded = makes(asRounded) || lines.some((line) => isTaxRounded(line, scale));
  return { lines: isRounded ? asRounded : lines, isAsKept: false };
}

function grossOf(lines: readonly Amounts[]): Decimal {
  return sum(lines.flatMap(({ base, tax }) => [base, tax]));
}

/** Of a line that is shown with all decimals: only a shop that rounds each line rounds its tax. */
function isTaxRounded({ base, tax, taxes }: NativeAmounts, scale: number): boolean {
  return (
    digitsOf(base).fraction > scale && taxes.length > 0 && sum(taxes.map(({ amount }) => amount)) !== tax
  );
}

/** A refund adds up each of its fields, rounded. */
export function roundedFields({ base, tax }: NativeAmounts, scale: number): Amounts {
  return { base: round(base, scale), tax: round(tax, scale) };
}

/**
 * The price of a piece and the taxes have all decimals, whatever was asked for. Prices of a shop are mostly
 * whole cents, without their tax or with it: a difference behind the fifth decimal is of the last digits.
 */
function keptAmounts({ native, base, tax, quantity, taxes }: NativeAmounts, scale: number): Amounts {
  const price = native.at("price").amount();
  const pieces = price === undefined ? base : round(multiply(price, quantity), KEPT_DECIMALS);
  const parts = taxes.map(({ amount }) => amount);
  const keptTax = keptSum(tax, parts, scale);
  const kept = isShownAs(base, pieces, scale) ? pieces : base;
  const gross = wholeNear(add(kept, keptTax), scale);
  const byGross = gross === undefined ? kept : subtract(gross, keptTax);
  return { base: wholeNear(kept, scale) ?? byGross, tax: keptTax };
}

function wholeNear(amount: Decimal, scale: number): Decimal | undefined {
  const whole = round(amount, scale);
  return isAtMost(absolute(subtract(amount, whole)), SLACK) ? whole : undefined;
}

/** The sum of the parts, if it is shown as this amount. */
export function keptSum(shown: Decimal, parts: readonly Decimal[], scale: number): Decimal {
  const kept = sum(parts);
  return parts.length > 0 && isShownAs(shown, kept, scale) ? kept : shown;
}

const HALF = decimal("0.5");
/** WooCommerce keeps so many of an amount. By the last digits of a price a half cent would be none. */
const KEPT_DECIMALS = 6;
/** A price of eight decimals, by its pieces. */
const SLACK = decimal("0.00001");

function isShownAs(shown: Decimal, kept: Decimal, scale: number): boolean {
  const unit = decimal(`1e-${Math.max(digitsOf(shown).fraction, scale)}`);
  return isAtMost(absolute(subtract(shown, kept)), add(multiply(HALF, unit), SLACK));
}
