import { scaleIn } from "../../order/fact-text.ts";
import type { CorrectionLine } from "../../order/facts.ts";
import type { SentEvent } from "../../order/sent-order.ts";
import {
  add,
  type Decimal,
  divide,
  isZero,
  multiply,
  negate,
  ONE,
  subtract,
  sum,
  ZERO,
} from "../../shared/decimal.ts";
import { present } from "../../shared/present.ts";
import { withAdjustment } from "../adjustments.ts";
import { Findings, inOrderOfIds } from "../mapped.ts";
import type { Native } from "../native.ts";
import { lineTax, makesTax, percentsOf, wholeRate } from "../rates.ts";
import { utcInstant } from "../times.ts";
import { entries, money, readLine, type ShopifyLine, statedPercents } from "./members.ts";
import { moneyBack } from "./payments.ts";

interface Refunded {
  /** Documents of refunds, each once. */
  readonly refunds: readonly Native[];
  readonly lines: readonly ShopifyLine[];
  readonly currency: string;
  /** Whether prices have their tax within; undefined for refunds that come alone. */
  readonly isIncluded: boolean | undefined;
  /** The money kept is what the order comes to now. */
  readonly isSettled: boolean;
}

/** One event for each refund. */
export function refundEvents(refunded: Refunded, findings: Findings): SentEvent[] {
  return inOrderOfIds(refunded.refunds.flatMap((refund) => eventOf(refund, refunded, findings) ?? []));
}

function eventOf(refund: Native, refunded: Refunded, findings: Findings): SentEvent | undefined {
  const id = refund.at("id").id();
  if (id === undefined) {
    findings.add("id", refund.where || "refund");
    return undefined;
  }
  const parts = [
    ...entries(refund, "refund_line_items").map((entry) => productDelta(entry, refunded, findings)),
    ...shippingDeltas(refund, refunded, findings),
  ].filter(({ baseDelta, taxDelta }) => !isZero(baseDelta) || !isZero(taxDelta));
  const lines = withAdjustment(parts, adjustmentOf(refund, findings), refunded);
  const back = moneyBack(refund, refunded.currency, findings);
  const isUnpaid = refund.at("transactions").isList && refund.at("transactions").isEmpty;
  // Goods taken off an order before they were paid go back without money.
  const isEdit = isUnpaid && refunded.isSettled && lines.length > 0;
  if (lines.length === 0 && (back === undefined || isZero(back))) return undefined;
  return present({
    id,
    type: "refund",
    occurredAt: utcInstant(refund.first("processed_at", "created_at")),
    reason: refund.at("note").text(),
    amount: isEdit || back === undefined ? undefined : negate(back),
    lines,
  });
}

interface Delta {
  readonly subtotal: Decimal;
  readonly tax: Decimal;
  readonly quantity: Decimal;
  readonly where: string;
}

/** The refunded line as the order has it, else the refund's own copy of it. */
function productDelta(entry: Native, refunded: Refunded, findings: Findings): CorrectionLine {
  const lineId = entry.first("line_item_id", "line_item.id").id();
  const where = lineId ?? entry.where;
  const sold = refunded.lines.find(({ sent }) => lineId !== undefined && sent.lineId === lineId);
  // What the copy lacks is told only if it is needed.
  const copy = readLine(entry.at("line_item"), { kind: "product", isIncluded: false }, new Findings());
  const line = sold ?? copy;
  const quantity = entry.at("quantity").amount() ?? ONE;
  const subtotal = findings.optionalAmount(money(entry, "subtotal"), where);
  const price = subtotal === undefined ? findings.amount(money(line.native, "price"), where) : ZERO;
  const tax = findings.optionalAmount(money(entry, "total_tax"), where);
  const delta = {
    subtotal: subtotal ?? multiply(price, quantity),
    tax: tax ?? shareOfTax(line, quantity, refunded.currency),
    quantity,
    where,
  };
  return present({
    lineId,
    productId: line.sent.productId,
    name: line.sent.name,
    quantityDelta: isZero(quantity) ? undefined : negate(quantity),
    ...deltaOf(delta, sold, line, refunded, findings),
  });
}

/** Old versions have no tax of a refunded line: it is the line's, by the pieces. */
function shareOfTax({ tax, quantity }: ShopifyLine, pieces: Decimal, currency: string): Decimal {
  return isZero(quantity) ? ZERO : divide(multiply(tax, pieces), quantity, scaleIn(currency));
}

type Amounts = Pick<CorrectionLine, "baseDelta" | "taxRate" | "taxDelta">;

function deltaOf(
  { subtotal, tax, quantity, where }: Delta,
  sold: ShopifyLine | undefined,
  copy: ShopifyLine | undefined,
  { isIncluded, currency }: Refunded,
  findings: Findings,
): Amounts {
  const stated = sold ? wholeRate(sold.sent) : statedRate(copy);
  const fits = (base: Decimal) => stated !== undefined && makesTax({ base, quantity }, stated, tax, currency);
  const within = isIncluded ?? isTaxWithin({ subtotal, tax, where }, fits, findings);
  const base = within ? subtract(subtotal, tax) : subtotal;
  const taxRate = stated ?? provenRate({ base, tax, quantity, where }, currency, findings);
  return { baseDelta: negate(base), taxRate, taxDelta: negate(tax) };
}

/** A refund that comes alone does not say whether its prices have their tax within: the rate may. */
function isTaxWithin(
  { subtotal, tax, where }: Pick<Delta, "subtotal" | "tax" | "where">,
  fits: (base: Decimal) => boolean,
  findings: Findings,
): boolean {
  if (isZero(tax)) return false;
  const [isNet, isGross] = [fits(subtotal), fits(subtract(subtotal, tax))];
  if (isNet === isGross) findings.add("taxes_included", where);
  return isGross && !isNet;
}

function statedRate(line: ShopifyLine | undefined): Decimal | undefined {
  const taxes = line === undefined ? [] : entries(line.native, "tax_lines");
  if (line === undefined || taxes.length === 0) return undefined;
  const rates = lineTax(line, statedPercents(taxes), "EUR", new Findings());
  return wholeRate(rates);
}

function provenRate(
  { base, tax, quantity, where }: Omit<Delta, "subtotal"> & { readonly base: Decimal },
  currency: string,
  findings: Findings,
): Decimal {
  const line = { base, tax, quantity, where, taxes: [{ id: where, amount: tax }] };
  return lineTax(line, percentsOf([line], new Map(), {}, currency), currency, findings).taxRate;
}

/** Shipping by the lines of the refund; older versions have adjustments instead. */
function shippingDeltas(refund: Native, refunded: Refunded, findings: Findings): CorrectionLine[] {
  const lines = entries(refund, "refund_shipping_lines").map((entry) => {
    const id = entry.first("shipping_line_id", "shipping_line.id").id();
    const subtotal = findings.amount(entry.first(...namesOf("subtotal_amount"), ...namesOf("subtotal")));
    const tax =
      findings.optionalAmount(entry.first(...namesOf("tax_amount"), ...namesOf("total_tax"))) ?? ZERO;
    return { id, subtotal, tax };
  });
  const adjustments = adjustmentsOf(refund, true).map((entry) => {
    const [subtotal, tax] = adjustedAmounts(entry, findings);
    // The tax comes on top of the amount of an adjustment, whatever the prices.
    const whole = refunded.isIncluded ? add(subtotal, tax) : subtotal;
    return { id: undefined, subtotal: negate(whole), tax: negate(tax) };
  });
  const found = lines.length > 0 ? lines : adjustments;
  return found
    .filter(({ subtotal, tax }) => !isZero(subtotal) || !isZero(tax))
    .map(({ id, ...amounts }) => shippingDelta(id, amounts, refunded, findings));
}

function shippingDelta(
  id: string | undefined,
  amounts: Pick<Delta, "subtotal" | "tax">,
  refunded: Refunded,
  findings: Findings,
): CorrectionLine {
  const shipping = refunded.lines.filter(({ sent }) => sent.kind === "shipping");
  const sold = shipping.find(({ sent }) => id !== undefined && sent.lineId === id) ?? onlyOne(shipping);
  const delta = { ...amounts, quantity: ONE, where: id ?? "refund_shipping_lines" };
  return present({
    lineId: sold?.sent.lineId ?? id,
    name: sold?.sent.name,
    ...deltaOf(delta, sold, undefined, refunded, findings),
  });
}

function onlyOne<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

function namesOf(name: string): readonly [string, string] {
  return [`${name}_set.shop_money.amount`, name];
}

function adjustmentsOf(refund: Native, isShipping: boolean): readonly Native[] {
  return entries(refund, "order_adjustments").filter(
    (entry) => (entry.at("kind").text() === "shipping_refund") === isShipping,
  );
}

/** Signed: what goes back is negative. */
function adjustedAmounts(entry: Native, findings: Findings): readonly [amount: Decimal, tax: Decimal] {
  const tax = findings.optionalAmount(money(entry, "tax_amount")) ?? ZERO;
  return [findings.amount(money(entry, "amount")), tax];
}

function adjustmentOf(refund: Native, findings: Findings): Decimal {
  return sum(adjustmentsOf(refund, false).flatMap((entry) => adjustedAmounts(entry, findings)));
}
