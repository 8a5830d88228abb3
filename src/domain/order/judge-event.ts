import { type Balance, isNear, isWholeRest, remainingIn, remainingTotal } from "../invoice/balance.ts";
import { grossOf, NOTHING } from "../invoice/tax-groups.ts";
import { roundToTotal } from "../shared/apportion.ts";
import type { CivilDate } from "../shared/civil-date.ts";
import {
  add,
  compare,
  type Decimal,
  isAtMost,
  isNegative,
  isPositive,
  isZero,
  negate,
  round,
  subtract,
  sum,
  ZERO,
} from "../shared/decimal.ts";
import { type Fact, percents } from "../shared/fact.ts";
import type { ActedEvent, OrderContext, OwnerAnswers, RateAmount } from "./context.ts";
import { amountOf, scaleIn } from "./fact-text.ts";
import { type CorrectionEvent, type CorrectionLine, type EventType, eventFingerprint } from "./facts.ts";
import { cancelledStatus } from "./gates.ts";
import { generationIn, isOver } from "./generation.ts";
import { canonicalEventId, isOfConsole, isRefundForm } from "./order-origin.ts";
import { because, type Facts, type Reason, type ReasonCode } from "./reasons.ts";
import type { SoldOrder } from "./sold-order.ts";
import {
  afterTaking,
  balanceAt,
  changedRates,
  type Excess,
  grossIn,
  ofRate,
  ratesTaken,
  shopRate,
  type Taking,
  takeEverything,
  takeGross,
} from "./take-back.ts";

/** The state that an event meets: remaining amounts, earlier events, the owner's answers. */
export interface EventCourse {
  readonly balances: readonly Balance[];
  readonly acted: readonly ActedEvent[];
  readonly answers: OwnerAnswers;
  readonly currency: string;
  /** The number of the invoice; before it, the order's reference. */
  readonly number: string;
  /** Ids of lines that are not on the invoice. */
  readonly leftOut: ReadonlySet<string>;
  /** All events that act on these balances, with those that have acted. */
  readonly events: readonly CorrectionEvent[];
  /** The rectifications that were issued for events. */
  readonly issued?: readonly IssuedForEvent[];
}

/** The rectification of one event. */
interface IssuedForEvent {
  readonly eventId: string;
  readonly number: string;
  readonly date: CivilDate;
}

type Judgement =
  | { readonly verdict: "acts"; readonly taking: Taking; readonly claim: Claim }
  | { readonly verdict: "held"; readonly reason: Reason }
  | { readonly verdict: "void" }
  /** An earlier event has taken its amount, as the cents of a rounding. */
  | { readonly verdict: "spent" }
  | { readonly verdict: "nothing" };

const NO_EFFECT: Judgement = { verdict: "nothing" };
const AMOUNT_NOT_STATED: Fact = { phrase: "amount_not_stated" };

/** Judges one event against the invoice: it acts once as a whole, or waits with its amounts. */
export function judgeEvent(event: CorrectionEvent, course: EventCourse): Judgement {
  const claim = claimOf(event, course.leftOut, scaleIn(course.currency));
  if (event.type === "unknown" || isDismissed(event, course.answers)) return NO_EFFECT;
  const before = course.acted.find(({ id }) => canonicalEventId(id) === canonicalEventId(event.id));
  if (before) return judgeKnown(claim, before, course);
  if (event.type === "void") return { verdict: "void" };
  if (event.type === "cancellation") return taking(claim, takeEverything(course.balances));
  const reason =
    mismatchReason(claim, course) ?? repeatedReason(claim, course) ?? increaseReason(claim, course);
  if (reason) return { verdict: "held", reason };
  if (claim.isExcluded) return NO_EFFECT;
  const shares = sharesOf(claim, course.answers);
  return shares === undefined ? judgeAmount(claim, course) : judgeRates(claim, shares, course);
}

/** The subject of an event's reasons: the event with this content. */
export function aboutEvent(event: CorrectionEvent): string {
  return `${event.id} ${eventFingerprint(event).slice(0, 16)}`;
}

function heldEvent(code: ReasonCode, event: CorrectionEvent, facts: Facts): Judgement {
  return { verdict: "held", reason: because(code, facts, aboutEvent(event)) };
}

function isDismissed(event: CorrectionEvent, { dismissals }: OwnerAnswers): boolean {
  return dismissals.length > 0 && dismissals.some(({ about }) => about === aboutEvent(event));
}

function taking(claim: Claim, taken: Taking): Judgement {
  const isSomething = taken.some((part) => !isZero(grossOf(part)));
  return isSomething ? { verdict: "acts", taking: taken, claim } : NO_EFFECT;
}

function judgeKnown(claim: Claim, before: ActedEvent, course: EventCourse): Judgement {
  const { event } = claim;
  const { currency } = course;
  if (before.fingerprint === eventFingerprint(event) || isSameReturn(claim, before, course)) return NO_EFFECT;
  const applied = amountOf(sum(before.taken.map(({ gross }) => gross)), currency);
  const received = claim.total === undefined ? AMOUNT_NOT_STATED : amountOf(claim.total, currency);
  return heldEvent("correction_event_changed", event, { event: event.id, applied, received });
}

const RETURNS: readonly EventType[] = ["refund", "return", "price_reduction"];

/**
 * Platforms tell one return in several forms: its amount alone in the order and its lines in a document, or
 * other names, pieces and splits of the tax. It is the same return while it takes the same of each rate.
 */
function isSameReturn(claim: Claim, before: ActedEvent, course: EventCourse): boolean {
  const { event } = claim;
  const ofType = (type: EventType) => eventFingerprint({ ...event, type });
  const isReturn =
    RETURNS.includes(event.type) && !RETURNS.some((type) => ofType(type) === before.fingerprint);
  const isConsistent = mismatchReason(claim, course) === undefined;
  return isReturn && isConsistent && before.taken.length > 0 && isEqual(claim, before);
}

function mismatchReason({ event, linesTotal }: Claim, { currency }: EventCourse): Reason | undefined {
  if (event.amount === undefined || linesTotal === undefined) return undefined;
  const amount = round(event.amount, scaleIn(currency));
  if (isZero(sum([amount, linesTotal]))) return undefined;
  const facts = {
    event: event.id,
    lines_total: amountOf(negate(linesTotal), currency),
    amount: amountOf(amount, currency),
  };
  return because("correction_amount_mismatch", facts, aboutEvent(event));
}

/**
 * A refund in the older form and an event of equal amounts may be the same refund. So may what the shop sends
 * after its owner has issued it in the console.
 */
function repeatedReason(claim: Claim, { acted, answers, issued = [] }: EventCourse): Reason | undefined {
  const { event } = claim;
  // The owner has seen what went back before.
  if (isOfConsole(event.id) || answers.distinctEvents.includes(event.id)) return undefined;
  const equal = acted.filter((before) => isEqual(claim, before));
  const byOwner = issued.findLast(
    ({ eventId }) => isOfConsole(eventId) && equal.some(({ id }) => id === eventId),
  );
  if (byOwner) {
    const { eventId: other, number, date } = byOwner;
    const facts = { event: event.id, other, name: OWNER, date: { date }, number };
    return because("refund_possibly_repeated", facts, aboutEvent(event));
  }
  const other = equal.find(({ id }) => !isOfConsole(id) && isOtherForm(event.id, id));
  if (!other) return undefined;
  return because("refund_possibly_repeated", { event: event.id, other: other.id }, aboutEvent(event));
}

/** The console names the person. */
const OWNER: Fact = { phrase: "an_owner" };

/**
 * Each line is judged alone, so that no refund hides an extra sale. Amounts count, because platforms write a
 * quantity with and without its sign.
 */
function increaseReason({ event, lines, total }: Claim, { currency }: EventCourse): Reason | undefined {
  const scale = scaleIn(currency);
  const ofLines = lines.flatMap(({ baseDelta, taxDelta }) => [baseDelta, taxDelta].filter(isPositive));
  const ofAll = total !== undefined && isNegative(total) ? [negate(total)] : [];
  const increase = ofLines.length > 0 ? ofLines : ofAll;
  if (increase.length === 0) return undefined;
  const amount = amountOf(round(sum(increase), scale), currency);
  return because("correction_increases", { event: event.id, amount }, aboutEvent(event));
}

/** The amount per rate: from the lines, or from the owner. */
function sharesOf({ event, lines, byRate }: Claim, answers: OwnerAnswers): readonly RateAmount[] | undefined {
  if (lines.length > 0) return byRate;
  return Object.hasOwn(answers.eventShares, event.id) ? answers.eventShares[event.id] : undefined;
}

function judgeRates(claim: Claim, shares: readonly RateAmount[], course: EventCourse): Judgement {
  const { event } = claim;
  const unknown = shares.find(({ rate }) => balanceAt(course.balances, rate) === undefined);
  if (unknown) {
    const facts = { event: event.id, rate: { percent: unknown.rate }, number: course.number };
    return heldEvent("rate_not_invoiced", event, facts);
  }
  const open = shares.filter(({ rate, gross }) => !isTakenAlready(gross, course, rate));
  if (open.length === 0 && shares.length > 0) return { verdict: "spent" };
  const taken = takeGross(course.balances, open, scaleIn(course.currency));
  return taken.ok ? taking(claim, taken.value) : overRefund(event, taken.error, course);
}

/**
 * Two cents beside the rest are the rest: of 0.02 a part of 0.01 takes both, and the other part comes to
 * nothing. Only as much comes to nothing as earlier parts have taken beyond their own amounts.
 */
function isTakenAlready(gross: Decimal, course: EventCourse, rate?: Decimal): boolean {
  const balances = course.balances.filter(
    (balance) => rate === undefined || balance === balanceAt(course.balances, rate),
  );
  if (!isZero(remainingTotal(balances))) return false;
  const beyond = sum(balances.map((balance) => takenBeyond(balance, course)));
  return isPositive(beyond) && (isAtMost(gross, beyond) || isNear(gross, beyond, scaleIn(course.currency)));
}

/** More than the events themselves say of a rate. An amount alone says a rate if only one was taken. */
function takenBeyond(balance: Balance, { balances, acted, events, leftOut, currency }: EventCourse): Decimal {
  const isOfBalance = ({ rate }: RateAmount) => balanceAt(balances, rate) === balance;
  const differences = acted.map(({ id, taken }) => {
    const event = events.find((each) => canonicalEventId(each.id) === canonicalEventId(id));
    const claim = event && claimOf(event, leftOut, scaleIn(currency));
    const [only, ...others] = taken;
    const byAmount = only && others.length === 0 ? [{ ...only, gross: claim?.total ?? only.gross }] : taken;
    const said = claim === undefined ? taken : claim.lines.length > 0 ? claim.byRate : byAmount;
    return subtract(grossIn(taken.filter(isOfBalance)), grossIn(said.filter(isOfBalance)));
  });
  return sum(differences);
}

/** An amount alone is clear if it is the whole rest, or if only one rate remains. */
function judgeAmount(claim: Claim, course: EventCourse): Judgement {
  const { event, total } = claim;
  const { balances, currency, number } = course;
  if (total === undefined) return heldEvent("refund_lines_needed", event, { event: event.id, number });
  if (isZero(total)) return NO_EFFECT;
  const open = balances.filter((balance) => isPositive(grossOf(remainingIn(balance))));
  const remaining = remainingTotal(balances);
  const scale = scaleIn(currency);
  if (isTakenAlready(total, course)) return { verdict: "spent" };
  if (isWholeRest(total, remaining, scale)) return taking(claim, takeEverything(balances));
  if (compare(total, remaining) > 0) return overRefund(event, { requested: total, remaining }, course);
  const [only] = open;
  if (only && open.length === 1) {
    const taken = takeGross(balances, [{ rate: shopRate(only.key), gross: total }], scale);
    return taken.ok ? taking(claim, taken.value) : overRefund(event, taken.error, course);
  }
  const rates = { all: percents(open.map(({ key }) => shopRate(key))) };
  const amount = amountOf(total, currency);
  return heldEvent("refund_lines_needed", event, { event: event.id, amount, number, rates });
}

function overRefund(event: CorrectionEvent, excess: Excess, { currency, number }: EventCourse): Judgement {
  const { rate, requested, remaining } = excess;
  return heldEvent("over_refund", event, {
    ...(rate === undefined ? {} : { rate: { percent: rate } }),
    requested: amountOf(requested, currency),
    number,
    remaining: amountOf(remaining, currency),
  });
}

function isOtherForm(id: string, other: string): boolean {
  return isRefundForm(id) !== isRefundForm(other);
}

/** Per rate where the event has lines, else in all. */
function isEqual({ lines, byRate, total }: Claim, { taken }: ActedEvent): boolean {
  if (lines.length === 0) return total === sum(taken.map(({ gross }) => gross));
  const texts = (amounts: readonly RateAmount[]) =>
    amounts.map(({ rate, gross }) => `${rate}=${gross}`).sort();
  return texts(byRate).join() === texts(taken).join();
}

export function actedNow(
  context: OrderContext,
  event: CorrectionEvent,
  { how, taken }: Pick<ActedEvent, "how" | "taken">,
): ActedEvent {
  const { status } = context.facts;
  const isUnderCancelled = status !== undefined && cancelledStatus(context) !== undefined;
  return {
    id: event.id,
    fingerprint: eventFingerprint(event),
    how,
    taken,
    ...generationIn(context.history),
    ...(isUnderCancelled ? { cancelledStatus: status } : {}),
  };
}

/** The amounts that an event takes back: positive and rounded; negative for an increase. */
export interface Claim {
  readonly event: CorrectionEvent;
  /** Undefined where neither lines nor an amount say it. */
  readonly total: Decimal | undefined;
  /** For the invoiced lines. */
  readonly byRate: readonly RateAmount[];
  readonly lines: readonly CorrectionLine[];
  /** Only lines that are not on the invoice: no effect. */
  readonly isExcluded: boolean;
  /** Sum of all its lines; undefined without lines. */
  readonly linesTotal: Decimal | undefined;
}

/** `leftOut` are the ids of lines that are in no invoice: vouchers. */
function claimOf(event: CorrectionEvent, leftOut: ReadonlySet<string>, scale: number): Claim {
  const lines = event.lines.filter((line) => !isLeftOut(line, leftOut));
  const linesTotal = event.lines.length === 0 ? undefined : grossOfLines(event.lines, scale);
  const counted = grossOfLines(lines, scale);
  const amount = event.amount === undefined ? undefined : negate(round(event.amount, scale));
  return {
    event,
    total: event.lines.length > 0 ? counted : amount,
    byRate: byRate(lines, scale),
    lines,
    isExcluded: event.lines.length > 0 && lines.length === 0,
    linesTotal,
  };
}

function isLeftOut({ lineId, productId }: CorrectionLine, leftOut: ReadonlySet<string>): boolean {
  if (lineId !== undefined) return leftOut.has(lineId);
  return productId !== undefined && leftOut.has(productId);
}

/** The parts add up to the whole: of two rates with half a cent each, one has the cent. */
function byRate(lines: readonly CorrectionLine[], scale: number): RateAmount[] {
  const rates = [...new Set(lines.map(({ taxRate }) => taxRate))];
  const parts = rates.map((rate) => ({
    rate,
    weight: exactGross(lines.filter(({ taxRate }) => taxRate === rate)),
  }));
  const gross = roundToTotal(parts, grossOfLines(lines, scale), scale);
  return rates
    .map((rate, index) => ({ rate, gross: gross[index] ?? ZERO }))
    .filter(({ gross: amount }) => !isZero(amount));
}

function exactGross(lines: readonly CorrectionLine[]): Decimal {
  return negate(sum(lines.map(({ baseDelta, taxDelta }) => add(baseDelta, taxDelta))));
}

function grossOfLines(lines: readonly CorrectionLine[], scale: number): Decimal {
  return round(exactGross(lines), scale);
}

interface NetOrder {
  readonly balances: readonly Balance[];
  readonly acted: readonly ActedEvent[];
  readonly reasons: readonly Reason[];
}

/** Returns before the invoice are not invoiced: their events have acted when it is issued. */
export function netEvents(context: OrderContext, sold: SoldOrder, reference: string): NetOrder {
  const { facts, answers, history } = context;
  let balances: readonly Balance[] = sold.groups.map(({ key, amounts }) => ({
    key,
    invoiced: amounts,
    taken: NOTHING,
  }));
  const acted: ActedEvent[] = [];
  const reasons: Reason[] = [];
  if (sold.reasons.length > 0 || balances.length === 0) return { balances, acted, reasons };
  const events = facts.events.filter((event) => !isOver(context, event));
  const fixed = { answers, currency: facts.currency, number: reference, leftOut: sold.leftOut, events };
  const again = actingAgain(context, sold);
  for (const event of events) {
    const known = [...history.acted, ...acted];
    let judged = judgeEvent(event, { ...fixed, balances, acted: known });
    const past = known.filter(({ id }) => !again.has(id));
    if (judged.verdict === "nothing") judged = judgeEvent(event, { ...fixed, balances, acted: past });
    if (judged.verdict === "held") reasons.push(judged.reason);
    if (judged.verdict === "spent") acted.push(actedNow(context, event, { how: "spent", taken: [] }));
    if (judged.verdict !== "acts") continue;
    acted.push(actedNow(context, event, { how: "netted", taken: ratesTaken(balances, judged.taking) }));
    balances = afterTaking(balances, judged.taking);
  }
  return { balances, acted, reasons };
}

/** Returns of the earlier invoice are not sold again, unless the shop's order no longer contains them. */
function actingAgain(context: OrderContext, sold: SoldOrder): ReadonlySet<string> {
  const { earlier, acted, generation } = context.history;
  if (!earlier) return new Set();
  const before = acted.filter(
    (event) => (event.generation ?? 1) === generation - 1 && !isOver(context, event),
  );
  const taken = (how: ActedEvent["how"]) =>
    before.filter((event) => event.how === how).flatMap((event) => event.taken);
  const invoiced = earlier.rectifiable.groups.map((group) => ofRate(group, group.amounts));
  const all = [...invoiced, ...taken("netted")];
  const left = [
    ...invoiced,
    ...taken("rectified").map(({ rate, gross }) => ({ rate, gross: negate(gross) })),
  ];
  const now = sold.groups.map(({ key, amounts }) => ofRate(key, amounts));
  const isWithout = changedRates(now, left).length === 0 && changedRates(now, all).length > 0;
  return new Set(isWithout ? [] : before.map(({ id }) => id));
}
