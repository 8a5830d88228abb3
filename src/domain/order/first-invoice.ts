import { type Balance, remainingIn } from "../invoice/balance.ts";
import type { IssueDraft } from "../invoice/decide-issue.ts";
import type { TaxGroup, TaxGroupKey } from "../invoice/document.ts";
import type { RequestLine, TradeDetails } from "../invoice/request.ts";
import { amountsToEur, isOss, keyOf, keyText } from "../invoice/tax-groups.ts";
import { type Decimal, divide, isZero, negate, ONE, round, ZERO } from "../shared/decimal.ts";
import type { Result } from "../shared/result.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf } from "./dates.ts";
import { ossStateOf } from "./destination.ts";
import type { DocumentKind } from "./document-kind.ts";
import type { ExchangeReading } from "./exchange-rate.ts";
import { printable, scaleIn } from "./fact-text.ts";
import type { Discount, OrderFacts } from "./facts.ts";
import { generationIn } from "./generation.ts";
import { type DraftLine, draftOf } from "./order-draft.ts";
import { originText } from "./order-origin.ts";
import { includedText, type Reduction } from "./other-totals.ts";
import { type Sale, settingsOfSale } from "./profile.ts";
import type { Reason } from "./reasons.ts";
import type { SoldGroup } from "./sold-groups.ts";
import type { KeyedLine, LineDetails } from "./sold-lines.ts";
import type { SoldOrder } from "./sold-order.ts";

/** The order after its returns, in its currency and in euros. */
export function netGroups(balances: readonly Balance[], exchange: ExchangeReading): TaxGroup[] {
  return balances.filter(isLeft).map((balance) => {
    const amounts = remainingIn(balance);
    return { ...balance.key, amounts, eur: amountsToEur(amounts, exchange.rate?.rate) };
  });
}

export function descriptionOf(facts: OrderFacts): string {
  return `Pedido ${referenceOf(facts)}`;
}

/** The order's name for people. */
export function referenceOf({ reference, idExternal }: OrderFacts): string {
  return printable(reference ?? "") || printable(idExternal);
}

interface FirstInvoiceParts {
  readonly context: OrderContext;
  readonly sale: Sale;
  readonly sold: SoldOrder;
  readonly balances: readonly Balance[];
  readonly groups: readonly TaxGroup[];
  readonly exchange: ExchangeReading;
  readonly kind: DocumentKind;
  readonly trade: TradeDetails;
}

/** The invoice of the order, with the amounts that the customer paid. */
export function draftFirstInvoice(parts: FirstInvoiceParts): Result<IssueDraft, Reason> {
  const { context, sale, sold, groups, exchange, kind, trade } = parts;
  const { facts, issuer, today } = context;
  const { identifier, attestation, ...document } = kind;
  const operationDate = operationDateOf(context);
  const plain = printedLines(parts);
  const lines = attestation ? withLineIds(plain) : plain;
  const consumedIn = groups.some(isOss) ? ossStateOf(context) : undefined;
  const lineIds = lines.flatMap(({ line }) => (line.lineId === undefined ? [] : [line.lineId]));
  return draftOf(
    {
      request: {
        externalId: originText(facts.idExternal, { of: "order", ...generationIn(context.history) }),
        ...document,
        description: descriptionOf(facts),
        currency: facts.currency,
        ...(exchange.rate ? { exchangeRate: exchange.rate.rate, exchangeRateDate: exchange.rate.date } : {}),
        operationDate,
        pricesIncludeTax: false,
        rectifies: [],
        ...(attestation ? { attestation: { ...attestation, lineIds } } : {}),
        ...trade,
      },
      payments: sold.payments,
      lines,
      groups,
      ...(identifier ? { identifier } : {}),
      operationDate,
      cited: [],
      links: [],
      ...(consumedIn === undefined ? {} : { consumedIn }),
    },
    { settings: settingsOfSale(issuer, sale), today },
  );
}

function printedLines({ context, sold, balances, groups }: FirstInvoiceParts): DraftLine[] {
  const { currency } = context.facts;
  const { lines, reductions, printed } = sold;
  const scale = scaleIn(currency);
  return firstInvoiceLines({
    lines,
    sold: sold.groups,
    reductions,
    printed,
    balances,
    groups,
    currency,
    scale,
  });
}

/** Digits of a unit price. */
const PRICE_DIGITS = 6;

interface PrintedOrder {
  readonly lines: readonly KeyedLine[];
  readonly sold: readonly SoldGroup[];
  readonly reductions: readonly Reduction[];
  readonly printed: readonly Discount[];
  /** Returns before the invoice. */
  readonly balances: readonly Balance[];
  readonly groups: readonly TaxGroup[];
  readonly currency: string;
  readonly scale: number;
}

/** The lines as the shop sent them, then one per rate for discounts and returns. */
function firstInvoiceLines(order: PrintedOrder): DraftLine[] {
  const { scale, groups } = order;
  const [main] = groups;
  if (!main) return [];
  const keys = new Set(groups.map(keyText));
  const sold = order.lines.map((line) => {
    // A line of an empty or zero group takes a rate that the invoice has.
    const key = keys.has(keyText(line.key)) ? line.key : keyOf(main);
    const { name, quantity, base, details = {} } = line;
    return lineOf({ name, quantity, base, key, details }, scale);
  });
  const discounted = order.sold
    .filter(({ reducedBase }) => !isZero(reducedBase))
    .map(({ key, reducedBase }) =>
      lineOf({ name: discountText(order), base: negate(reducedBase), key }, scale),
    );
  const returned = order.balances
    .filter(({ taken }) => !isZero(taken.base))
    .map(({ key, taken }) => lineOf({ name: RETURNED, base: negate(taken.base), key }, scale));
  const included = order.printed.map((discount) =>
    lineOf({ name: includedText(discount, order.currency), base: ZERO, key: keyOf(main) }, scale),
  );
  return [...sold, ...discounted, ...returned, ...included];
}

/** Gives every line an id of its own: a simplified invoice above the limit names all of its lines. */
function withLineIds(lines: readonly DraftLine[]): DraftLine[] {
  return lines.map(({ line, amount }, index) => ({ line: { ...line, lineId: String(index + 1) }, amount }));
}

/** Whether the group remains in the breakdown after returns. */
export function isLeft(balance: Balance): boolean {
  const { base, tax, surcharge } = remainingIn(balance);
  return !(isZero(base) && isZero(tax) && isZero(surcharge));
}

const RETURNED = "Devolución";

function discountText({ reductions }: PrintedOrder): string {
  return [...new Set(reductions.map(({ name }) => name))].join(", ").slice(0, NAME_LIMIT);
}

const NAME_LIMIT = 1000;

interface NamedAmount {
  readonly name: string;
  /** Absent for one. */
  readonly quantity?: Decimal;
  readonly base: Decimal;
  readonly key: TaxGroupKey;
  readonly details?: LineDetails;
}

/** Unit price = base / quantity to six decimals; a quantity of nothing counts as one. */
export function lineOf(
  { name, quantity = ONE, base, key, details = {} }: NamedAmount,
  scale: number,
): DraftLine {
  const units = isZero(quantity) ? ONE : quantity;
  const { rate, ...rest } = keyOf(key);
  const line: RequestLine = {
    description: name,
    quantity: units,
    priceUnit: divide(base, units, PRICE_DIGITS),
    taxRate: rate,
    ...rest,
    ...details,
  };
  return { line, amount: round(base, scale) };
}
