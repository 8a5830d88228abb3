import { absolute, type Decimal, decimal, isAtMost, isZero, multiply, ZERO } from "../shared/decimal.ts";
import { type Fact, money } from "../shared/fact.ts";
import { ok, type Result } from "../shared/result.ts";
import type { Amounts, TaxGroup } from "./document.ts";
import { scaleOf } from "./prepare.ts";
import { mergeGroups, type RectifiableInvoice } from "./rectifiable.ts";
import { linkWhole, type Rectification } from "./rectification.ts";
import { externalAmounts, type References } from "./references.ts";
import { type IssueRefusal, refuse } from "./refusal.ts";
import type { InvoiceRequest } from "./request.ts";
import {
  amountsToEur,
  grossOf,
  isOfMargin,
  keyText,
  measureOf,
  NOTHING,
  subtractAmounts,
  sumAmounts,
  taxedGrossOf,
} from "./tax-groups.ts";

/**
 * F3: the sum by group of the simplified invoices less their R5. Each ticket was rounded on its own, so the
 * sum is kept. Stated amounts must equal it; computed ones may differ by a cent per ticket.
 */
export function replaceSimplified(
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
