import type { InvoiceDocument } from "../../domain/invoice/document.ts";
import { grossOf, sumAmounts } from "../../domain/invoice/tax-groups.ts";
import { disbursementsOf, payableOf } from "../../domain/invoice/totals.ts";
import { add, type Decimal, isZero, negate, subtract, sum, ZERO } from "../../domain/shared/decimal.ts";
import type { Language } from "../../words/words.ts";
import { marginGroups, marginName, printedGroups } from "./line-amounts.ts";
import { isTaxed, taxName } from "./tax-words.ts";
import { fill, moneyText, rateText, shownText, WORDS, type Words } from "./words.ts";

/** A currency and its minor units. */
export interface Coin {
  readonly currency: string;
  readonly decimals: number;
}

export const EURO: Coin = { currency: "EUR", decimals: 2 };

export interface TotalRow {
  readonly kind: "part" | "total" | "euros" | "beside" | "payable";
  readonly label: string;
  /** `IVA incluido`, after the label. */
  readonly included?: Words;
  readonly value: string;
}

export interface TotalsOptions {
  readonly coin: Coin;
  readonly language: Language;
  /** For a total with lines that include tax. */
  readonly included?: Words;
}

/** The total, then withholding, disbursements and payments, and the amount due. */
export function totalRows(document: InvoiceDocument, options: TotalsOptions): TotalRow[] {
  const { coin, language, included } = options;
  const { totals, totalsEur } = document;
  const total: TotalRow = {
    kind: "total",
    label: fill(WORDS.total, language),
    ...(included ? { included } : {}),
    value: moneyText(totals.total, coin, language),
  };
  const euros: TotalRow = {
    kind: "euros",
    label: fill(WORDS.totalInEuros, language),
    value: moneyText(totalsEur.total, EURO, language),
  };
  return [
    ...(included ? [] : partRows(document, options)),
    total,
    ...(coin.currency === "EUR" ? [] : [euros]),
    ...payableRows(document, options),
  ];
}

function partRows({ groups }: InvoiceDocument, { coin, language }: TotalsOptions): TotalRow[] {
  const part = (label: string, amount: Decimal): TotalRow => ({
    kind: "part",
    label,
    value: moneyText(amount, coin, language),
  });
  const withTax = printedGroups(groups);
  if (withTax.length === 0) return [];
  const sums = sumAmounts(withTax.map(({ amounts }) => amounts));
  const taxes = new Set(withTax.filter(isTaxed).map(({ tax }) => tax));
  const taxRows = [...taxes].map((tax) => {
    const amount = sum(withTax.filter((group) => group.tax === tax).map(({ amounts }) => amounts.tax));
    const name = taxName(tax, language);
    const within = tax === "05" ? name.toLowerCase() : name;
    return part(fill(WORDS.taxAmountOf, language, { tax: within }), amount);
  });
  const surcharge = isZero(sums.surcharge) ? [] : [part(fill(WORDS.surcharge, language), sums.surcharge)];
  const prices = Map.groupBy(marginGroups(groups), ({ regime }) => marginName(regime));
  const priceRows = [...prices].map(([name, members]) =>
    part(fill(WORDS.pricesOf, language, { name }), sum(members.map(({ amounts }) => grossOf(amounts)))),
  );
  return [part(fill(WORDS.taxableAmount, language), sums.base), ...taxRows, ...surcharge, ...priceRows];
}

/** These rows do not change the invoice: they show the amount due. */
function payableRows(document: InvoiceDocument, { coin, language }: TotalsOptions): TotalRow[] {
  const payable = payableOf(document);
  const { withholding = ZERO, request } = document;
  const furtherRow = (label: string, amount: Decimal): TotalRow => ({
    kind: "beside",
    label,
    value: moneyText(amount, coin, language),
  });
  const rate = rateText(request.withholdingRate ?? ZERO, language);
  const withheld = isZero(withholding)
    ? []
    : [furtherRow(fill(WORDS.withholding, language, { rate }), negate(withholding))];
  const disbursed = disbursementsOf(request).map(({ description, amount }) =>
    furtherRow(fill(WORDS.disbursement, language, { name: shownText(description) }), amount),
  );
  const payments = [...paymentsByLabel(document, language)];
  const paid = payments.map(([label, amount]) => furtherRow(label, negate(amount)));
  const rows = [...withheld, ...disbursed, ...paid];
  const collected = collectedRows(document, { coin, language });
  if (payable === undefined || rows.length === 0) return collected;
  const left = moneyText(payable, coin, language);
  return [...rows, { kind: "payable", label: fill(WORDS.toPay, language), value: left }, ...collected];
}

/** Of an order that was paid in part: what was collected beside the payments above, and what is left. */
function collectedRows(
  { collected, payments = [] }: InvoiceDocument,
  { coin, language }: TotalsOptions,
): TotalRow[] {
  if (!collected) return [];
  const beside = subtract(collected.paid, sum(payments.map(({ amount }) => amount)));
  const left = subtract(collected.payable, collected.paid);
  return [
    {
      kind: "beside",
      label: fill(WORDS.collected, language),
      value: moneyText(negate(beside), coin, language),
    },
    { kind: "payable", label: fill(WORDS.leftToCollect, language), value: moneyText(left, coin, language) },
  ];
}

function paymentsByLabel({ payments = [] }: InvoiceDocument, language: Language): Map<string, Decimal> {
  const byLabel = new Map<string, Decimal>();
  for (const { name, amount } of payments) {
    const label = paymentLabel(shownText(name), language);
    byLabel.set(label, add(byLabel.get(label) ?? ZERO, amount));
  }
  return byLabel;
}

const GIFT_CARD = /^(tarjeta|gift)[ _-]?(de )?(regalo|card)$/i;
const CREDIT = /^(saldo|(store|customer)[ _-]?credit)$/i;

/** Shops name payment methods freely; the two common ones are translated. */
function paymentLabel(name: string, language: Language): string {
  if (GIFT_CARD.test(name)) return fill(WORDS.paidByGiftCard, language);
  if (CREDIT.test(name)) return fill(WORDS.paidWithCredit, language);
  return fill(WORDS.paid, language, { name });
}
