import {
  absolute,
  add,
  compare,
  type Decimal,
  isNegative,
  isPositive,
  negate,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import { money, percents } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { Amounts, TaxGroup } from "./document.ts";
import { type RectifiableInvoice, remainingOf, takenFrom } from "./rectifiable.ts";
import type { Rectification } from "./rectification.ts";
import { externalAmounts, type References } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest } from "./request.ts";
import {
  addAmounts,
  amountsOfGroup,
  amountsToEur,
  grossOf,
  isNothing,
  keyOf,
  keyText,
  NOTHING,
  subtractAmounts,
  sumAmounts,
} from "./tax-groups.ts";

/**
 * By difference no group of an invoice issued here falls below zero. What the lines state is kept to the
 * cent: the base, or the gross where prices include tax. A part that takes all of it takes all the tax that
 * remains, so that parts rounded one by one add up to the exact negative of the whole.
 */
export function takeDifference(
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
    if (isNegative(rest) && external.length === 0) return exceeds(request, own, group);
    const shares = own.map((invoice, index) => shareOf(request, invoice, group, parts[index] ?? NOTHING));
    for (const [index, share] of shares.entries()) {
      if (!isNothing(share.amounts)) taken[index]?.push(share);
    }
    const elsewhere = amountsOfGroup(request, group, rest);
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
 * What falls upon invoices issued elsewhere takes no more than the amounts stated of them. Their rates are
 * not stated, so the sum is judged, by what the lines say: the base, or the gross where prices include tax.
 */
function exceedsElsewhere(
  request: InvoiceRequest,
  { own, external }: References,
  groups: readonly TaxGroup[],
): Result<never, IssueRefusal> | undefined {
  if (external.length === 0) return undefined;
  const stated = measureOf(request, sumAmounts(external.map(externalAmounts)));
  const asked = sum(groups.map((group) => allot(request, own, group).rest));
  const left = add(stated, asked);
  const isBeyond = isNegative(stated) ? isPositive(left) : isNegative(left);
  if (!isBeyond) return undefined;
  const { currency } = request;
  return refuse("rectification_exceeds", {
    requested: money(negate(asked), currency),
    rate: { all: percents([...new Set(groups.map(({ rate }) => rate))]) },
    remaining: money(stated, currency),
  });
}

/** How a group falls upon the invoices cited, and what none of them has (zero or less). */
interface Allotment {
  readonly parts: readonly Amounts[];
  readonly rest: Decimal;
}

/** Each invoice gives what it has, in the order of the request; an increase falls upon the first. */
function allot(request: InvoiceRequest, own: readonly RectifiableInvoice[], group: TaxGroup): Allotment {
  let rest = measureOf(request, group.amounts);
  const parts = own.map((invoice) => {
    const remaining = remainingIn(invoice, group);
    const available = measureOf(request, remaining);
    if (!areOpposite(rest, available)) return NOTHING;
    const takesAll = compare(absolute(rest), absolute(available)) >= 0;
    const part = takesAll
      ? subtractAmounts(NOTHING, remaining)
      : limitTo(remaining, amountsOfGroup(request, group, rest), request.pricesIncludeTax);
    rest = takesAll ? add(rest, available) : ZERO;
    return part;
  });
  if (!isPositive(rest)) return { parts, rest };
  const increase = amountsOfGroup(request, group, rest);
  return { parts: parts.map((part, index) => (index === 0 ? addAmounts(part, increase) : part)), rest: ZERO };
}

/** What the lines of a request state of a group, and what is therefore never moved by a rounding. */
function measureOf(request: InvoiceRequest, amounts: Amounts): Decimal {
  return request.pricesIncludeTax ? grossOf(amounts) : amounts.base;
}

/**
 * A part takes no more tax than remains. Where the gross is given, what the tax cannot give the base does.
 */
function limitTo(remaining: Amounts, part: Amounts, keepsGross: boolean): Amounts {
  const base = limited(part.base, remaining.base);
  const surcharge = limited(part.surcharge, remaining.surcharge);
  if (!keepsGross) return { base, tax: limited(part.tax, remaining.tax), surcharge };
  const gross = grossOf(part);
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
 * empties a group takes the euros that are left, which a cancelled part between others may have moved by a
 * cent.
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

function remainingIn(invoice: RectifiableInvoice, group: TaxGroup): Amounts {
  return remainingOf(invoice).get(keyText(group))?.amounts ?? NOTHING;
}

function exceeds(
  request: InvoiceRequest,
  own: readonly RectifiableInvoice[],
  group: TaxGroup,
): Result<never, IssueRefusal> {
  const { currency } = request;
  return refuse("rectification_exceeds", {
    requested: money(negate(grossOf(group.amounts)), currency),
    rate: { percent: group.rate },
    remaining: money(grossOf(sumAmounts(own.map((invoice) => remainingIn(invoice, group)))), currency),
  });
}
