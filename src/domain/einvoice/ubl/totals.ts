import { add, type Decimal, isZero, toFixed } from "../../shared/decimal.ts";
import { branch, leaf, type Markup } from "../../verifactu/xml/element.ts";
import type { CategoryKey, CategoryTotal } from "../electronic-invoice.ts";
import { taxScheme } from "./parties.ts";
import type { UblDocument } from "./ubl-document.ts";

/** BT-110 with BG-23, and in another currency BT-111, the tax in euros. */
export function taxTotalsXml({ invoice, amount, signed }: UblDocument): Markup[] {
  const { currency, totals, totalsEur, breakdown } = invoice;
  const money = (value: Decimal, name: string) => leaf(name, amount(value), { currencyID: currency });
  const total = branch("cac:TaxTotal", [
    money(add(totals.tax, totals.surcharge), "cbc:TaxAmount"),
    ...breakdown.map((entry) =>
      branch("cac:TaxSubtotal", [
        money(entry.base, "cbc:TaxableAmount"),
        money(entry.tax, "cbc:TaxAmount"),
        categoryXml("cac:TaxCategory", entry, reasonXml(entry)),
      ]),
    ),
  ]);
  if (currency === "EUR") return [total];
  const inEuros = toFixed(signed(add(totalsEur.tax, totalsEur.surcharge)), 2);
  return [total, branch("cac:TaxTotal", [leaf("cbc:TaxAmount", inEuros, { currencyID: "EUR" })])];
}

/** BG-22. No BT-114: the totals of an invoice need no rounding. */
export function monetaryTotalXml({ invoice, amount, signed, due }: UblDocument): Markup {
  const { currency, totals } = invoice;
  const money = (name: string, value: Decimal) => leaf(name, amount(value), { currencyID: currency });
  return branch("cac:LegalMonetaryTotal", [
    money("cbc:LineExtensionAmount", totals.base),
    money("cbc:TaxExclusiveAmount", totals.base),
    money("cbc:TaxInclusiveAmount", totals.total),
    // These are signed already, and `amount` turns the sign of what it is given.
    ...(isZero(due.paid) ? [] : [money("cbc:PrepaidAmount", signed(due.paid))]),
    money("cbc:PayableAmount", signed(due.left)),
  ]);
}

/** BG-30, and of BG-23 the same with the reason for no tax. */
export function categoryXml(name: string, key: CategoryKey, reason: readonly Markup[] = []): Markup {
  return branch(name, [
    leaf("cbc:ID", key.category),
    leaf("cbc:Percent", key.categoryRate),
    ...reason,
    taxScheme(),
  ]);
}

function reasonXml({ reasonCode, reason }: CategoryTotal): Markup[] {
  return [leaf("cbc:TaxExemptionReasonCode", reasonCode), leaf("cbc:TaxExemptionReason", reason)];
}
