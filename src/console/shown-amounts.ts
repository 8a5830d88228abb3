import type { InvoiceDocument, TaxGroup } from "../domain/invoice/document.ts";
import { scaleOf } from "../domain/invoice/prepare.ts";
import { disbursementsOf, payableOf } from "../domain/invoice/totals.ts";
import { type Decimal, toFixed } from "../domain/shared/decimal.ts";

/** The amounts of an invoice, printed or not (article 138 LIVA), with withholding and payments. */
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

/** The tax, rate and qualification of a group. */
export function shownTaxGroup({ tax, regime, rate, qualification, surchargeRate }: TaxGroup) {
  return {
    ...{ tax, rate, qualification },
    ...(regime === undefined ? {} : { regime }),
    ...(surchargeRate === undefined ? {} : { surchargeRate }),
  };
}
