import type { TaxGroup } from "../../domain/invoice/document.ts";
import { type Decimal, round, ZERO } from "../../domain/shared/decimal.ts";
import { exactNumber, type RawNumber } from "../exact-number.ts";
import { present } from "./present.ts";

export type Amount = (value: Decimal) => RawNumber;

/** Amounts were already rounded to the currency; this only guarantees the published form. */
export function amountIn(decimals: number): Amount {
  return (value) => exactNumber(round(value, decimals));
}

/** The breakdown as every invoice shows it. */
export function taxesOf(groups: readonly TaxGroup[], amount: Amount) {
  return groups.map(({ tax, regime, qualification, rate, surchargeRate, amounts }) =>
    present({
      type_tax: tax,
      regime: regime ?? null,
      qualification,
      tax_rate: exactNumber(rate),
      base: amount(amounts.base),
      tax: amount(amounts.tax),
      equivalence_surcharge_rate: exactNumber(surchargeRate ?? ZERO),
      equivalence_surcharge: amount(amounts.surcharge),
      outside_margin: amounts.outsideMargin && amount(amounts.outsideMargin),
    }),
  );
}
