import {
  absolute,
  type Decimal,
  decimal,
  isAtMost,
  isNegative,
  isZero,
  multiply,
  ZERO,
} from "../shared/decimal.ts";
import { type Fact, money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import { takeDifference } from "./difference.ts";
import type { Amounts, Rectified, TaxGroup } from "./document.ts";
import { scaleOf } from "./prepare.ts";
import { mergeGroups, type RectifiableInvoice } from "./rectifiable.ts";
import { linkWhole, type Rectification } from "./rectification.ts";
import { externalAmounts, type References } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest } from "./request.ts";
import {
  amountsToEur,
  grossOf,
  isBelowZero,
  isOfMargin,
  keyText,
  measureOf,
  NOTHING,
  subtractAmounts,
  sumAmounts,
  taxedGrossOf,
} from "./tax-groups.ts";

export type { Link } from "./rectification.ts";

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
