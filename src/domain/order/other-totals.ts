import type { DiscountKind, SalesSettings, Treatment } from "../billing/sales-settings.ts";
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
  sum,
  ZERO,
} from "../shared/decimal.ts";
import { assertNever } from "../shared/result.ts";
import { comparableTag } from "../shared/text.ts";
import type { OwnerAnswers } from "./context.ts";
import { amountOf, moneyText, printable } from "./fact-text.ts";
import type { Discount, OrderFacts, UnmappedTotal } from "./facts.ts";
import type { Sale } from "./profile.ts";
import { because, type Facts, type Reason, type ReasonCode } from "./reasons.ts";
import type { SoldLine } from "./sold-lines.ts";

/** The discounts of an order, by their effect. */
interface DiscountReading {
  readonly reductions: readonly Reduction[];
  readonly payments: readonly Payment[];
  /** Already in the lines. */
  readonly printed: readonly Discount[];
  /** Customer credit that counts as a discount without an answer of the owner. */
  readonly credit: Decimal;
  readonly reasons: readonly Reason[];
}

/** The name of a discount in an owner's answer. */
export function discountName(discount: Discount): string {
  const unnamed = discount.kind === "gift_card" ? "Tarjeta regalo" : "Descuento";
  return printable(discount.name ?? discount.code ?? "") || unnamed;
}

/** Taken off the lines already: a gift card never is, because it pays. */
export function isIncluded(discount: Discount, sales: Pick<SalesSettings, "discountsIncluded">): boolean {
  return discount.kind !== "gift_card" && (discount.included || sales.discountsIncluded);
}

export function readDiscounts(facts: OrderFacts, sale: Sale, answers: OwnerAnswers): DiscountReading {
  const reductions: Reduction[] = [];
  const payments: Payment[] = [];
  const printed: Discount[] = [];
  const credit: Decimal[] = [];
  const reasons: Reason[] = [];
  for (const discount of facts.discounts.filter(({ amount }) => !isZero(amount))) {
    const { amount, lines, kind } = discount;
    const name = discountName(discount);
    const meaning = meaningOf(discount, sale, answers);
    if (meaning === "printed") printed.push(discount);
    else if (meaning === "payment") payments.push({ name, amount });
    else reductions.push({ name, amount, lines });
    if (kind === "customer_credit" && meaning === "discount" && !answered(discount, sale, answers)) {
      credit.push(amount);
    }
    reasons.push(...reasonsFor(discount, meaning, sale, facts.currency));
  }
  return { reductions, payments, printed, credit: sum(credit), reasons };
}

/** If customer credit brings the total to zero, the owner decides if it is a discount or a payment. */
export function creditReasons(credit: Decimal, facts: OrderFacts): Reason[] {
  if (isZero(credit)) return [];
  return [because("credit_covers_total", { amount: amountOf(credit, facts.currency) })];
}

/** Only printed: the prices of the lines are already reduced by it. */
export function includedText(discount: Discount, currency: string): string {
  return `${discountName(discount)} (${moneyText(discount.amount, currency)}, ya incluido en los precios)`;
}

type Meaning = "printed" | "discount" | "payment" | "unknown" | "review" | "redeemed";

function meaningOf(discount: Discount, sale: Sale, answers: OwnerAnswers): Meaning {
  const { sales } = sale;
  if (isIncluded(discount, sales)) return "printed";
  const chosen = answered(discount, sale, answers);
  if (chosen) return chosen;
  switch (discount.kind) {
    case "promotional":
    case "loyalty":
      return "discount";
    case "gift_card":
      return sales.voucherKind === "single_purpose" ? "redeemed" : "payment";
    case "customer_credit":
      return sales.customerCredit;
    case "unknown":
      return "unknown";
    default:
      return assertNever(discount.kind);
  }
}

/**
 * The owner's answer for that name counts only for the kinds that asked for it: first the one about this
 * order, then the one that was remembered.
 */
function answered(
  discount: Discount,
  { sales: { discounts: remembered = {} } }: Sale,
  { discounts }: OwnerAnswers,
): DiscountKind | undefined {
  if (discount.kind !== "unknown" && discount.kind !== "customer_credit") return undefined;
  const name = discountName(discount);
  if (Object.hasOwn(discounts, name)) return discounts[name];
  const folded = comparableTag(name);
  return Object.hasOwn(remembered, folded) ? remembered[folded] : undefined;
}

function reasonsFor(discount: Discount, meaning: Meaning, sale: Sale, currency: string): Reason[] {
  const name = discountName(discount);
  const amount = amountOf(discount.amount, currency);
  if (meaning !== "printed" && isNegative(discount.amount)) {
    return [
      because("treatment_sign", { title: name, value: amount, treatment: { phrase: "discount" } }, name),
    ];
  }
  switch (meaning) {
    case "unknown":
      return [because("discount_kind_unknown", { name, amount }, name)];
    case "review":
      return [because("customer_credit_review", { ...sale.declaredBy, amount }, name)];
    case "redeemed": {
      // The tax of a single-purpose voucher was paid when it was sold: it cannot pay for a taxed sale.
      const facts = { line: name, amount, kind: { phrase: sale.sales.voucherKind } };
      return [because("voucher_kind_conflict", facts, name)];
    }
    default:
      return [];
  }
}

/** An amount that reduces the invoiced one. */
export interface Reduction {
  readonly name: string;
  /** Positive, tax included. */
  readonly amount: Decimal;
  /** Ids of the lines that it is limited to; empty for all. */
  readonly lines: readonly string[];
}

/** The amounts outside the lines, by their treatment. */
interface Treated {
  readonly fees: readonly SoldLine[];
  readonly reductions: readonly Reduction[];
  readonly payments: readonly Payment[];
  /** Their sum that is in the order's total but not in the invoice's. */
  readonly excluded: Decimal;
  readonly reasons: readonly Reason[];
}

const NOTHING_TREATED: Treated = { fees: [], reductions: [], payments: [], excluded: ZERO, reasons: [] };

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
      return { ...NOTHING_TREATED, excluded: value };
    case "payment":
      if (isPositive(value)) return held("treatment_sign", { treatment: { phrase: treatment.as } });
      return { ...NOTHING_TREATED, payments: [{ name: title, amount: negate(value) }], excluded: value };
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
    excluded: add(a.excluded, b.excluded),
    reasons: [...a.reasons, ...b.reasons],
  };
}
