import type { Amounts, InvoiceDocument, TaxGroup, TaxGroupKey } from "../invoice/document.ts";
import { type InvoiceView, newestRegistration } from "../invoice/invoice-view.ts";
import { isTaxed, sharedBases } from "../invoice/line-nets.ts";
import { termsOf } from "../invoice/payment-terms.ts";
import { identifierOf, scaleOf } from "../invoice/prepare.ts";
import { isRectifying } from "../invoice/request.ts";
import {
  amountsToEur,
  grossOf,
  isMarginScheme,
  isOss,
  keyOf,
  keyText,
  NOTHING,
  type ResolvedLine,
  resolveLine,
  sumAmounts,
  totalsOf,
} from "../invoice/tax-groups.ts";
import { disbursementsOf } from "../invoice/totals.ts";
import { civilDate } from "../shared/civil-date.ts";
import { add, type Decimal, divide, HUNDRED, multiply, sum, ZERO } from "../shared/decimal.ts";
import { invariant } from "../shared/result.ts";
import type { TaxIdentifier } from "../shared/tax-identifier.ts";
import { qrUrl } from "../verifactu/record.ts";
import type {
  Correction,
  ElectronicGroup,
  ElectronicInvoice,
  ElectronicLine,
  ElectronicRecipient,
} from "./electronic-invoice.ts";
import { mentionsIn } from "./mentions.ts";
import { priceOf } from "./unit-price.ts";
import { DEFAULT_UNIT } from "./units.ts";
import { breakdownOf, categoryOf } from "./vat-categories.ts";

/** The stored invoice: its document, number and date, what it cites, its record and the page of its QR. */
export type IssuedInvoice = Pick<
  InvoiceView,
  "fullNumber" | "issueDate" | "document" | "alta" | "corrections" | "cancellation" | "environment" | "trial"
>;

/** The neutral view of an issued invoice; equal for equal stored data. */
export function electronicInvoiceOf(issued: IssuedInvoice): ElectronicInvoice {
  const { document, fullNumber, environment } = issued;
  const { request, operationDate, withholding, payments = [] } = document;
  const { currency, exchangeRate, exchangeRateDate, withholdingRate } = request;
  const decimals = scaleOf(currency);
  const identifier = identifierOf(request.recipient);
  const resolved = request.lines.map((line, index) =>
    resolveLine(line, index, document.lineAmounts[index] ?? ZERO, document.defaults),
  );
  const groups = shownGroups(document, resolved, identifier);
  const totals = totalsOf(sumAmounts(groups.map(({ amounts }) => amounts)));
  // The QR has the record of the issue, which no amendment changes on paper.
  const { content } = newestRegistration({ alta: issued.alta, corrections: [] });
  const recipient = recipientOf(request.recipient, identifier);
  return {
    number: fullNumber,
    issueDate: civilDate(issued.issueDate),
    ...(operationDate === undefined ? {} : { operationDate }),
    invoiceType: request.invoiceType,
    regime: request.regime,
    flags: request.flags,
    cancelled: issued.cancellation !== undefined,
    description: request.description,
    currency,
    decimals,
    ...(exchangeRate === undefined || exchangeRateDate === undefined
      ? {}
      : { exchange: { rate: exchangeRate, date: exchangeRateDate } }),
    issuer: document.issuer,
    ...(recipient ? { recipient } : {}),
    ...correctionOf(document),
    replaces: request.invoiceType === "F3" ? document.cited : [],
    lines: linesOf(document, resolved, groups),
    groups,
    breakdown: breakdownOf(groups),
    totals,
    totalsEur: totalsOf(sumAmounts(groups.map(({ eur }) => eur))),
    ...(withholding === undefined || withholdingRate === undefined
      ? {}
      : { withholding: { rate: withholdingRate, base: totals.base, amount: withholding } }),
    disbursements: disbursementsOf(request),
    payments,
    prepaid: sum(payments.map(({ amount }) => amount)),
    ...termsOf(document),
    ...statedFacts(document),
    mentions: mentionsIn({ document, environment, groups, recordTotal: content.total }),
    ...(issued.trial ? {} : { qrUrl: qrUrl({ environment, key: content.key, total: content.total }) }),
  };
}

function recipientOf(
  recipient: InvoiceDocument["request"]["recipient"],
  identifier: TaxIdentifier | undefined,
): ElectronicRecipient | undefined {
  return recipient && { ...recipient, ...(identifier ? { identifier } : {}) };
}

function correctionOf({ request, cited }: InvoiceDocument): { readonly correction?: Correction } {
  if (!isRectifying(request.invoiceType)) return {};
  const { rectificationMethod: method = "difference", rectifiedPeriod: period } = request;
  const { rectificationReason: reason } = request;
  return {
    correction: { method, cited, ...(period ? { period } : {}), ...(reason === undefined ? {} : { reason }) },
  };
}

/** Members that the view takes over as they were stated. */
function statedFacts({ request }: InvoiceDocument) {
  const { buyerReference, orderReference, contractReference, fileReference } = request;
  const { delivery, invoicingPeriod } = request;
  return {
    ...(buyerReference === undefined ? {} : { buyerReference }),
    ...(orderReference === undefined ? {} : { orderReference }),
    ...(contractReference === undefined ? {} : { contractReference }),
    ...(fileReference === undefined ? {} : { fileReference }),
    ...(delivery ? { delivery } : {}),
    ...(invoicingPeriod ? { invoicingPeriod } : {}),
  };
}

/** The stored groups, and one of nothing for each line of nothing whose group the breakdown leaves out. */
function shownGroups(
  { groups, request }: InvoiceDocument,
  lines: readonly ResolvedLine[],
  identifier: TaxIdentifier | undefined,
): readonly ElectronicGroup[] {
  const stored = new Set(groups.map(keyText));
  const missing = new Map<string, TaxGroup>();
  for (const line of lines) {
    if (stored.has(keyText(line))) continue;
    missing.set(keyText(line), {
      ...keyOf(line),
      amounts: NOTHING,
      eur: amountsToEur(NOTHING, request.exchangeRate),
    });
  }
  return [...groups, ...missing.values()].map((group) => {
    const isMargin = isMarginScheme(group);
    return {
      ...keyOf(group),
      ...categoryOf(group, identifier),
      isMargin,
      isOss: isOss(group),
      amounts: isMargin ? priceAlone(group.amounts) : taxTold(group.amounts),
      eur: isMargin ? priceAlone(group.eur) : taxTold(group.eur),
    };
  });
}

function priceAlone(amounts: Amounts): Amounts {
  return { ...NOTHING, base: grossOf(amounts) };
}

function taxTold({ base, tax, surcharge }: Amounts): Amounts {
  return { base, tax, surcharge };
}

/** Digits of a quotient that is rounded to money afterwards. */
const EXACT = 20;

function linesOf(
  { request }: InvoiceDocument,
  resolved: readonly ResolvedLine[],
  groups: readonly ElectronicGroup[],
): readonly ElectronicLine[] {
  const scale = scaleOf(request.currency);
  const places = new Map(groups.map((group, place) => [keyText(group), place]));
  const bases = new Map(groups.map((group) => [keyText(group), group.amounts.base]));
  const nets = sharedBases(
    resolved.map((line) => ({
      group: keyText(line),
      net: shownAmount(line, request.pricesIncludeTax),
    })),
    bases,
    scale,
  );
  return request.lines.map((line, index) => {
    const key = resolved[index];
    const group = key && places.get(keyText(key));
    invariant(group !== undefined, "every line has a group");
    const net = nets[index] ?? ZERO;
    return {
      number: index + 1,
      description: line.description,
      ...(line.itemCode === undefined ? {} : { itemCode: line.itemCode }),
      unit: line.unit ?? DEFAULT_UNIT,
      ...priceOf(line, net, scale),
      net,
      group,
    };
  });
}

/** The amount of a line as its group shows it, unrounded. */
function shownAmount(line: ResolvedLine, pricesIncludeTax: boolean): Decimal {
  const { amount, margin } = line;
  if (isMarginScheme(line)) {
    const isPrice = pricesIncludeTax || margin !== undefined;
    return isPrice ? amount : divide(multiply(amount, percentWithTaxOf(line)), HUNDRED, EXACT);
  }
  if (!pricesIncludeTax || !isTaxed(line)) return amount;
  return divide(multiply(amount, HUNDRED), percentWithTaxOf(line), EXACT);
}

function percentWithTaxOf({ rate, surchargeRate = ZERO }: TaxGroupKey): Decimal {
  return add(add(HUNDRED, rate), surchargeRate);
}
