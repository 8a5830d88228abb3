import { type Decimal, ZERO } from "../shared/decimal.ts";
import type { IssuedForOrder, OrderContext, RateAmount } from "./context.ts";
import { identifierIn } from "./corrections.ts";
import { amountOf } from "./fact-text.ts";
import { fiscalFingerprint, isAsSold } from "./facts.ts";
import { aboutReactivation, actedIn } from "./generation.ts";
import { readTotals } from "./order-totals.ts";
import { salesOfStem } from "./profile.ts";
import { byRate, changedRates, grossIn, ofRate } from "./rate-amounts.ts";
import { because, type Facts, type Reason } from "./reasons.ts";
import { readSoldOrder } from "./sold-order.ts";
import { type Balance, remainingIn } from "./take-back.ts";

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
  if (history.soldFingerprint === undefined || isAsSold(history.soldFingerprint, facts)) return [];
  const isDismissed = answers.dismissals.some(
    ({ code, about }) =>
      (code === "changed_after_invoice" && about === fingerprint) || about === aboutReactivation(context),
  );
  if (isDismissed || isAccountedFor(context, invoice, balances)) return [];
  return [because("changed_after_invoice", changeFacts(context, invoice, balances), fingerprint)];
}

/** Of the rate that it is about, else in all. */
function changeFacts(context: OrderContext, invoice: IssuedForOrder, balances: readonly Balance[]): Facts {
  const { facts } = context;
  const { currency } = invoice.document.request;
  const number = invoice.rectifiable.number;
  const invoiced = balances.map((balance) => ofRate(balance.key, balance.invoiced));
  const now = soldNow(context, invoice);
  const rate = now && rateThatChanged(now, invoiced, versionsOf(context, invoice, balances));
  if (now === undefined || rate === undefined) {
    const all = amountOf(grossIn(invoiced), currency);
    return { order_total: amountOf(facts.total, facts.currency), number, invoiced: all };
  }
  const at = (amounts: readonly RateAmount[]) => amountOf(byRate(amounts).get(rate) ?? ZERO, currency);
  return { rate: { percent: rate }, order_total: at(now), number, invoiced: at(invoiced) };
}

/** One that alone is another than could be expected; of several the first, where the totals say nothing. */
function rateThatChanged(
  now: readonly RateAmount[],
  invoiced: readonly RateAmount[],
  versions: readonly (readonly RateAmount[])[],
): Decimal | undefined {
  const changes = versions.map((version) => changedRates(now, version));
  const alone = changes.find(({ length }) => length === 1);
  if (alone) return alone[0];
  return grossIn(now) === grossIn(invoiced) ? changedRates(now, invoiced)[0] : undefined;
}

/**
 * Changed facts that contradict themselves: until they are mended or the owner says otherwise, nothing of
 * the order acts on its invoice.
 */
export function contradictionReasons(context: OrderContext, invoice: IssuedForOrder): Reason[] {
  const { facts, history, answers } = context;
  const fingerprint = fiscalFingerprint(facts);
  if (history.soldFingerprint === undefined || isAsSold(history.soldFingerprint, facts)) return [];
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
  const now = soldNow(context, invoice);
  if (!now) return false;
  return versionsOf(context, invoice, balances).some((version) => changedRates(now, version).length === 0);
}

/** What the facts say per rate; undefined where they cannot be compared with the invoice. */
function soldNow(context: OrderContext, invoice: IssuedForOrder): readonly RateAmount[] | undefined {
  const { request } = invoice.document;
  if (context.facts.currency !== request.currency) return undefined;
  const sold = readSoldOrder(context, salesOfStem(context, invoice.stem), identifierIn(request));
  if (sold.reasons.length > 0) return undefined;
  return sold.groups.map(({ key, amounts }) => ofRate(key, amounts));
}

/** The order as sold, as invoiced, and net of what went back. */
function versionsOf(
  { history }: OrderContext,
  invoice: IssuedForOrder,
  balances: readonly Balance[],
): readonly (readonly RateAmount[])[] {
  const invoiced = balances.map((balance) => ofRate(balance.key, balance.invoiced));
  const left = balances.map((balance) => ofRate(balance.key, remainingIn(balance)));
  const netted = actedIn(history)
    .filter(({ how }) => how === "netted")
    .flatMap(({ taken }) => taken);
  // A full invoice later has less than was sold, where something went back before it.
  const first = (history.invoice ?? invoice).rectifiable.groups.map((group) => ofRate(group, group.amounts));
  return [[...first, ...netted], first, invoiced, left];
}
