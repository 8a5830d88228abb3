import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  isAtMost,
  isNegative,
  isPositive,
  isZero,
  multiply,
  negate,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import { type Fact, money, percents } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { balancesOf, partOf } from "./balance.ts";
import type { Amounts, Rectified, TaxGroup } from "./document.ts";
import { scaleOf } from "./prepare.ts";
import {
  linkWhole,
  mergeGroups,
  type RectifiableInvoice,
  type Rectification,
  remainingOf,
  takenFrom,
} from "./rectifiable.ts";
import { externalAmounts, type References } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest } from "./request.ts";
import {
  addAmounts,
  amountsOfGroup,
  amountsToEur,
  grossOf,
  isBelowZero,
  isNothing,
  isOfMargin,
  keyOf,
  keyText,
  measureOf,
  NOTHING,
  subtractAmounts,
  sumAmounts,
  taxedGrossOf,
} from "./tax-groups.ts";

export type { Link } from "./rectifiable.ts";
/** The effects of the invoice on the cited ones; empty without citations. */
export function rectify(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Result<Rectification, IssueRefusal> {
  if (request.invoiceType === "F3") return replaceSimplified(request, references, groups);
  if (request.rectificationMethod === "substitution") return substitute(request, references, groups);
  if (request.rectificationMethod === "difference") return takeDifference(request, references, groups);
  return ok({ groups, links: [] });
}

/** The full new amounts replace all cited invoices; the record repeats their amounts (AEAT 1118). */
function substitute(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Result<Rectification, IssueRefusal> {
  const negative = groups.find(
    (group) => isBelowZero(group.amounts) && !isReplacingNegative(group, references),
  );
  if (negative) {
    const amount = money(grossOf(negative.amounts), request.currency);
    return refuse("substitution_negative", { rate: { percent: negative.rate }, amount });
  }
  const rectified = rectifiedBy(references, request);
  return ok({ groups, links: linkWhole(references.own, "substitution"), rectified });
}

function rectifiedBy({ own, external }: References, { exchangeRate }: InvoiceRequest): Rectified {
  const groups = [...mergeGroups(own.flatMap((invoice) => invoice.groups)).values()];
  if (external.length === 0) return { groups };
  const stated = external.map(externalAmounts);
  const eur = sumAmounts(stated.map((amounts) => amountsToEur(amounts, exchangeRate)));
  return { groups, elsewhere: { amounts: sumAmounts(stated), eur } };
}

/** An invoice issued elsewhere states its sum alone, so that its groups are not known one by one. */
function isReplacingNegative(group: TaxGroup, { own, external }: References): boolean {
  const replaced = mergeGroups(own.flatMap((invoice) => invoice.groups)).get(keyText(group));
  return (
    (replaced !== undefined && isBelowZero(replaced.amounts)) || external.some(({ base }) => isNegative(base))
  );
}

/**
 * F3: the sum by group of the simplified invoices less their R5. Each ticket was rounded on its own, so the
 * sum is kept. Stated amounts must equal it; computed ones may differ by a cent per ticket.
 */
function replaceSimplified(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Result<Rectification, IssueRefusal> {
  const { own, undone } = references;
  const isUndoing = undone.length > 0;
  const links = linkWhole(isUndoing ? undone : own, "replacement");
  const expected = isUndoing ? minus(undone) : mergeGroups(own.flatMap(({ groups: of }) => of));
  if (references.external.length > 0) {
    const cited = sumAmounts([
      ...[...expected.values()].map((group) => group.amounts),
      ...references.external.map(externalAmounts),
    ]);
    const sent = sumAmounts(groups.map((group) => group.amounts));
    return agree(request, cited, sent) ? ok({ groups, links }) : mismatch(request, undefined, cited, sent);
  }
  const sent = mergeGroups(groups);
  for (const text of new Set([...expected.keys(), ...sent.keys()])) {
    const cited = expected.get(text)?.amounts ?? NOTHING;
    const own = sent.get(text)?.amounts ?? NOTHING;
    if (agree(request, cited, own)) continue;
    const percent = expected.get(text)?.rate ?? sent.get(text)?.rate ?? ZERO;
    return mismatch(request, { percent }, cited, own);
  }
  return ok({ groups: groups.map((group) => takenOver(group, expected, request)), links });
}

/** The exact negative of the F3 that are undone. */
function minus(undone: readonly RectifiableInvoice[]): ReadonlyMap<string, TaxGroup> {
  const negative = (of: Amounts) => subtractAmounts(NOTHING, of);
  const groups = undone.flatMap((f3) => f3.groups);
  return mergeGroups(
    groups.map((group) => ({ ...group, amounts: negative(group.amounts), eur: negative(group.eur) })),
  );
}

/** The amounts of the tickets, which were rounded one by one, at the rate that this request states. */
function takenOver(
  group: TaxGroup,
  expected: ReadonlyMap<string, TaxGroup>,
  { exchangeRate }: InvoiceRequest,
): TaxGroup {
  const amounts = expected.get(keyText(group))?.amounts ?? group.amounts;
  return { ...group, amounts, eur: amountsToEur(amounts, exchangeRate) };
}

function agree(request: InvoiceRequest, cited: Amounts, sent: Amounts): boolean {
  const difference = subtractAmounts(cited, sent);
  const stated = [measureOf(request, difference), difference.outsideMargin ?? ZERO];
  const tolerance = multiply(unitOf(request.currency), decimal(String(request.rectifies.length)));
  const computed = [difference.base, difference.tax, difference.surcharge];
  return stated.every(isZero) && computed.every((amount) => isAtMost(absolute(amount), tolerance));
}

/** The smallest amount of a currency. */
function unitOf(currency: string): Decimal {
  return decimal(`1e-${scaleOf(currency)}`);
}

function mismatch(
  request: InvoiceRequest,
  rate: Fact | undefined,
  expected: Amounts,
  received: Amounts,
): Result<never, IssueRefusal> {
  const stated = (of: Amounts): Fact => {
    const amounts = amountsFact(of, request.currency);
    return rate === undefined ? amounts : { phrase: "amounts_at", rate, amounts };
  };
  return refuse("replaced_amount_mismatch", { expected: stated(expected), received: stated(received) });
}

function amountsFact(amounts: Amounts, currency: string): Fact {
  if (isOfMargin(amounts)) {
    const [price, margin] = [grossOf(amounts), taxedGrossOf(amounts)];
    return { phrase: "amounts_of_margin", price: money(price, currency), margin: money(margin, currency) };
  }
  const base = money(amounts.base, currency);
  const tax = money(amounts.tax, currency);
  if (isZero(amounts.surcharge)) return { phrase: "amounts", base, tax };
  return { phrase: "amounts_with_surcharge", base, tax, surcharge: money(amounts.surcharge, currency) };
}

/**
 * No group of our invoice falls below zero by difference. The stated side is kept to the cent: the base, or
 * the gross if prices include tax. A part that takes the whole rest takes all its tax: no cent is left over.
 */
function takeDifference(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Result<Rectification, IssueRefusal> {
  const { own, external } = references;
  const beyond = exceedsElsewhere(request, references, groups);
  if (beyond) return beyond;
  if (own.length === 0) return ok({ groups, links: [] });
  const taken = own.map((): TaxGroup[] => []);
  const formed: TaxGroup[] = [];
  for (const group of groups) {
    const { parts, rest } = allot(request, own, group);
    const untaxed = allotUntaxed(own, group);
    const isBeyond = isNegative(rest) || isNegative(untaxed.rest);
    if (isBeyond && external.length === 0) return exceeds(request, own, group);
    const shares = own.map((invoice, index) => {
      const part = withUntaxed(group, parts[index] ?? NOTHING, untaxed.parts[index] ?? ZERO);
      return shareOf(request, invoice, group, part);
    });
    for (const [index, share] of shares.entries()) {
      if (!isNothing(share.amounts)) taken[index]?.push(share);
    }
    const elsewhere = withUntaxed(group, amountsOfGroup(request, group, rest), untaxed.rest);
    formed.push({
      ...keyOf(group),
      amounts: sumAmounts([...shares.map((share) => share.amounts), elsewhere]),
      eur: sumAmounts([...shares.map((share) => share.eur), amountsToEur(elsewhere, request.exchangeRate)]),
    });
  }
  const links = own.map(({ invoiceId }, index) => ({
    targetId: invoiceId,
    kind: "difference" as const,
    taken: taken[index] ?? [],
  }));
  return ok({ groups: formed, links });
}

/**
 * A difference against external invoices takes at most their stated amounts. Their rates are unknown, so the
 * sum is judged by the stated side: the base, or the gross if prices include tax.
 */
function exceedsElsewhere(
  request: InvoiceRequest,
  { own, external }: References,
  groups: readonly TaxGroup[],
): Result<never, IssueRefusal> | undefined {
  if (external.length === 0) return undefined;
  const stated = measureOf(request, sumAmounts(external.map(externalAmounts)));
  const requested = sum(groups.map((group) => allot(request, own, group).rest));
  const left = add(stated, requested);
  const isBeyond = isNegative(stated) ? isPositive(left) : isNegative(left);
  if (!isBeyond) return undefined;
  const { currency } = request;
  return refuse("rectification_exceeds", {
    requested: money(negate(requested), currency),
    rate: { all: percents([...new Set(groups.map(({ rate }) => rate))]) },
    remaining: money(stated, currency),
  });
}

/** The share of each cited invoice in a group, and the rest that none covers (zero or less). */
interface Allotment {
  readonly parts: readonly Amounts[];
  readonly rest: Decimal;
}

/** Each invoice gives its remaining amount, in the order of the request; an increase goes to the first. */
function allot(request: InvoiceRequest, own: readonly RectifiableInvoice[], group: TaxGroup): Allotment {
  let rest = measureOf(request, group.amounts);
  const parts = own.map((invoice) => {
    const remaining = remainingIn(invoice, group);
    const available = measureOf(request, remaining);
    if (!areOpposite(rest, available)) return NOTHING;
    const takesAll = compare(absolute(rest), absolute(available)) >= 0;
    const part = takesAll
      ? subtractAmounts(NOTHING, taxedPart(remaining))
      : limitTo(remaining, splitOf(request, invoice, group, rest), request.pricesIncludeTax);
    rest = takesAll ? add(rest, available) : ZERO;
    return part;
  });
  if (!isPositive(rest)) return { parts, rest };
  const increase = amountsOfGroup(request, group, rest);
  return { parts: parts.map((part, index) => (index === 0 ? addAmounts(part, increase) : part)), rest: ZERO };
}

/** Lines that go back are split as their invoice was; any other amount by the rate. */
function splitOf(
  request: InvoiceRequest,
  invoice: RectifiableInvoice,
  group: TaxGroup,
  rest: Decimal,
): Amounts {
  const balance = balancesOf(invoice).find(({ key }) => keyText(key) === keyText(group));
  const isByLines = request.returned !== undefined && request.pricesIncludeTax;
  if (!isByLines || !balance || isOfMargin(balance.invoiced) || !isPositive(grossOf(balance.invoiced))) {
    return amountsOfGroup(request, group, rest);
  }
  return subtractAmounts(NOTHING, partOf(balance, negate(rest), scaleOf(request.currency)));
}

/** The untaxed part of the margin scheme is a separate quantity, allotted like the taxed one. */
function allotUntaxed(own: readonly RectifiableInvoice[], { amounts, ...group }: TaxGroup) {
  let rest = amounts.outsideMargin ?? ZERO;
  const parts = own.map((invoice) => {
    const available = remainingIn(invoice, { ...group, amounts }).outsideMargin ?? ZERO;
    const part = limited(rest, available);
    rest = subtract(rest, part);
    return part;
  });
  if (!isPositive(rest)) return { parts, rest };
  const increase = rest;
  return { parts: parts.map((part, index) => (index === 0 ? add(part, increase) : part)), rest: ZERO };
}

function withUntaxed({ amounts }: TaxGroup, taxed: Amounts, outsideMargin: Decimal): Amounts {
  return isOfMargin(amounts) ? { ...taxed, outsideMargin } : taxed;
}

/** A part takes at most the remaining tax. If the gross is stated, the base covers the difference. */
function limitTo(remaining: Amounts, part: Amounts, keepsGross: boolean): Amounts {
  const base = limited(part.base, remaining.base);
  const surcharge = limited(part.surcharge, remaining.surcharge);
  if (!keepsGross) return { base, tax: limited(part.tax, remaining.tax), surcharge };
  const gross = taxedGrossOf(part);
  const tax = limited(subtract(subtract(gross, base), surcharge), remaining.tax);
  const fuller = limited(subtract(subtract(gross, tax), surcharge), remaining.base);
  return { base: fuller, tax, surcharge: subtract(subtract(gross, tax), fuller) };
}

function limited(part: Decimal, remaining: Decimal): Decimal {
  if (!areOpposite(part, remaining)) return ZERO;
  return compare(absolute(part), absolute(remaining)) > 0 ? negate(remaining) : part;
}

function areOpposite(a: Decimal, b: Decimal): boolean {
  return (isPositive(a) && isNegative(b)) || (isNegative(a) && isPositive(b));
}

/**
 * Converted cumulatively, so that parts at one rate add up to the exact negative of the whole. The part that
 * empties a group takes the remaining euros, which a cancelled part may have moved by a cent.
 */
function shareOf(
  request: InvoiceRequest,
  invoice: RectifiableInvoice,
  group: TaxGroup,
  amounts: Amounts,
): TaxGroup {
  const remaining = remainingOf(invoice).get(keyText(group));
  if (remaining && invoice.exchangeRate === request.exchangeRate) {
    const empties = isNothing(addAmounts(remaining.amounts, amounts));
    if (empties) return { ...keyOf(group), amounts, eur: subtractAmounts(NOTHING, remaining.eur) };
  }
  const soFar = takenFrom(invoice).get(keyText(group))?.amounts ?? NOTHING;
  const now = amountsToEur(addAmounts(soFar, amounts), request.exchangeRate);
  const eur = subtractAmounts(now, amountsToEur(soFar, request.exchangeRate));
  return { ...keyOf(group), amounts, eur };
}

/** Groups taxed by margin and groups taxed by price are never subtracted from each other. */
function remainingIn(invoice: RectifiableInvoice, group: TaxGroup): Amounts {
  const remaining = remainingOf(invoice).get(keyText(group))?.amounts ?? NOTHING;
  return isOfMargin(remaining) === isOfMargin(group.amounts) ? remaining : NOTHING;
}

function taxedPart({ outsideMargin: _, ...taxed }: Amounts): Amounts {
  return taxed;
}

/** The price; of the margin scheme its taxed or its untaxed part where the price alone would fit. */
function exceeds(
  request: InvoiceRequest,
  own: readonly RectifiableInvoice[],
  group: TaxGroup,
): Result<never, IssueRefusal> {
  const requested = subtractAmounts(NOTHING, group.amounts);
  const left = sumAmounts(own.map((invoice) => remainingIn(invoice, group)));
  const isBeyond = (part: (of: Amounts) => Decimal) => compare(part(requested), part(left)) > 0;
  const factOf = (of: Amounts): Fact => {
    const inMoney = (amount: Decimal) => money(amount, request.currency);
    if (!isOfMargin(group.amounts) || isBeyond(grossOf)) return inMoney(grossOf(of));
    if (isBeyond(taxedGrossOf)) return { phrase: "of_margin", amount: inMoney(taxedGrossOf(of)) };
    return { phrase: "outside_margin", amount: inMoney(of.outsideMargin ?? ZERO) };
  };
  const rate = { percent: group.rate };
  return refuse("rectification_exceeds", { requested: factOf(requested), rate, remaining: factOf(left) });
}
