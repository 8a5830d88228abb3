import type { SalesSettings } from "../billing/sales-settings.ts";
import { type Decimal, isZero, sum } from "../shared/decimal.ts";
import { amountOf } from "./fact-text.ts";
import { because, type Reason } from "./reasons.ts";
import { grossOfLine, isFree, type SoldLine } from "./sold-lines.ts";

export interface VoucherReading {
  /** The lines that are invoiced. */
  readonly lines: readonly SoldLine[];
  /** Vouchers left out of the invoice. */
  readonly leftOut: readonly SoldLine[];
  readonly aside: Decimal;
  readonly reasons: readonly Reason[];
}

/**
 * Directive 2016/1065: the sale of a multi-purpose voucher is no sale of goods, it is taxed when it is used;
 * a single-purpose one is taxed when it is sold.
 */
export function readVouchers(
  lines: readonly SoldLine[],
  sales: Pick<SalesSettings, "voucherKind">,
  currency: string,
): VoucherReading {
  const isMultiPurpose = sales.voucherKind === "multi_purpose";
  const vouchers = lines.filter((line) => line.kind === "gift_voucher" && !isFree(line));
  const leftOut = isMultiPurpose ? vouchers : [];
  const conflict = vouchers.find((line) => isTaxed(line) === isMultiPurpose);
  return {
    lines: lines.filter((line) => !leftOut.includes(line)),
    leftOut,
    aside: sum(leftOut.map(grossOfLine)),
    reasons: conflict ? [conflictReason(conflict, sales, currency)] : [],
  };
}

function isTaxed(line: SoldLine): boolean {
  return !isZero(line.tax) || !isZero(line.surcharge);
}

function conflictReason(line: SoldLine, sales: Pick<SalesSettings, "voucherKind">, currency: string): Reason {
  const facts = { line: line.name, tax: amountOf(line.tax, currency), kind: { phrase: sales.voucherKind } };
  return because("voucher_kind_conflict", facts, line.name);
}
