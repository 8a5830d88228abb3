import type { Amounts } from "../invoice/document.ts";
import { grossOf } from "../invoice/tax-groups.ts";
import { add, type Decimal, sum, ZERO } from "../shared/decimal.ts";
import type { IssuedForOrder, OrderContext, RateAmount } from "./context.ts";
import { amountOf } from "./fact-text.ts";
import { fiscalFingerprint } from "./normalize-fingerprint.ts";
import { readTotals } from "./order-totals.ts";
import { salesOfStem } from "./profile.ts";
import { because, type Reason } from "./reasons.ts";
import { identifierIn } from "./rectification-draft.ts";
import { readSoldOrder } from "./sold-order.ts";
import { type Balance, remainingIn, shopRate } from "./take-back.ts";

/**
 * The facts changed after the invoice. That is in order when they say the same amounts per rate, or those
 * less what went back: some shops send their orders net of refunds. Else the invoice stays, the order waits.
 */
export function changeReasons(
  context: OrderContext,
  invoice: IssuedForOrder,
  balances: readonly Balance[],
): Reason[] {
  const { facts, history, answers } = context;
  const fingerprint = fiscalFingerprint(facts);
  if (history.soldFingerprint === undefined || history.soldFingerprint === fingerprint) return [];
  const isDismissed = answers.dismissals.some(
    ({ code, about }) => code === "changed_after_invoice" && about === fingerprint,
  );
  if (isDismissed || isAccountedFor(context, invoice, balances)) return [];
  const { currency } = invoice.document.request;
  const figures = {
    order_total: amountOf(facts.total, facts.currency),
    number: invoice.rectifiable.number,
    invoiced: amountOf(sum(balances.map((balance) => grossOf(balance.invoiced))), currency),
  };
  return [because("changed_after_invoice", figures, fingerprint)];
}

/**
 * Changed facts that contradict themselves: until they are mended or the owner says otherwise, nothing of
 * the order acts on its invoice.
 */
export function contradictionReasons(context: OrderContext, invoice: IssuedForOrder): Reason[] {
  const { facts, history, answers } = context;
  const fingerprint = fiscalFingerprint(facts);
  if (history.soldFingerprint === undefined || history.soldFingerprint === fingerprint) return [];
  const isDismissed = answers.dismissals.some(
    ({ code, about }) => code === "tax_totals_mismatch" && about === fingerprint,
  );
  if (isDismissed) return [];
  return readTotals(context, salesOfStem(context, invoice.stem).sales)
    .reasons.filter(({ code }) => code === "tax_totals_mismatch")
    .map((reason) => ({ ...reason, about: fingerprint }));
}

/** Compared by the tax totals and by the lines: an order that adds tax totals later is the same sale. */
function isAccountedFor(
  context: OrderContext,
  invoice: IssuedForOrder,
  balances: readonly Balance[],
): boolean {
  const { taxTotals, ...byLines } = context.facts;
  const versions = taxTotals === undefined ? [context] : [context, { ...context, facts: byLines }];
  return versions.some((version) => isSameSale(version, invoice, balances));
}

function isSameSale(context: OrderContext, invoice: IssuedForOrder, balances: readonly Balance[]): boolean {
  const { request } = invoice.document;
  if (context.facts.currency !== request.currency) return false;
  const sold = readSoldOrder(context, salesOfStem(context, invoice.stem), identifierIn(request));
  if (sold.reasons.length > 0) return false;
  const now = sold.groups.map(({ key, amounts }) => ofRate(key, amounts));
  const invoiced = balances.map((balance) => ofRate(balance.key, balance.invoiced));
  const left = balances.map((balance) => ofRate(balance.key, remainingIn(balance)));
  const netted = context.history.acted.filter(({ how }) => how === "netted").flatMap(({ taken }) => taken);
  // A full invoice later has less than was sold, where something went back before it.
  const first = (context.history.invoice ?? invoice).rectifiable.groups.map((group) =>
    ofRate(group, group.amounts),
  );
  return [[...first, ...netted], first, invoiced, left].some((version) => isSame(now, version));
}

function ofRate(key: Balance["key"], amounts: Amounts): RateAmount {
  return { rate: shopRate(key), gross: grossOf(amounts) };
}

function isSame(a: readonly RateAmount[], b: readonly RateAmount[]): boolean {
  const [ofA, ofB] = [byRate(a), byRate(b)];
  return [...ofA.keys(), ...ofB.keys()].every((rate) => (ofA.get(rate) ?? ZERO) === (ofB.get(rate) ?? ZERO));
}

function byRate(amounts: readonly RateAmount[]): ReadonlyMap<Decimal, Decimal> {
  const sums = new Map<Decimal, Decimal>();
  for (const { rate, gross } of amounts) sums.set(rate, add(sums.get(rate) ?? ZERO, gross));
  return sums;
}
