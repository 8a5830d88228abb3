import type { SalesSettings, Treatment } from "../billing/sales-settings.ts";
import type { Payment } from "../invoice/document.ts";
import {
  add,
  type Decimal,
  divide,
  HUNDRED,
  isNegative,
  isPositive,
  isZero,
  multiply,
  negate,
  ONE,
  subtract,
  ZERO,
} from "../shared/decimal.ts";
import { assertNever } from "../shared/result.ts";
import { amountOf, printable } from "./fact-text.ts";
import type { OrderFacts, UnmappedTotal } from "./facts.ts";
import { because, type Facts, type Reason, type ReasonCode } from "./reasons.ts";
import type { SoldLine } from "./sold-lines.ts";

/** An amount that reduces the invoiced one. */
export interface Reduction {
  readonly name: string;
  /** Positive, tax included. */
  readonly amount: Decimal;
  /** Ids of the lines that it is limited to; empty for all. */
  readonly lines: readonly string[];
}

/** The amounts outside the lines, by their treatment. */
export interface Treated {
  readonly fees: readonly SoldLine[];
  readonly reductions: readonly Reduction[];
  readonly payments: readonly Payment[];
  /** Their sum that is in the order's total but not in the invoice's. */
  readonly aside: Decimal;
  readonly reasons: readonly Reason[];
}

const NOTHING_TREATED: Treated = { fees: [], reductions: [], payments: [], aside: ZERO, reasons: [] };

/** The treatment that the owner declared decides; the `kind` of an entry never does. */
export function treatUnmapped(facts: OrderFacts, sales: SalesSettings): Treated {
  const entries = facts.unmappedTotals.filter(({ value }) => !isZero(value));
  return entries
    .map((entry) => treat(entry, treatmentOf(entry, sales), facts.currency))
    .reduce(together, NOTHING_TREATED);
}

/** Members of the map only: a code may be called `constructor`. */
function treatmentOf({ code }: UnmappedTotal, { treatments }: SalesSettings): Treatment | undefined {
  return Object.hasOwn(treatments, code) ? treatments[code] : undefined;
}

function treat(entry: UnmappedTotal, treatment: Treatment | undefined, currency: string): Treated {
  const { code, value } = entry;
  const title = printable(entry.title ?? "") || code;
  const held = (reason: ReasonCode, more: Facts = {}): Treated => ({
    ...NOTHING_TREATED,
    reasons: [because(reason, { title, value: amountOf(value, currency), code, ...more }, code)],
  });
  if (treatment === undefined) return held("untreated_total");
  switch (treatment.as) {
    case "hold":
      return held("treatment_hold");
    case "ignore_non_taxable":
      return { ...NOTHING_TREATED, aside: value };
    case "payment":
      if (isPositive(value)) return held("treatment_sign", { treatment: { phrase: treatment.as } });
      return { ...NOTHING_TREATED, payments: [{ name: title, amount: negate(value) }], aside: value };
    case "discount":
      if (isPositive(value)) return held("treatment_sign", { treatment: { phrase: treatment.as } });
      return { ...NOTHING_TREATED, reductions: [{ name: title, amount: negate(value), lines: [] }] };
    case "fee":
      if (isNegative(value)) return held("treatment_sign", { treatment: { phrase: treatment.as } });
      return { ...NOTHING_TREATED, fees: [feeLine(title, value, treatment.rate)] };
    default:
      return assertNever(treatment);
  }
}

/** More digits than any shop sends: the rounding is that of the group. */
const FEE_DIGITS = 12;

/** The value includes the tax: base = value / (1 + rate). */
function feeLine(name: string, value: Decimal, rate: Decimal): SoldLine {
  const base = divide(multiply(value, HUNDRED), add(HUNDRED, rate), FEE_DIGITS);
  const tax = subtract(value, base);
  return { name, kind: "fee", quantity: ONE, base, tax, surcharge: ZERO, rate, ids: [] };
}

function together(a: Treated, b: Treated): Treated {
  return {
    fees: [...a.fees, ...b.fees],
    reductions: [...a.reductions, ...b.reductions],
    payments: [...a.payments, ...b.payments],
    aside: add(a.aside, b.aside),
    reasons: [...a.reasons, ...b.reasons],
  };
}
