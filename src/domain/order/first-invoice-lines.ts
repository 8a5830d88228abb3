import type { TaxGroup, TaxGroupKey } from "../invoice/document.ts";
import type { RequestLine } from "../invoice/request.ts";
import { keyOf, keyText } from "../invoice/tax-groups.ts";
import { type Decimal, divide, isZero, negate, ONE, round, ZERO } from "../shared/decimal.ts";
import { includedText } from "./discounts.ts";
import type { Discount } from "./facts.ts";
import type { DraftLine } from "./order-draft.ts";
import type { SoldGroup } from "./sold-groups.ts";
import type { KeyedLine } from "./sold-lines.ts";
import { type Balance, remainingIn } from "./take-back.ts";
import type { Reduction } from "./unmapped-totals.ts";

/** Digits of a unit price. */
const PRICE_DIGITS = 6;

export interface PrintedOrder {
  readonly lines: readonly KeyedLine[];
  readonly sold: readonly SoldGroup[];
  readonly reductions: readonly Reduction[];
  readonly printed: readonly Discount[];
  /** What was given back before the invoice. */
  readonly balances: readonly Balance[];
  readonly groups: readonly TaxGroup[];
  readonly currency: string;
  readonly scale: number;
}

/** The lines as the shop sent them, then one per rate for what discounts and returns took off. */
export function firstInvoiceLines(order: PrintedOrder): DraftLine[] {
  const { scale, groups } = order;
  const [main] = groups;
  if (!main) return [];
  const keys = new Set(groups.map(keyText));
  const sold = order.lines.map((line) => {
    // A line of a rate that nothing is left of, or of nothing, stands under a rate of the invoice.
    const key = keys.has(keyText(line.key)) ? line.key : keyOf(main);
    return lineOf({ name: line.name, quantity: line.quantity, base: line.base, key }, scale);
  });
  const discounted = order.sold
    .filter(({ reducedBase }) => !isZero(reducedBase))
    .map(({ key, reducedBase }) =>
      lineOf({ name: discountText(order), base: negate(reducedBase), key }, scale),
    );
  const returned = order.balances
    .filter(({ taken }) => !isZero(taken.base))
    .map(({ key, taken }) => lineOf({ name: RETURNED, base: negate(taken.base), key }, scale));
  const included = order.printed.map((discount) =>
    lineOf({ name: includedText(discount, order.currency), base: ZERO, key: keyOf(main) }, scale),
  );
  return [...sold, ...discounted, ...returned, ...included];
}

/** Gives every line an id of its own: a simplified invoice above the limit names all of its lines. */
export function withLineIds(lines: readonly DraftLine[]): DraftLine[] {
  return lines.map(({ line, amount }, index) => ({ line: { ...line, lineId: String(index + 1) }, amount }));
}

/** Whether the group is in the breakdown once returns are taken off. */
export function isLeft(balance: Balance): boolean {
  const { base, tax, surcharge } = remainingIn(balance);
  return !(isZero(base) && isZero(tax) && isZero(surcharge));
}

const RETURNED = "Devolución";

function discountText({ reductions }: PrintedOrder): string {
  return [...new Set(reductions.map(({ name }) => name))].join(", ").slice(0, NAME_LIMIT);
}

const NAME_LIMIT = 1000;

export interface NamedAmount {
  readonly name: string;
  /** Absent for one. */
  readonly quantity?: Decimal;
  readonly base: Decimal;
  readonly key: TaxGroupKey;
}

/** Unit price = base / quantity to six decimals; a quantity of nothing counts as one. */
export function lineOf({ name, quantity = ONE, base, key }: NamedAmount, scale: number): DraftLine {
  const units = isZero(quantity) ? ONE : quantity;
  const { rate, ...rest } = keyOf(key);
  const line: RequestLine = {
    description: name,
    quantity: units,
    priceUnit: divide(base, units, PRICE_DIGITS),
    taxRate: rate,
    ...rest,
  };
  return { line, amount: round(base, scale) };
}
