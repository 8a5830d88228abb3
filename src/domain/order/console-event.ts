import { type Balance, balancesOf, remainingIn, remainingTotal } from "../invoice/balance.ts";
import { type LineBalance, lineBalances } from "../invoice/line-balances.ts";
import { differencesOf } from "../invoice/rectifiable.ts";
import {
  causeOf,
  type LinesRectification,
  type RectifyRefusal,
  type SaleChange,
  takenParts,
} from "../invoice/rectified-lines.ts";
import type { ReturnedLine } from "../invoice/request.ts";
import { grossOf, keyText } from "../invoice/tax-groups.ts";
import {
  absolute,
  add,
  type Decimal,
  digitsOf,
  divide,
  isNegative,
  isZero,
  multiply,
  negate,
  round,
  subtract,
  sum,
} from "../shared/decimal.ts";
import type { Instant } from "../shared/instant.ts";
import { ok, type Result } from "../shared/result.ts";
import type { ActedEvent, IssuedForOrder, OrderContext, OwnerAnswers } from "./context.ts";
import { scaleIn } from "./fact-text.ts";
import type { CorrectionEvent, CorrectionLine, EventType } from "./facts.ts";
import { actedIn } from "./generation.ts";
import { canonicalEventId, originText } from "./order-origin.ts";
import { isUntaxedVoucher, soldLines } from "./sold-lines.ts";
import { balanceAt, shopRate } from "./take-back.ts";

/** The invoice that corrections of an order act on, by its lines. */
export interface OrderLines {
  readonly lines: readonly LineBalance[];
  readonly balances: readonly Balance[];
  readonly changes: readonly SaleChange[];
}

/** What its own events took back, before the invoice or after it, counts for the lines that they name. */
export function orderLines(context: OrderContext, target: IssuedForOrder): OrderLines {
  const { rectifiable, document } = target;
  const earlier = earlierEvents(context, target);
  const netted = earlier.filter(({ acted }) => acted.how === "netted");
  const balances = withNetted(balancesOf(rectifiable), netted);
  const returned = earlier.flatMap(({ event }) => returnedBy(event, context, target));
  return {
    lines: lineBalances({ document, balances, returned }),
    balances,
    changes: changesOf(rectifiable),
  };
}

/** A ticket with a full invoice is corrected too. Only an untouched sale can be annulled. */
function changesOf(rectifiable: IssuedForOrder["rectifiable"]): readonly SaleChange[] {
  const isLeft = balancesOf(rectifiable).some((balance) => !isZero(grossOf(remainingIn(balance))));
  if (rectifiable.cancelled || !isLeft) return [];
  const isUntouched = differencesOf(rectifiable).length === 0;
  return isUntouched ? ["refund", "price_reduction", "void"] : ["refund", "price_reduction"];
}

interface EarlierEvent {
  readonly event: CorrectionEvent;
  readonly acted: ActedEvent;
}

/** Events whose amounts the balances know: netted into the first invoice, or rectified and in force. */
function earlierEvents(context: OrderContext, target: IssuedForOrder): EarlierEvent[] {
  const { facts, answers, history } = context;
  const events = new Map(
    [...facts.events, ...answers.events].map((event) => [canonicalEventId(event.id), event]),
  );
  const inForce = new Set(
    target.rectifiable.actedOnBy.filter((acting) => acting.inForce).map(({ invoiceId }) => invoiceId),
  );
  const origins = new Set(
    history.rectifications
      .filter(({ rectifiable }) => inForce.has(rectifiable.invoiceId))
      .map(({ document }) => document.request.externalId),
  );
  const isFirst = target.rectifiable.invoiceId === history.invoice?.rectifiable.invoiceId;
  return actedIn(history).flatMap((acted) => {
    const event = events.get(canonicalEventId(acted.id));
    const isNetted = acted.how === "netted" && isFirst;
    const isRectified =
      acted.how === "rectified" &&
      origins.has(originText(facts.idExternal, { of: "event", eventId: acted.id }));
    return event && (isNetted || isRectified) ? [{ event, acted }] : [];
  });
}

/** The line of the invoice is worth what was sold, not what was left when the invoice was issued. */
function withNetted(balances: readonly Balance[], netted: readonly EarlierEvent[]): Balance[] {
  return balances.map((balance) => {
    const gross = sum(
      netted.flatMap(({ acted }) =>
        acted.taken.filter(({ rate }) => balanceAt(balances, rate) === balance).map((each) => each.gross),
      ),
    );
    if (isZero(gross)) return balance;
    const base = baseIn(gross, balance, digitsOf(gross).fraction);
    const more = (amounts: Balance["taken"]) => ({
      ...amounts,
      base: add(amounts.base, base),
      tax: add(amounts.tax, subtract(gross, base)),
    });
    return { ...balance, invoiced: more(balance.invoiced), taken: more(balance.taken) };
  });
}

/** Amounts of lines that cannot be told apart stay with the group. */
function returnedBy(event: CorrectionEvent, context: OrderContext, target: IssuedForOrder): ReturnedLine[] {
  const scale = scaleIn(target.document.request.currency);
  return event.lines.flatMap((line) => {
    const place = line.invoiceLine ?? placeOf(line, context, target);
    if (place === undefined) return [];
    const { quantityDelta, baseDelta, taxDelta } = line;
    const isByPieces =
      event.type !== "price_reduction" && quantityDelta !== undefined && !isZero(quantityDelta);
    return [
      {
        line: place,
        gross: negate(round(add(baseDelta, taxDelta), scale)),
        ...(isByPieces ? { quantity: absolute(quantityDelta) } : {}),
      },
    ];
  });
}

/** By the ids of the order's lines while these are the printed ones, else by a name that one line has. */
function placeOf(
  line: CorrectionLine,
  { facts }: OrderContext,
  { document }: IssuedForOrder,
): number | undefined {
  const printed = document.request.lines;
  const sold = soldLines(facts).filter((each) => !isUntaxedVoucher(each));
  const isPrinted =
    sold.length <= printed.length && sold.every(({ name }, index) => printed[index]?.description === name);
  const only = (isMeant: (index: number) => boolean) => {
    const found = printed.map((_, index) => index).filter(isMeant);
    const [place] = found;
    return place !== undefined && found.length === 1 ? place + 1 : undefined;
  };
  if (isPrinted) {
    const id = line.lineId ?? line.productId;
    const byId = id === undefined ? undefined : only((index) => sold[index]?.ids.includes(id) ?? false);
    if (byId !== undefined) return byId;
  }
  return line.name === undefined ? undefined : only((index) => printed[index]?.description === line.name);
}

interface Act extends LinesRectification {
  readonly id: string;
  readonly userId: string;
  readonly at: Instant;
}

/** An act of the owner as an event of the order: it acts like one of the shop, and after all of them. */
export function consoleEvent(
  { id, userId, at, what, parts, cause }: Act,
  { lines, balances, currency }: Pick<OrderLines, "lines" | "balances"> & { readonly currency: string },
): Result<CorrectionEvent, RectifyRefusal> {
  const reason = causeOf(cause);
  const about = { id, type: TYPES[what], occurredAt: at, by: userId } as const;
  if (what === "void") return reason.ok ? ok({ ...about, reason: reason.value, lines: [] }) : reason;
  const taken = takenParts({ what, parts, lines }, { balances, currency });
  if (!taken.ok) return taken;
  if (!reason.ok) return reason;
  const event = { ...about, reason: reason.value };
  const left = remainingTotal(balances);
  const isEverything = sum(taken.value.map(({ gross }) => gross)) === left;
  const hasNegative = balances.some((balance) => isNegative(grossOf(remainingIn(balance))));
  // A line below zero would count as an extra sale; everything that is left needs no lines.
  if (isEverything && hasNegative) return ok({ ...event, amount: negate(left), lines: [] });
  return ok({ ...event, lines: taken.value.flatMap((part) => lineOf(part, lines, balances, currency)) });
}

const TYPES: Readonly<Record<SaleChange, EventType>> = {
  refund: "refund",
  price_reduction: "price_reduction",
  void: "void",
  // No order is issued again by its owner: the shop's newest facts would contradict it.
  substitution: "unknown",
};

function lineOf(
  part: ReturnedLine,
  lines: readonly LineBalance[],
  balances: readonly Balance[],
  currency: string,
): CorrectionLine[] {
  const own = lines.find(({ line }) => line === part.line);
  const balance = own && balances.find(({ key }) => keyText(key) === keyText(own.key));
  if (!own || !balance) return [];
  const base = baseIn(part.gross, balance, scaleIn(currency));
  return [
    {
      invoiceLine: part.line,
      name: own.description,
      ...(part.quantity === undefined ? {} : { quantityDelta: negate(part.quantity) }),
      baseDelta: negate(base),
      taxRate: shopRate(own.key),
      taxDelta: negate(subtract(part.gross, base)),
    },
  ];
}

/** For lines only: the group of the rectification is split by cumulative rounding. */
function baseIn(gross: Decimal, { invoiced }: Balance, scale: number): Decimal {
  const whole = grossOf(invoiced);
  return isZero(whole) ? gross : divide(multiply(gross, invoiced.base), whole, scale);
}

/** The lines of an event of the console as they were asked for. */
export function partsIn(event: CorrectionEvent): ReturnedLine[] {
  return event.lines.map(({ invoiceLine = 0, quantityDelta, baseDelta, taxDelta }) => ({
    line: invoiceLine,
    gross: negate(add(baseDelta, taxDelta)),
    ...(quantityDelta === undefined ? {} : { quantity: absolute(quantityDelta) }),
  }));
}

/** Events of owners, with the user who made each. */
export function peopleIn({ events }: Pick<OwnerAnswers, "events">): Readonly<Record<string, string>> {
  return Object.fromEntries(events.flatMap(({ id, by }) => (by === undefined ? [] : [[id, by]])));
}
