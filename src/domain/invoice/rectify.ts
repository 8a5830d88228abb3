import {
  absolute,
  compare,
  type Decimal,
  decimal,
  isAtMost,
  isNegative,
  isPositive,
  isZero,
  negate,
  toFixed,
  ZERO,
} from "../shared/decimal.ts";
import { ok, type Result } from "../shared/result.ts";
import type { Amounts, TaxGroup } from "./document.ts";
import { scaleOf } from "./prepare.ts";
import {
  type LinkKind,
  mergeGroups,
  type RectifiableInvoice,
  remainingOf,
  takenFrom,
} from "./rectifiable.ts";
import type { References } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest } from "./request.ts";
import {
  addAmounts,
  amountsToEur,
  grossOf,
  isNothing,
  keyOf,
  keyText,
  NOTHING,
  recordableEur,
  subtractAmounts,
  sumAmounts,
} from "./tax-groups.ts";

/** What a new invoice does to one that it cites. */
export interface Link {
  readonly targetId: string;
  readonly kind: LinkKind;
  readonly taken: readonly TaxGroup[];
}

export interface Rectification {
  /** The groups of the new invoice, with the cents of a part that takes all that remains. */
  readonly groups: readonly TaxGroup[];
  readonly links: readonly Link[];
  /** ImporteRectificacion, in EUR; only by substitution. */
  readonly rectifiedAmounts?: Amounts;
}

export function rectify(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Result<Rectification, IssueRefusal> {
  if (request.invoiceType === "F3") return replace(request, references, groups);
  if (request.rectificationMethod === "substitution") return ok(substitute(request, references, groups));
  if (request.rectificationMethod === "difference") return takeDifference(request, references, groups);
  return ok({ groups, links: [] });
}

/** The full new amounts stand for everything cited, whose own amounts the record repeats (AEAT 1118). */
function substitute(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Rectification {
  const cited = sumAmounts([
    ...references.own.flatMap((invoice) => invoice.groups.map(recordableEur)),
    ...externalEur(request, references),
  ]);
  return { groups, links: linkAll(references, "substitution"), rectifiedAmounts: cited };
}

/** By difference: no group of an invoice issued here falls below zero. */
function takeDifference(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Result<Rectification, IssueRefusal> {
  if (references.own.length === 0) return ok({ groups, links: [] });
  const pool = mergeGroups(references.own.flatMap((invoice) => [...remainingOf(invoice).values()]));
  const before = mergeGroups(references.own.flatMap((invoice) => [...takenFrom(invoice).values()]));
  const taken: TaxGroup[] = [];
  for (const group of groups) {
    const remaining = pool.get(keyText(group))?.amounts ?? NOTHING;
    const part = fitPart(group, remaining, unitOf(request));
    const bounded = references.external.length === 0;
    if (part === undefined && bounded) return exceeds(group, remaining, request.currency);
    const amounts = part ?? group.amounts;
    const soFar = before.get(keyText(group))?.amounts ?? NOTHING;
    taken.push({ ...keyOf(group), amounts, eur: cumulativeEur(request, soFar, amounts) });
  }
  return ok({ groups: taken, links: allocate(references.own, taken) });
}

/**
 * The part of a group that goes back. Parts are rounded one by one, so the last of them may miss what remains by
 * a cent or two: such a part takes all of it. Undefined when it would take more than there is.
 */
function fitPart(group: TaxGroup, remaining: Amounts, unit: Decimal): Amounts | undefined {
  const after = addAmounts(remaining, group.amounts);
  const tolerance = decimal(String(Number(unit) * 2));
  const goesBack = opposite(grossOf(group.amounts), grossOf(remaining));
  if (goesBack && isWithin(after.base, tolerance) && isWithin(grossOf(after), tolerance))
    return subtractAmounts(NOTHING, remaining);
  const below = (now: Decimal, then: Decimal) =>
    isNegative(now) && compare(now, isNegative(then) ? then : ZERO) < 0;
  const tooMuch = below(after.base, remaining.base) || below(grossOf(after), grossOf(remaining));
  return tooMuch ? undefined : group.amounts;
}

function opposite(a: Decimal, b: Decimal): boolean {
  return (isPositive(a) && isNegative(b)) || (isNegative(a) && isPositive(b));
}

/** Converted cumulatively, so that parts at one rate add up to the exact negative of the whole. */
function cumulativeEur(request: InvoiceRequest, soFar: Amounts, amounts: Amounts): Amounts {
  const now = amountsToEur(addAmounts(soFar, amounts), request.exchangeRate);
  return subtractAmounts(now, amountsToEur(soFar, request.exchangeRate));
}

/** With several invoices cited, each gives what it has, in the order of the request; the last takes the rest. */
function allocate(invoices: readonly RectifiableInvoice[], taken: readonly TaxGroup[]): Link[] {
  const open = new Map(taken.map((group) => [keyText(group), group]));
  return invoices.map((invoice, index) => {
    const isLast = index === invoices.length - 1;
    const remaining = remainingOf(invoice);
    const own: TaxGroup[] = [];
    for (const [text, group] of open) {
      const rest = remaining.get(text);
      const part = isLast ? group : firstPart(group, rest);
      if (!part) continue;
      own.push(part);
      const left = subtractGroup(group, part);
      if (isNothing(left.amounts)) open.delete(text);
      else open.set(text, left);
    }
    return { targetId: invoice.invoiceId, kind: "difference", taken: own };
  });
}

function firstPart(group: TaxGroup, rest: TaxGroup | undefined): TaxGroup | undefined {
  if (!isNegative(grossOf(group.amounts))) return group;
  if (!rest || isNothing(rest.amounts)) return undefined;
  const isMoreThanRest = compare(absolute(grossOf(group.amounts)), grossOf(rest.amounts)) > 0;
  if (!isMoreThanRest) return group;
  const none = { ...group, amounts: NOTHING, eur: NOTHING };
  return subtractGroup(none, rest);
}

function subtractGroup(a: TaxGroup, b: TaxGroup): TaxGroup {
  return { ...a, amounts: subtractAmounts(a.amounts, b.amounts), eur: subtractAmounts(a.eur, b.eur) };
}

/** F3: per group the simplified invoices less their R5; roundings of one by one are taken over as they are. */
function replace(
  request: InvoiceRequest,
  references: References,
  groups: readonly TaxGroup[],
): Result<Rectification, IssueRefusal> {
  const links = linkAll(references, "replacement");
  const expected = mergeGroups(references.own.flatMap((invoice) => invoice.groups));
  const unit = unitOf(request);
  const tolerance = decimal(String(Number(unit) * request.rectifies.length));
  if (references.external.length > 0) {
    const cited = sumAmounts([
      ...[...expected.values()].map((group) => group.amounts),
      ...references.external.map(externalAmounts),
    ]);
    const sent = sumAmounts(groups.map((group) => group.amounts));
    if (agree(cited, sent, tolerance)) return ok({ groups, links });
    return replacedMismatch(amountsText(cited, request), amountsText(sent, request));
  }
  const sent = mergeGroups(groups);
  for (const text of new Set([...expected.keys(), ...sent.keys()])) {
    const cited = expected.get(text)?.amounts ?? NOTHING;
    const own = sent.get(text)?.amounts ?? NOTHING;
    if (agree(cited, own, tolerance)) continue;
    const rate = `${expected.get(text)?.rate ?? sent.get(text)?.rate ?? ZERO} %: `;
    return replacedMismatch(rate + amountsText(cited, request), rate + amountsText(own, request));
  }
  return ok({ groups: groups.map((group) => expected.get(keyText(group)) ?? group), links });
}

function agree(a: Amounts, b: Amounts, tolerance: Decimal): boolean {
  const difference = subtractAmounts(a, b);
  return [difference.base, difference.tax, difference.surcharge].every((amount) =>
    isWithin(amount, tolerance),
  );
}

function linkAll(references: References, kind: LinkKind): Link[] {
  return references.own.map((invoice) => ({ targetId: invoice.invoiceId, kind, taken: [] }));
}

function externalAmounts(reference: References["external"][number]): Amounts {
  return { base: reference.base, tax: reference.tax, surcharge: reference.surcharge ?? ZERO };
}

function externalEur(request: InvoiceRequest, references: References): Amounts[] {
  return references.external.map((reference) =>
    amountsToEur(externalAmounts(reference), request.exchangeRate),
  );
}

function unitOf(request: InvoiceRequest): Decimal {
  return decimal((10 ** -scaleOf(request.currency)).toFixed(scaleOf(request.currency)));
}

function isWithin(amount: Decimal, tolerance: Decimal): boolean {
  return isZero(amount) || isAtMost(absolute(amount), tolerance);
}

function exceeds(group: TaxGroup, remaining: Amounts, currency: string): Result<never, IssueRefusal> {
  return refuse("rectification_exceeds", {
    requested: `${toFixed(negate(grossOf(group.amounts)), scaleOf(currency))} ${currency}`,
    rate: `${group.rate} %`,
    remaining: `${toFixed(grossOf(remaining), scaleOf(currency))} ${currency}`,
  });
}

function replacedMismatch(expected: string, received: string): Result<never, IssueRefusal> {
  return refuse("replaced_amount_mismatch", { expected, received });
}

function amountsText(amounts: Amounts, request: InvoiceRequest): string {
  const scale = scaleOf(request.currency);
  const surcharge = isZero(amounts.surcharge) ? "" : ` + ${toFixed(amounts.surcharge, scale)}`;
  return `${toFixed(amounts.base, scale)} + ${toFixed(amounts.tax, scale)}${surcharge} ${request.currency}`;
}
