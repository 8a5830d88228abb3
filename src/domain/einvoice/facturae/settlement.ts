import type { CivilDate } from "../../shared/civil-date.ts";
import {
  add,
  type Decimal,
  digitsOf,
  divide,
  isPositive,
  isZero,
  subtract,
  sum,
  toFixed,
  ZERO,
} from "../../shared/decimal.ts";
import { numberText } from "../../shared/typography.ts";
import { leaf, type Markup } from "../../verifactu/xml/element.ts";
import type { ElectronicInvoice } from "../electronic-invoice.ts";
import type { Remarks } from "./remarks.ts";
import { taxIn } from "./taxes.ts";
import { type AmountStyle, group, money, twoDecimals } from "./writer.ts";

interface PaidOnAccount {
  readonly date: CivilDate;
  readonly amount: Decimal;
}

/** The totals of Facturae: its InvoiceTotal is less what is withheld, and disbursements come last. */
export interface Settlement {
  readonly invoiceTotal: Decimal;
  readonly outstanding: Decimal;
  readonly executable: Decimal;
  readonly paid: readonly PaidOnAccount[];
  /** Of the three totals, in another currency. */
  readonly eur?: {
    readonly invoiceTotal: Decimal;
    readonly outstanding: Decimal;
    readonly executable: Decimal;
  };
}

const EURO_DECIMALS = 2;

export function settlementOf(invoice: ElectronicInvoice): Settlement {
  const { totals, totalsEur, withholding, disbursements, exchange } = invoice;
  const invoiceTotal = subtract(totals.total, withholding?.amount ?? ZERO);
  const disbursed = sum(disbursements.map(({ amount }) => amount));
  const paid = paidOnAccount(invoice, add(invoiceTotal, disbursed));
  const paidTotal = sum(paid.map(({ amount }) => amount));
  const outstanding = subtract(invoiceTotal, paidTotal);
  const settled = { invoiceTotal, outstanding, executable: add(outstanding, disbursed), paid };
  if (!exchange) return settled;
  const inEuros = (amount: Decimal) => divide(amount, exchange.rate, EURO_DECIMALS);
  const totalEur = subtract(totalsEur.total, inEuros(withholding?.amount ?? ZERO));
  const outstandingEur = isZero(outstanding) ? ZERO : subtract(totalEur, inEuros(paidTotal));
  const executableEur = isZero(settled.executable) ? ZERO : add(outstandingEur, inEuros(disbursed));
  return {
    ...settled,
    eur: { invoiceTotal: totalEur, outstanding: outstandingEur, executable: executableEur },
  };
}

/** Gift cards, and the rest if the whole invoice has been paid: nothing of it is asked for again. */
function paidOnAccount(invoice: ElectronicInvoice, payable: Decimal): PaidOnAccount[] {
  const { payments, prepaid, payment, issueDate } = invoice;
  const cards = payments.map(({ amount }) => ({ date: issueDate, amount }));
  const rest = subtract(payable, prepaid);
  if (payment?.paidOn === undefined || isZero(rest)) return cards;
  return [...cards, { date: payment.paidOn, amount: rest }];
}

export function invoiceTotals(
  { totals, withholding, disbursements }: ElectronicInvoice,
  { invoiceTotal, outstanding, executable, paid }: Settlement,
  style: AmountStyle,
): Markup {
  const amount = (name: string, value: Decimal) => money(name, value, style);
  return group(
    "InvoiceTotals",
    amount("TotalGrossAmount", totals.base),
    amount("TotalGrossAmountBeforeTaxes", totals.base),
    amount("TotalTaxOutputs", taxIn(totals)),
    amount("TotalTaxesWithheld", withholding?.amount ?? ZERO),
    amount("InvoiceTotal", invoiceTotal),
    ...filled("PaymentsOnAccount", paid, (each) =>
      group(
        "PaymentOnAccount",
        leaf("PaymentOnAccountDate", each.date),
        amount("PaymentOnAccountAmount", each.amount),
      ),
    ),
    ...filled("ReimbursableExpenses", disbursements, (each) =>
      group("ReimbursableExpenses", amount("ReimbursableExpensesAmount", each.amount)),
    ),
    amount("TotalOutstandingAmount", outstanding),
    ...(paid.length === 0 ? [] : [amount("TotalPaymentsOnAccount", sum(paid.map((each) => each.amount)))]),
    amount("TotalExecutableAmount", executable),
    ...(disbursements.length === 0
      ? []
      : [amount("TotalReimbursableExpenses", sum(disbursements.map((each) => each.amount)))]),
  );
}

/** ReimbursableExpenses has no place for words. */
export function remarkDisbursements(
  { disbursements, currency, decimals }: ElectronicInvoice,
  remarks: Remarks,
): void {
  for (const { description, amount } of disbursements) {
    remarks.add("Suplido", `${description}, ${numberText(toFixed(amount, decimals), "es")} ${currency}`);
  }
}

/** PaymentMeans by the means of a request. */
const MEANS = {
  cash: "01",
  direct_debit: "02",
  transfer: "04",
  cheque: "11",
  other: "13",
  card: "19",
} as const;

/** One instalment of what is left; its element takes two decimals, so an amount of three has none. */
export function paymentDetails(invoice: ElectronicInvoice, { outstanding }: Settlement): Markup[] {
  const { dueDate, payment, issueDate } = invoice;
  if (dueDate === undefined && payment === undefined) return [];
  if (!isPositive(outstanding) || digitsOf(outstanding).fraction > 2) return [];
  const { means = "other", iban, bic, reference, mandate } = payment ?? {};
  const isDebit = means === "direct_debit";
  const account = (name: string, isShown: boolean) =>
    iban === undefined || !isShown
      ? []
      : [group(name, leaf("IBAN", iban), ...(bic === undefined ? [] : [leaf("BIC", bic.padEnd(11, "X"))]))];
  return [
    group(
      "PaymentDetails",
      group(
        "Installment",
        leaf("InstallmentDueDate", dueDate ?? issueDate),
        twoDecimals("InstallmentAmount", outstanding),
        leaf("PaymentMeans", MEANS[means]),
        ...account("AccountToBeCredited", !isDebit),
        leaf("PaymentReconciliationReference", reference),
        ...account("AccountToBeDebited", isDebit),
        leaf("CollectionAdditionalInformation", mandate && `Mandato: ${mandate}`),
      ),
    ),
  ];
}

function filled<Item>(name: string, items: readonly Item[], write: (item: Item) => Markup): Markup[] {
  return items.length === 0 ? [] : [group(name, ...items.map(write))];
}
