import { scaleIn } from "../order/fact-text.ts";
import type { SentOrder } from "../order/sent-order.ts";
import {
  absolute,
  add,
  type Decimal,
  decimal,
  isAtMost,
  isNegative,
  isZero,
  multiply,
  negate,
  round,
  subtract,
  sum,
  unitOf,
  ZERO,
} from "../shared/decimal.ts";
import { JsonNumber } from "../shared/exact-json.ts";
import type { Findings } from "./mapped.ts";
import { Native } from "./native.ts";

/**
 * The members of a platform's documents. Lists are `[]`, `**` is everything below: `line_items[].total`,
 * `meta_data.**`. A member in neither list is unknown to this version.
 */
export interface NativePaths {
  /** What the mapper reads. */
  readonly read: readonly string[];
  /** What is known and decides nothing: the same figure in another form, or no figure of the sale. */
  readonly decidesNothing: readonly string[];
  /** Paths that decide nothing by the form of their names, such as `base_...` in the shop's own currency. */
  readonly otherForms?: RegExp;
}

/** Each member of a document that has a value of its own, by its path. */
export function pathsOf(document: unknown): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>();
  const pending: { value: unknown; path: string }[] = [{ value: document, path: "" }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    const nested = membersOf(value);
    // No spread: a list of a million members would overflow the stack.
    if (nested)
      for (const [name, item] of nested.toReversed()) pending.push({ value: item, path: `${path}${name}` });
    else if (found.get(path)?.push(value) === undefined) found.set(path, [value]);
  }
  return new Map([...found].map(([path, values]) => [path.replace(/^\./, ""), values]));
}

function membersOf(value: unknown): readonly (readonly [name: string, value: unknown])[] | undefined {
  if (Array.isArray(value)) return value.map((item) => ["[]", item]);
  if (typeof value !== "object" || value === null || value instanceof JsonNumber) return undefined;
  return Object.entries(value).map(([name, item]) => [`.${name}`, item]);
}

/** Whether a table has a path. */
export function isInTable(path: string, table: NativePaths): boolean {
  const { exact, below } = indexOf(table);
  if (exact.has(path) || table.otherForms?.test(path)) return true;
  for (
    let end = path.length;
    end > 0;
    end = Math.max(path.lastIndexOf(".", end - 1), path.lastIndexOf("[]", end - 1))
  )
    if (below.has(path.slice(0, end))) return true;
  return false;
}

interface PathIndex {
  readonly exact: ReadonlySet<string>;
  readonly below: ReadonlySet<string>;
}

const indexes = new WeakMap<NativePaths, PathIndex>();

function indexOf(table: NativePaths): PathIndex {
  const known = indexes.get(table);
  if (known) return known;
  const all = [...table.read, ...table.decidesNothing];
  const made = {
    exact: new Set(all),
    below: new Set(all.filter((path) => path.endsWith(".**")).map((path) => path.slice(0, -".**".length))),
  };
  indexes.set(table, made);
  return made;
}

/** Words that names of amounts have; ids, counts and versions are none. */
const MONEY_WORDS = [
  ..."amount total price cost fee tax vat duty duties tip discount coupon credit gift point".split(" "),
  ..."surcharge charge deposit refund paid payment balance insurance donation wrapping".split(" "),
  ..."handling shipping adjustment rounding eco weee".split(" "),
];
const MONEY_NAME = new RegExp(MONEY_WORDS.join("|"), "i");

export interface UnknownAmount {
  readonly path: string;
  readonly amount: Decimal;
}

/** Amounts of members that the table does not have, each path summed over its list. */
export function unknownAmounts(document: Native, table: NativePaths): readonly UnknownAmount[] {
  return [...pathsOf(document.value)]
    .filter(([path]) => !isInTable(path, table) && MONEY_NAME.test(path.slice(path.lastIndexOf(".") + 1)))
    .map(([path, values]) => ({
      path,
      amount: sum(values.map((value) => new Native(value).amount() ?? ZERO)),
    }))
    .filter(({ amount }) => !isZero(amount));
}

/** Within this the decision settles a difference as rounding. */
const MOST_ROUNDING = decimal("10");

/**
 * An order whose lines do not make its total may have an amount in a member that this version does not know.
 * One that is exactly the difference, or all together, is an unmapped total, which its owner declares.
 * Otherwise the unknown amounts are told. An order that adds up needs none of them.
 */
export function withUnknownAmounts(
  order: SentOrder,
  unknown: readonly UnknownAmount[],
  findings: Findings,
): SentOrder {
  const gap = differenceOf(order);
  if (unknown.length === 0 || isZero(gap)) return order;
  const size = absolute(gap);
  const only = amountOf(size, unknown);
  if (only !== undefined) {
    const code = only.path.replaceAll("[]", "").replaceAll(".", "_").toLowerCase().slice(0, 255);
    // The platform's tax has that of a surcharge within, and no line has it.
    const totals = isNegative(gap) ? {} : { taxTotals: [] };
    return { ...order, ...totals, unmappedTotals: [...order.unmappedTotals, { code, value: gap }] };
  }
  const rounding = multiply(MOST_ROUNDING, unitOf(scaleIn(order.currency)));
  if (isAtMost(size, rounding)) return order;
  for (const { path, amount } of unknown) findings.add("unmapped_total", path, { stated: amount });
  return order;
}

/** The member whose amount this is: alone, with its tax, or with all others. */
function amountOf(size: Decimal, unknown: readonly UnknownAmount[]): UnknownAmount | undefined {
  const makes = (parts: readonly UnknownAmount[]) =>
    absolute(sum(parts.map(({ amount }) => amount))) === size;
  const fitting = unknown.filter((each) => makes([each]));
  if (fitting.length === 1) return fitting[0];
  const taxed = unknown.filter((each) => makes([each, ...unknown.filter((tax) => isTaxOf(tax, each))]));
  if (taxed.length === 1) return taxed[0];
  const [shortest] = unknown.toSorted((a, b) => a.path.length - b.path.length);
  return makes(unknown) ? shortest : undefined;
}

/** `payment_fee_tax` is the tax of `payment_fee`, `fee_tax_amount` that of `fee_amount`. */
function isTaxOf(tax: UnknownAmount, of: UnknownAmount): boolean {
  const stem = (path: string) => path.replace(/_?(amount|total|value)$/i, "");
  return tax !== of && stem(tax.path).replace(/_?tax$/i, "") === stem(of.path);
}

/** What the total has beyond lines, discounts and unmapped totals. */
export function differenceOf(order: SentOrder): Decimal {
  const lines = order.breakdown.map(({ base, tax, surcharge = ZERO }) => sum([base, tax, surcharge]));
  const discounts = order.discounts.filter(({ included }) => !included).map(({ amount }) => negate(amount));
  const all = sum([...lines, ...discounts, ...order.unmappedTotals.map(({ value }) => value)]);
  return subtract(order.total, round(add(all, ZERO), scaleIn(order.currency)));
}
