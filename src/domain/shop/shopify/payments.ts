import type { SentDiscount } from "../../order/sent-order.ts";
import { type Decimal, isZero, negate, sum, ZERO } from "../../shared/decimal.ts";
import type { Instant } from "../../shared/instant.ts";
import { Findings } from "../mapped.ts";
import type { Native } from "../native.ts";
import { utcInstant } from "../times.ts";
import { entries } from "./members.ts";

/** What paid part of the order before its money, by the gateway of the transaction. */
const PAYING_GATEWAYS: Readonly<Record<string, "gift_card" | "customer_credit">> = {
  gift_card: "gift_card",
  giftcard: "gift_card",
  store_credit: "customer_credit",
  shopify_store_credit: "customer_credit",
};

interface Payments {
  /** Amounts paid by gift card and store credit. */
  readonly discounts: readonly SentDiscount[];
  readonly paidAt: Instant | undefined;
}

export function paymentsOf(
  order: Native,
  transactions: Native,
  currency: string,
  findings: Findings,
): Payments {
  const names = order.at("payment_gateway_names").items().map(kindOf);
  if (transactions.isEmpty && names.some((kind) => kind !== undefined))
    findings.add("transactions", "payment_gateway_names");
  const paid = transactions
    .items()
    .filter((entry) => ["sale", "capture"].includes(wordAt(entry, "kind")) && isSuccessful(entry));
  const discounts = (["gift_card", "customer_credit"] as const).map((kind) => {
    const ofKind = paid.filter((entry) => kindOf(entry.at("gateway")) === kind);
    const amounts = ofKind.map((entry) => moneyOf(entry, currency, findings));
    return { kind, amount: sum(amounts.filter((amount) => amount !== undefined)), lines: [] };
  });
  const times = paid.map((entry) => utcInstant(entry.first("processed_at", "created_at")));
  const known = times.filter((time) => time !== undefined);
  return {
    discounts: discounts.filter(({ amount }) => !isZero(amount)),
    paidAt: known.length === 0 ? undefined : Math.max(...known),
  };
}

/** Whether the money kept is what the order comes to now. Without transactions nothing says so. */
export function isSettled(transactions: Native, current: Decimal | undefined, currency: string): boolean {
  const kinds: Readonly<Record<string, 1 | -1>> = { sale: 1, capture: 1, refund: -1 };
  const kept = transactions.items().flatMap((entry) => {
    const kind = wordAt(entry, "kind");
    const amount = moneyOf(entry, currency, new Findings()) ?? ZERO;
    if (!isSuccessful(entry) || !Object.hasOwn(kinds, kind)) return [];
    return kinds[kind] === 1 ? [amount] : [negate(amount)];
  });
  return kept.length > 0 && current !== undefined && sum(kept) === current;
}

/** Money that went back; undefined where the refund does not say, or says it in another currency only. */
export function moneyBack(
  refund: Native,
  currency: string | undefined,
  findings: Findings,
): Decimal | undefined {
  const where = refund.at("id").id() ?? refund.where;
  if (!refund.at("transactions").isList) {
    findings.add("transactions", where);
    return undefined;
  }
  const back = entries(refund, "transactions").filter(
    (entry) => wordAt(entry, "kind") === "refund" && isSuccessful(entry),
  );
  const amounts = back.map((entry) => moneyOf(entry, currency, findings));
  const known = amounts.filter((amount) => amount !== undefined);
  return known.length === amounts.length ? sum(known) : undefined;
}

function kindOf(gateway: Native): "gift_card" | "customer_credit" | undefined {
  const name =
    gateway
      .text(100)
      ?.toLowerCase()
      .replace(/[\s-]+/g, "_") ?? "";
  return Object.hasOwn(PAYING_GATEWAYS, name) ? PAYING_GATEWAYS[name] : undefined;
}

function isSuccessful(transaction: Native): boolean {
  return wordAt(transaction, "status") === "success";
}

function wordAt(native: Native, name: string): string {
  return native.at(name).text(100)?.toLowerCase() ?? "";
}

/** REST has transactions in the currency of the payment. */
function moneyOf(transaction: Native, currency: string | undefined, findings: Findings): Decimal | undefined {
  const shop = transaction.at("amount_set", "shop_money", "amount");
  const paidIn = transaction.at("currency").text(3)?.toUpperCase();
  if (shop.isEmpty && paidIn !== undefined && currency !== undefined && paidIn !== currency) {
    findings.add("transactions", transaction.at("id").id() ?? transaction.where);
    return undefined;
  }
  return findings.amount(shop.isEmpty ? transaction.at("amount") : shop);
}
