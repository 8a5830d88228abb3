import type { CorrectionLine } from "../../order/facts.ts";
import type { SentEvent } from "../../order/sent-order.ts";
import {
  absolute,
  add,
  type Decimal,
  greater,
  isZero,
  negate,
  ONE,
  subtract,
  sum,
  ZERO,
} from "../../shared/decimal.ts";
import { present } from "../../shared/present.ts";
import { withAdjustment } from "../adjustments.ts";
import { type Findings, inOrderOfIds } from "../mapped.ts";
import type { Native } from "../native.ts";
import { lineTax, percentsOf, wholeRate } from "../rates.ts";
import { utcInstant } from "../times.ts";
import { itemId, itemsWithMoney, type MagentoLine, type Row, rowOf } from "./members.ts";

interface Refunded {
  readonly memos: readonly Native[];
  readonly lines: readonly MagentoLine[];
  readonly currency: string;
}

/** One event for each credit memo. */
export function creditmemoEvents(refunded: Refunded, findings: Findings): SentEvent[] {
  return inOrderOfIds(refunded.memos.flatMap((memo) => eventOf(memo, refunded, findings) ?? []));
}

/** The money of a memo, with the part that went back to gift card, balance or points. */
const OTHER_MONEY = ["gift_cards_amount", "customer_balance_amount", "reward_currency_amount"];

function eventOf(memo: Native, refunded: Refunded, findings: Findings): SentEvent | undefined {
  const id = memo.first("entity_id", "creditmemo_id", "increment_id").id();
  if (id === undefined) {
    findings.add("id", memo.where || "creditmemo");
    return undefined;
  }
  const optional = (name: string) => findings.optionalAmount(memo.at(name), id) ?? ZERO;
  const items = itemsWithMoney(memo.at("items").items()).map((item) => itemDelta(item, refunded, findings));
  const parts = [...items, ...shippingDelta(memo, id, refunded, findings)].filter(
    ({ baseDelta, taxDelta }) => !isZero(baseDelta) || !isZero(taxDelta),
  );
  const more = subtract(optional("adjustment_positive"), optional("adjustment_negative"));
  const lines = withAdjustment(parts, negate(more), refunded);
  const money = OTHER_MONEY.map((name) =>
    absolute(findings.optionalAmount(memo.first(name, `extension_attributes.${name}`), id) ?? ZERO),
  );
  const amount = add(findings.amount(memo.at("grand_total"), id), sum(money));
  if (lines.length === 0 && isZero(amount)) return undefined;
  return present({
    id,
    type: "refund",
    occurredAt: utcInstant(memo.at("created_at")),
    reason: memo.at("comments").items()[0]?.at("comment").text(),
    amount: negate(amount),
    lines,
  });
}

function itemDelta(item: Native, { lines, currency }: Refunded, findings: Findings): CorrectionLine {
  const lineId = itemId(item);
  const where = lineId ?? item.where;
  const row = rowOf(item, findings, where);
  const sold = lines.find(({ sent }) => lineId !== undefined && sent.lineId === lineId);
  const quantity = item.at("qty").amount();
  return present({
    lineId,
    productId: item.at("product_id").id() ?? sold?.sent.productId,
    name: item.at("name").text() ?? sold?.sent.name,
    quantityDelta: quantity === undefined || isZero(quantity) ? undefined : negate(quantity),
    ...deltaOf(row, sold, { quantity: quantity ?? ONE, where, currency }, findings),
  });
}

interface Taken {
  readonly quantity: Decimal;
  readonly where: string;
  readonly currency: string;
}

/** A refunded item at the rate of its order line; without the order, at the rate that its amounts prove. */
function deltaOf(
  { base, tax }: Row,
  sold: MagentoLine | undefined,
  { quantity, where, currency }: Taken,
  findings: Findings,
) {
  const taxes = isZero(tax) ? [] : [{ id: where, amount: tax }];
  const line = { base, tax, quantity, taxes, where };
  const taxed = sold?.sent ?? lineTax(line, percentsOf([line], new Map(), {}, currency), currency, findings);
  return { baseDelta: negate(base), taxRate: wholeRate(taxed), taxDelta: negate(tax) };
}

/** The memo's discount less that of its items is the one of shipping. */
function shippingDelta(
  memo: Native,
  id: string,
  { lines, currency }: Refunded,
  findings: Findings,
): CorrectionLine[] {
  const optional = (...names: readonly string[]) => findings.optionalAmount(memo.first(...names), id) ?? ZERO;
  const amount = optional("shipping_amount");
  const tax = optional("shipping_tax_amount");
  if (isZero(amount) && isZero(tax)) return [];
  const ofItems = memo
    .at("items")
    .items()
    .map((item) => item.at("discount_amount").amount() ?? ZERO);
  const discount = greater(subtract(absolute(optional("discount_amount")), sum(ofItems)), ZERO);
  const compensation = optional("shipping_discount_tax_compensation_amount", "shipping_hidden_tax_amount");
  const sold = lines.find(({ sent }) => sent.kind === "shipping");
  const row = { base: add(subtract(amount, discount), compensation), tax };
  const where = `${id}.shipping_amount`;
  return [
    present({
      lineId: sold?.sent.lineId,
      name: sold?.sent.name,
      ...deltaOf(row, sold, { quantity: ONE, where, currency }, findings),
    }),
  ];
}
