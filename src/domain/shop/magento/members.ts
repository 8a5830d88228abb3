import type { SentLine } from "../../order/sent-order.ts";
import { add, type Decimal, isZero, ONE, subtract, sum, ZERO } from "../../shared/decimal.ts";
import { present } from "../../shared/present.ts";
import type { Findings } from "../mapped.ts";
import type { Native } from "../native.ts";
import type { NativeLine, NativeTax, Percents } from "../rates.ts";

/** A line of the order with what its refunds need of it. */
export interface MagentoLine extends NativeLine {
  readonly sent: SentLine;
}

/** Amounts of a row or of shipping: after its discount, whose tax Magento gives back as compensation. */
export interface Row {
  readonly base: Decimal;
  readonly tax: Decimal;
}

/** Magento 1 calls the compensation hidden tax. */
export function rowOf(item: Native, findings: Findings, where: string): Row {
  const optional = (...names: readonly string[]) =>
    findings.optionalAmount(item.first(...names), where) ?? ZERO;
  const compensation = optional("discount_tax_compensation_amount", "hidden_tax_amount");
  const row = findings.amount(item.at("row_total"), where);
  return {
    base: add(subtract(row, optional("discount_amount")), compensation),
    tax: optional("tax_amount"),
  };
}

/** The id of an item of the order, also in invoices and credit memos. */
export function itemId(item: Native): string | undefined {
  return item.first("order_item_id", "item_id").id();
}

/**
 * Items with money of their own. Of a bundle or a configurable product either the parent or its children have
 * it; a parent that repeats the sum of its children is left out.
 */
export function itemsWithMoney(items: readonly Native[]): readonly Native[] {
  const rows = items.filter((item) => !item.at("row_total").isEmpty);
  const rowTotal = (item: Native) => item.at("row_total").amount() ?? ZERO;
  const isChild = (item: Native) => item.at("parent_item_id").id() !== undefined;
  const childrenOf = (item: Native) => {
    const id = itemId(item);
    return rows.filter((each) => id !== undefined && each.at("parent_item_id").id() === id);
  };
  return rows.filter((item) => {
    const total = item.at("row_total").amount();
    if (isChild(item)) return total === undefined || !isZero(total);
    const ofChildren = sum(childrenOf(item).map(rowTotal));
    return isZero(ofChildren) || total !== ofChildren;
  });
}

/** Taxes of items and of shipping, as Magento applied them. */
export function appliedTo(order: Native, isOf: (entry: Native) => boolean): readonly Native[] {
  return order
    .at("extension_attributes", "item_applied_taxes")
    .items()
    .filter(isOf)
    .flatMap((entry) => entry.at("applied_taxes").items());
}

export function taxId(tax: Native): string {
  return tax.first("code", "title").text(255) ?? `${tax.at("percent").amount()}`;
}

export function percentsIn(taxes: readonly Native[]): Percents {
  const stated = taxes.flatMap((tax) => {
    const percent = tax.at("percent").amount();
    return percent === undefined ? [] : [[taxId(tax), percent] as const];
  });
  return new Map(stated);
}

export function nativeTaxes(taxes: readonly Native[], findings: Findings): readonly NativeTax[] {
  return taxes.map((tax) => ({ id: taxId(tax), amount: findings.amount(tax.at("amount")) }));
}

export function productLine(item: Native, findings: Findings): Omit<MagentoLine, "taxes"> {
  const lineId = itemId(item);
  const where = lineId ?? item.where;
  const row = rowOf(item, findings, where);
  const quantity = item.first("qty_ordered", "qty").amount();
  const sent = present({
    lineId,
    productId: item.at("product_id").id(),
    name: item.at("name").text(),
    kind: "product",
    quantity,
    ...row,
    taxRate: ZERO,
  });
  return { sent, ...row, quantity: quantity ?? ONE, where };
}
