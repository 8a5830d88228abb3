import type { IssueDraft } from "../invoice/decide-issue.ts";
import type { TaxGroup } from "../invoice/document.ts";
import { amountsToEur, isOss } from "../invoice/tax-groups.ts";
import type { Result } from "../shared/result.ts";
import type { OrderContext } from "./context.ts";
import { operationDateOf } from "./dates.ts";
import { ossStateOf } from "./destination.ts";
import type { DocumentKind } from "./document-kind.ts";
import type { ExchangeReading } from "./exchange-rate.ts";
import { printable, scaleIn } from "./fact-text.ts";
import type { OrderFacts } from "./facts.ts";
import { firstInvoiceLines, isLeft, withLineIds } from "./first-invoice-lines.ts";
import { generationIn } from "./generation.ts";
import { type DraftLine, draftOf } from "./order-draft.ts";
import { originText } from "./order-origin.ts";
import type { Reason } from "./reasons.ts";
import type { SoldOrder } from "./sold-order.ts";
import { type Balance, remainingIn } from "./take-back.ts";

/** What is left of the order once its returns are taken off, in its currency and in euros. */
export function netGroups(balances: readonly Balance[], exchange: ExchangeReading): TaxGroup[] {
  return balances.filter(isLeft).map((balance) => {
    const amounts = remainingIn(balance);
    return { ...balance.key, amounts, eur: amountsToEur(amounts, exchange.rate?.rate) };
  });
}

export function descriptionOf(facts: OrderFacts): string {
  return `Pedido ${referenceOf(facts)}`;
}

/** How people name the order. */
export function referenceOf({ reference, idExternal }: OrderFacts): string {
  return printable(reference ?? "") || printable(idExternal);
}

export interface FirstInvoiceParts {
  readonly context: OrderContext;
  readonly sold: SoldOrder;
  readonly balances: readonly Balance[];
  readonly groups: readonly TaxGroup[];
  readonly exchange: ExchangeReading;
  readonly kind: DocumentKind;
}

/** The invoice of the order, with the amounts that the customer paid. */
export function draftFirstInvoice(parts: FirstInvoiceParts): Result<IssueDraft, Reason> {
  const { context, groups, exchange, kind } = parts;
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
      },
      lines,
      groups,
      ...(identifier ? { identifier } : {}),
      operationDate,
      cited: [],
      links: [],
      ...(consumedIn === undefined ? {} : { consumedIn }),
    },
    { settings: issuer, today },
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
