import type { CivilDate } from "../../domain/shared/civil-date.ts";
import { add, type Decimal, divide, ZERO } from "../../domain/shared/decimal.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { ReleaseRead, WaitingDay, WaitingQuery, WaitingReads } from "./waiting-reads.ts";

/** A number of orders with their total in euros. */
export interface WaitingSum {
  readonly orders: number;
  readonly totalEur: Decimal;
  /** Orders without a known exchange rate; the total excludes them. */
  readonly withoutRate: number;
}

export interface WaitingOrders {
  readonly cutoffDate: CivilDate;
  /** The newest days that have orders, oldest first. */
  readonly days: readonly (WaitingSum & { readonly day: CivilDate })[];
  readonly before: WaitingSum;
  readonly from: WaitingSum;
}

/** A chart with more bars is unreadable. */
const MOST_DAYS = 120;

/** Orders that wait for consent, on both sides of the cutoff. */
export async function waitingOrders(
  accountId: string,
  connectionId: string,
  cutoffDate: CivilDate,
  reads: WaitingReads,
): Promise<WaitingOrders> {
  const waiting = await reads.days(accountId, [{ connectionId, state: "deferred" }]);
  const byDay = [...Map.groupBy(waiting, ({ day }) => day)];
  return {
    cutoffDate,
    days: byDay.slice(-MOST_DAYS).map(([day, of]) => ({ day, ...summed(of) })),
    before: summed(waiting.filter(({ day }) => day < cutoffDate)),
    from: summed(waiting.filter(({ day }) => day >= cutoffDate)),
  };
}

/** The orders that another cutoff date would add or leave out. */
export interface CutoffEffect extends WaitingSum {
  readonly current: CivilDate;
  readonly moves: "nowhere" | "earlier" | "later";
}

/** Undefined before the first consent. */
export async function effectOfCutoff(
  accountId: string,
  connectionId: string,
  next: CivilDate,
  reads: WaitingReads,
): Promise<CutoffEffect | undefined> {
  const current = await reads.cutoff(accountId, connectionId);
  if (current === undefined) return undefined;
  const moves = next === current ? "nowhere" : next < current ? "earlier" : "later";
  const asked = between(connectionId, moves, { current, next });
  const moved = asked.length === 0 ? [] : await reads.days(accountId, asked);
  return { current, moves, ...summed(moved) };
}

function between(
  connectionId: string,
  moves: CutoffEffect["moves"],
  { current, next }: { readonly current: CivilDate; readonly next: CivilDate },
): WaitingQuery[] {
  if (moves === "nowhere") return [];
  if (moves === "earlier") return [{ connectionId, state: "before_cutoff", from: next, until: current }];
  const undecided = ["held", "deferred"] as const;
  return undecided.map((state) => ({ connectionId, state, from: current, until: next }));
}

function summed(days: readonly WaitingDay[]): WaitingSum {
  const known = days.filter(({ currency, rate }) => currency === "EUR" || rate !== undefined);
  const count = (of: readonly WaitingDay[]) => of.reduce((orders, day) => orders + day.orders, 0);
  return {
    orders: count(days),
    totalEur: known.reduce((total, day) => add(total, inEuros(day)), ZERO),
    withoutRate: count(days) - count(known),
  };
}

const CENTS = 2;

function inEuros({ total, rate }: WaitingDay): Decimal {
  return rate === undefined ? total : divide(total, rate, CENTS);
}

export interface ReleaseProgress {
  readonly total: number;
  readonly done: number;
  readonly invoiced: number;
  readonly held: number;
  readonly isDone: boolean;
  /** The reason for a pause. */
  readonly paused?: "consent_withdrawn" | "frozen" | "stalled";
}

/** The sweep runs every minute: a longer time without progress means that something blocks it. */
const STALLED_MS = 3 * 60_000;

export function progressOf(release: ReleaseRead, now: Instant): ReleaseProgress {
  const { total, invoiced, held, settled, isWaiting } = release;
  const done = Math.min(invoiced + held + settled, total);
  const paused = isWaiting ? pauseOf(release, now) : undefined;
  return { total, done, invoiced, held, isDone: !isWaiting, ...(paused ? { paused } : {}) };
}

function pauseOf(release: ReleaseRead, now: Instant): ReleaseProgress["paused"] {
  if (release.isFrozen) return "frozen";
  if (!release.isConsented) return "consent_withdrawn";
  return now - release.changedAt > STALLED_MS ? "stalled" : undefined;
}
