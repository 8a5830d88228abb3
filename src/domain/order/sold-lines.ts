import type { TaxGroupKey } from "../invoice/document.ts";
import { type Decimal, isZero, sum, ZERO } from "../shared/decimal.ts";
import { present } from "../shared/present.ts";
import { printable } from "./fact-text.ts";
import type { LineKind, OrderFacts } from "./facts.ts";

/** Something sold, with the shop's own amounts, unrounded. */
export interface SoldLine {
  readonly name: string;
  readonly kind: LineKind;
  readonly quantity: Decimal;
  readonly base: Decimal;
  readonly tax: Decimal;
  readonly surcharge: Decimal;
  readonly rate: Decimal;
  readonly surchargeRate?: Decimal;
  /** The ids by which discounts and corrections refer to it. */
  readonly ids: readonly string[];
  readonly details?: LineDetails;
}

export type LineDetails = Pick<OrderFacts["breakdown"][number], "unit" | "itemCode">;

/** A line with a known tax group. */
export interface KeyedLine extends SoldLine {
  readonly key: TaxGroupKey;
}

const UNNAMED = "Artículo";

export function soldLines(facts: OrderFacts): SoldLine[] {
  return facts.breakdown.map((line) => ({
    name: printable(line.name ?? "") || UNNAMED,
    kind: line.kind,
    quantity: line.quantity,
    base: line.base,
    tax: line.tax,
    surcharge: line.surcharge ?? ZERO,
    rate: line.taxRate,
    ...surchargeOf(line.surchargeRate),
    ids: [line.lineId, line.productId].filter((id) => id !== undefined),
    details: present({ unit: line.unit, itemCode: line.itemCode }),
  }));
}

export function grossOfLine(line: Pick<SoldLine, "base" | "tax" | "surcharge">): Decimal {
  return sum([line.base, line.tax, line.surcharge]);
}

/** Neither delivery nor a fee: discounts apply to goods. */
export function isGoods({ kind }: Pick<SoldLine, "kind">): boolean {
  return kind === "product" || kind === "gift_voucher";
}

/** A voucher that is taxed when it is used, unless the owner has declared otherwise. */
export function isUntaxedVoucher({ kind, tax, surcharge }: SoldLine): boolean {
  return kind === "gift_voucher" && isZero(tax) && isZero(surcharge);
}

/** A line of nothing (free delivery, a gift) is printed and has no tax to be judged. */
export function isFree(line: Pick<SoldLine, "base" | "tax" | "surcharge">): boolean {
  return isZero(line.base) && isZero(line.tax) && isZero(line.surcharge);
}

export function surchargeOf(rate: Decimal | undefined): { readonly surchargeRate?: Decimal } {
  return rate === undefined || isZero(rate) ? {} : { surchargeRate: rate };
}
