import type { InvoiceDocument, TaxGroup } from "../../domain/invoice/document.ts";
import { type GroupedNet, percentWithTax, sharedBases } from "../../domain/invoice/line-nets.ts";
import { scaleOf } from "../../domain/invoice/prepare.ts";
import type { RequestLine } from "../../domain/invoice/request.ts";
import {
  grossOf,
  isOfMargin,
  keyText,
  type ResolvedLine,
  resolveLine,
} from "../../domain/invoice/tax-groups.ts";
import {
  type Decimal,
  divide,
  HUNDRED,
  isZero,
  multiply,
  round,
  subtract,
  sum,
  ZERO,
} from "../../domain/shared/decimal.ts";

export interface PricedLine {
  readonly line: RequestLine;
  readonly key: ResolvedLine;
  readonly price: Decimal;
  readonly amount: Decimal;
}

export interface PricedLines {
  /** True if prices and amounts include tax. */
  readonly taxIncluded: boolean;
  readonly lines: readonly PricedLine[];
}

/**
 * Full invoices show prices without tax (article 6.1.f RD 1619/2012), simplified ones with it, unless the
 * lines would then not add up.
 */
export function priceLines(document: InvoiceDocument): PricedLines {
  const asStated = statedLines(document);
  const { regime, pricesIncludeTax } = document.request;
  if (regime === "art6_full") {
    return { taxIncluded: false, lines: pricesIncludeTax ? withoutTax(document, asStated) : asStated };
  }
  const lines = pricesIncludeTax ? asStated : withTax(document, asStated);
  return { taxIncluded: lines !== undefined, lines: lines ?? asStated };
}

function statedLines({ request, lineAmounts, defaults }: InvoiceDocument): PricedLine[] {
  return request.lines.map((line, index) => {
    const amount = lineAmounts[index] ?? ZERO;
    const key = resolveLine(line, index, amount, defaults);
    return { line, key, price: line.priceUnit, amount };
  });
}

/**
 * The shop's own amounts if they add up to the invoiced ones, else the rounded net ones. Undefined if neither
 * adds up to the sums of the groups.
 */
function withTax(document: InvoiceDocument, lines: readonly PricedLine[]): PricedLine[] | undefined {
  const scale = scaleOf(document.request.currency);
  const taxed = (net: Decimal, { key }: PricedLine) =>
    divide(multiply(net, percentWithTax(key)), HUNDRED, EXACT);
  const nets = [
    ({ line, price }: PricedLine) => multiply(price, unitsOf(line)),
    ({ amount }: PricedLine) => amount,
  ];
  const candidates = nets.map((netOf) =>
    lines.map((line) =>
      repriced(line, taxed(line.price, line), round(taxed(netOf(line), line), scale), scale),
    ),
  );
  return candidates.find((priced) => comesToGross(document, priced));
}

function comesToGross({ groups }: InvoiceDocument, lines: readonly PricedLine[]): boolean {
  const byGroup = Map.groupBy(lines, ({ key }) => keyText(key));
  return (
    byGroup.size === groups.length &&
    groups.every((group) => {
      const members = byGroup.get(keyText(group)) ?? [];
      return sum(members.map(({ amount }) => amount)) === grossOf(group.amounts);
    })
  );
}

/** The lines of a group take its base among them, cents to the largest remainders. */
function withoutTax({ request, groups }: InvoiceDocument, lines: readonly PricedLine[]): PricedLine[] {
  const scale = scaleOf(request.currency);
  const bases = new Map(printedGroups(groups).map((group) => [keyText(group), group.amounts.base]));
  const nets = sharedBases(lines.map(exactNet), bases, scale);
  return lines.map((line, index) => {
    const price = divide(multiply(line.price, HUNDRED), percentWithTax(line.key), EXACT);
    return repriced(line, price, nets[index] ?? ZERO, scale);
  });
}

function exactNet({ key, amount }: PricedLine): GroupedNet {
  const net = divide(multiply(amount, HUNDRED), percentWithTax(key), EXACT);
  return { group: keyText(key), net };
}

/** Digits of a quotient that is rounded to money afterwards. */
const EXACT = 20;
/** Digits of a unit price (interface: up to six decimals). */
const PRICE_DIGITS = 6;

/** The shortest unit price that gives the amount; if a cent was moved, the price of the amount itself. */
function repriced(priced: PricedLine, exact: Decimal, amount: Decimal, scale: number): PricedLine {
  const units = unitsOf(priced.line);
  const own = isZero(units) ? exact : divide(amount, units, EXACT);
  for (const unrounded of [exact, own]) {
    for (let digits = scale; digits <= PRICE_DIGITS; digits++) {
      const price = round(unrounded, digits);
      if (round(multiply(price, units), scale) === amount) return { ...priced, price, amount };
    }
  }
  return { ...priced, price: round(exact, PRICE_DIGITS), amount };
}

/** The quantity of the line less its discount. */
function unitsOf({ quantity, discountRate }: RequestLine): Decimal {
  if (discountRate === undefined) return quantity;
  return multiply(quantity, divide(subtract(HUNDRED, discountRate), HUNDRED, EXACT));
}

/** The margin scheme shows no tax, nor amounts that reveal it (article 138 LIVA). */
export function printedGroups(groups: readonly TaxGroup[]): readonly TaxGroup[] {
  return groups.filter(({ amounts }) => !isOfMargin(amounts));
}

export function marginGroups(groups: readonly TaxGroup[]): readonly TaxGroup[] {
  return groups.filter(({ amounts }) => isOfMargin(amounts));
}

/** Shown instead of a rate, and before the regime's name: used goods, or travel agencies. */
export function marginName(regime: string | undefined): string {
  return regime === "05" ? "REAV" : "REBU";
}
