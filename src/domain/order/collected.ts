import type { Balance } from "../invoice/balance.ts";
import type { Collected, Payment } from "../invoice/document.ts";
import { grossOf } from "../invoice/tax-groups.ts";
import { add, compare, type Decimal, greater, round, subtract, sum } from "../shared/decimal.ts";
import { amountOf, scaleIn } from "./fact-text.ts";
import type { OrderFacts } from "./facts.ts";
import type { OrderWarning } from "./reasons.ts";

/** What an order costs its buyer; known once every amount outside its lines has a treatment. */
interface Owed {
  /** Gift cards and others that paid: the order's total is already without them. */
  readonly payments: readonly Payment[];
  readonly balances: readonly Balance[];
  /** The total of the invoice, which later facts of the shop may be net of returns. */
  readonly invoiced?: Decimal;
}

/** The order's price and what its buyer still owes after returns. */
function owedOf({ total }: OrderFacts, { payments, balances, invoiced = total }: Owed) {
  const whole = greater(add(total, sum(payments.map(({ amount }) => amount))), invoiced);
  const returned = sum(balances.map(({ taken }) => grossOf(taken)));
  return { whole, left: subtract(whole, returned) };
}

/** Told only: what was collected changes no decision. Money given back may or may not count as collected. */
export function collectedWarnings(facts: OrderFacts, owed: Owed): OrderWarning[] {
  const { amountPaid, currency } = facts;
  if (amountPaid === undefined) return [];
  const paid = round(amountPaid, scaleIn(currency));
  const { whole, left } = owedOf(facts, owed);
  const told = (code: "partly_paid" | "overpaid", payable: Decimal): OrderWarning => ({
    code,
    facts: { paid: amountOf(paid, currency), payable: amountOf(payable, currency) },
  });
  if (compare(paid, round(left, scaleIn(currency))) < 0) return [told("partly_paid", left)];
  return compare(paid, round(whole, scaleIn(currency))) > 0 ? [told("overpaid", whole)] : [];
}

/** What the invoice prints of an order that is not paid in full; undefined otherwise. */
export function collectedInPart(facts: OrderFacts, owed: Owed): Collected | undefined {
  const { amountPaid, currency } = facts;
  const scale = scaleIn(currency);
  const payable = round(owedOf(facts, owed).left, scale);
  if (amountPaid === undefined) return undefined;
  const paid = round(amountPaid, scale);
  return compare(paid, payable) < 0 ? { paid, payable } : undefined;
}
