import type { SentLine } from "../../order/sent-order.ts";
import { type Decimal, decimal, multiply, ONE, subtract, sum, ZERO } from "../../shared/decimal.ts";
import { present } from "../../shared/present.ts";
import type { Findings } from "../mapped.ts";
import type { Native } from "../native.ts";
import type { NativeLine, Percents } from "../rates.ts";

/** A line of the order with what its refunds need of it. */
export interface ShopifyLine extends NativeLine {
  readonly sent: SentLine;
  /** Before a tax is taken out of a price that has it within. */
  readonly gross: Decimal;
  readonly native: Native;
}

const HUNDRED = decimal("100");

/** Money of the shop, never of the customer's currency. */
export function money(native: Native, name: string): Native {
  return native.first(`${name}_set.shop_money.amount`, name);
}

/** Lists of REST; a member that is absent is an empty one. */
export function entries(native: Native, name: string): readonly Native[] {
  return native.at(name).items();
}

interface LineKind {
  readonly kind: "product" | "shipping";
  readonly isIncluded: boolean;
}

/** Price x quantity less the discounts allotted to the line. */
export function readLine(native: Native, { kind, isIncluded }: LineKind, findings: Findings): ShopifyLine {
  const lineId = native.at("id").id();
  const where = lineId ?? native.where;
  const quantity = kind === "product" ? findings.amount(native.at("quantity"), where) : ONE;
  const price = findings.amount(money(native, "price"), where);
  const gross = subtract(multiply(price, quantity), sum(allocationsOf(native, findings)));
  const taxes = taxesOf(native, findings);
  const tax = sum(taxes.map(({ amount }) => amount));
  const base = isIncluded ? subtract(gross, tax) : gross;
  const sent = present({
    lineId,
    productId: kind === "product" ? native.at("product_id").id() : undefined,
    name: native.first("name", "title").text(),
    kind: native.at("gift_card").flag() === true ? "gift_voucher" : kind,
    quantity,
    base,
    tax,
    taxRate: ZERO,
  });
  return { native, sent, gross, base, tax, quantity, taxes, where };
}

function allocationsOf(line: Native, findings: Findings): readonly Decimal[] {
  return entries(line, "discount_allocations").map((entry) => findings.amount(money(entry, "amount")));
}

export function taxesOf(line: Native, findings: Findings): NativeLine["taxes"] {
  return entries(line, "tax_lines").map((tax) => ({
    id: taxId(tax),
    amount: findings.amount(money(tax, "price")),
  }));
}

/** Shopify's taxes have no id: title and rate distinguish them. */
export function taxId(tax: Native): string {
  return `${percentOf(tax)} ${tax.at("title").text(255)}`;
}

/** Percents by what `taxId` makes of the tax lines. */
export function statedPercents(taxes: readonly Native[]): Percents {
  const stated = taxes.flatMap((tax) => {
    const percent = percentOf(tax);
    return percent === undefined ? [] : [[taxId(tax), percent] as const];
  });
  return new Map(stated);
}

function percentOf(tax: Native): Decimal | undefined {
  const rate = tax.at("rate").amount();
  return tax.at("rate_percentage").amount() ?? (rate && multiply(rate, HUNDRED));
}
