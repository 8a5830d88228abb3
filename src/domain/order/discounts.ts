import type { SalesSettings } from "../billing/sales-settings.ts";
import type { Payment } from "../invoice/document.ts";
import { type Decimal, isNegative, isZero, sum } from "../shared/decimal.ts";
import { assertNever } from "../shared/result.ts";
import type { OwnerAnswers } from "./context.ts";
import { amountOf, moneyText, printable } from "./fact-text.ts";
import type { Discount, OrderFacts } from "./facts.ts";
import type { Sale } from "./profile.ts";
import { because, type Reason } from "./reasons.ts";
import type { Reduction } from "./unmapped-totals.ts";

/** The discounts of an order, by their effect. */
export interface DiscountReading {
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
    if (kind === "customer_credit" && meaning === "discount" && !answered(discount, answers)) {
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

function meaningOf(discount: Discount, { sales }: Sale, answers: OwnerAnswers): Meaning {
  if (isIncluded(discount, sales)) return "printed";
  const chosen = answered(discount, answers);
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

/** The owner's answer for that name counts only for the kinds that asked for it. */
function answered(discount: Discount, { discounts }: OwnerAnswers): "discount" | "payment" | undefined {
  if (discount.kind !== "unknown" && discount.kind !== "customer_credit") return undefined;
  const name = discountName(discount);
  return Object.hasOwn(discounts, name) ? discounts[name] : undefined;
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
