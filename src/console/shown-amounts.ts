import type { InvoiceDocument, TaxGroup } from "../domain/invoice/document.ts";
import { disbursementsOf, payableOf } from "../domain/invoice/payable.ts";
import { scaleOf } from "../domain/invoice/prepare.ts";
import { type Decimal, toFixed } from "../domain/shared/decimal.ts";

/** What an invoice comes to, printed or not (article 138 LIVA), and what stands beside its total. */
export function shownAmounts(document: InvoiceDocument) {
  const { request, groups, totals, totalsEur, withholding, payments = [] } = document;
  const inCoin = (amount: Decimal) => toFixed(amount, scaleOf(request.currency));
  const payable = payableOf(document);
  const { rectifiedPeriod } = request;
  return {
    groups: groups.map((group) => ({
      ...shownTaxGroup(group),
      base: inCoin(group.amounts.base),
      quota: inCoin(group.amounts.tax),
      ...(group.surchargeRate === undefined ? {} : { surcharge: inCoin(group.amounts.surcharge) }),
      ...(group.amounts.outsideMargin === undefined
        ? {}
        : { outsideMargin: inCoin(group.amounts.outsideMargin) }),
    })),
    total: inCoin(totals.total),
    ...(request.currency === "EUR" ? {} : { totalEur: toFixed(totalsEur.total, 2) }),
    ...(withholding === undefined ? {} : { withholding: inCoin(withholding) }),
    payments: payments.map(({ name, amount }) => ({ name, amount: inCoin(amount) })),
    disbursements: disbursementsOf(request).map(({ description, amount }) => ({
      ...{ name: description, amount: inCoin(amount) },
    })),
    ...(payable === undefined ? {} : { payable: inCoin(payable) }),
    ...(rectifiedPeriod === undefined ? {} : { rectifiedPeriod }),
  };
}

/** What the amounts of a group are of. */
export function shownTaxGroup({ tax, regime, rate, qualification, surchargeRate }: TaxGroup) {
  return {
    ...{ tax, rate, qualification },
    ...(regime === undefined ? {} : { regime }),
    ...(surchargeRate === undefined ? {} : { surchargeRate }),
  };
}
