import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type PlainReads, rowsAs, written } from "../../db/database.ts";
import { fallsIn } from "../../db/orders/order-writes.ts";
import { account, connection, consent } from "../../db/schema/ledger.ts";
import { orderRelease, shopOrder } from "../../db/schema/orders.ts";
import { exchangeRate } from "../../db/schema/shop.ts";
import type { OrderState } from "../../domain/order/decision.ts";
import { type CivilDate, civilDate } from "../../domain/shared/civil-date.ts";
import { add, type Decimal, decimal, divide, ZERO } from "../../domain/shared/decimal.ts";
import type { Instant } from "../../domain/shared/instant.ts";

/** Amounts are summed as whole thousandths: a currency has at most three decimals. */
const THOUSANDTHS = decimal("1000");
const DIGITS = 3;

/**
 * Rounds an amount's text half away from zero. SQLite would read the text as a double, which is inexact after
 * the fifteenth digit and at halves. Padding with zeros guarantees four decimals.
 */
export function thousandthsOf(amount: SQL | SQLiteColumn): SQL {
  const padded = sql`(ltrim(${amount}, '-') || iif(instr(${amount}, '.'), '0000', '.0000'))`;
  const decimals = sql`CAST(substr(${padded}, instr(${padded}, '.') + 1, 4) AS INTEGER)`;
  const unsigned = sql`(CAST(${padded} AS INTEGER) * 1000 + (${decimals} + 5) / 10)`;
  return sql`(iif(${amount} LIKE '-%', -1, 1) * ${unsigned})`;
}

export function waitingReads(reads: PlainReads): WaitingReads {
  return {
    async days(accountId, queries) {
      const answers = await reads.batch(queries.map((one) => written(daysOf(accountId, one))));
      return answers.flatMap((rows) => rowsAs<DayRow>(rows).map(dayOf));
    },
    async cutoff(accountId, connectionId) {
      const [row] = await reads.rows<{ cutoff: string }>(sql`SELECT ${consent.cutoffDate} AS cutoff
        FROM ${consent} WHERE ${consent.connectionId} = ${connectionId}
          AND ${consent.accountId} = ${accountId}
        ORDER BY ${consent.grantedAt} DESC LIMIT 1`);
      return row ? civilDate(row.cutoff) : undefined;
    },
    async release(accountId, connectionId) {
      const [row] = await reads.rows<ReleaseRow>(releaseOf(accountId, connectionId));
      return row && readRelease(row);
    },
  };
}

/** Repeats the partial index's condition word for word; SQLite uses the index only then. */
const HAS_NO_INVOICE = sql.raw("state IN ('deferred', 'before_cutoff', 'held') AND sold_fingerprint IS NULL");

function daysOf(accountId: string, { connectionId, state, from, until }: WaitingQuery): SQL {
  const days = [
    ...(from === undefined ? [] : [sql` AND ${shopOrder.orderDay} >= ${from}`]),
    ...(until === undefined ? [] : [sql` AND ${shopOrder.orderDay} < ${until}`]),
  ];
  return sql`SELECT summed.day AS day, summed.currency AS currency, ${exchangeRate.rate} AS rate, orders,
    thousandths FROM (
      SELECT ${shopOrder.orderDay} AS day, ${shopOrder.currency} AS currency,
        ${shopOrder.rateDay} AS rate_day,
        count(*) AS orders, CAST(sum(${thousandthsOf(shopOrder.total)}) AS TEXT) AS thousandths
      FROM ${shopOrder} WHERE ${shopOrder.connectionId} = ${connectionId} AND ${shopOrder.state} = ${state}
        AND ${HAS_NO_INVOICE} ${sql.join(days)}
        AND EXISTS (SELECT 1 FROM ${connection} WHERE ${connection.id} = ${connectionId}
          AND ${connection.accountId} = ${accountId})
      GROUP BY ${shopOrder.orderDay}, ${shopOrder.currency}, ${shopOrder.rateDay}) AS summed
    LEFT JOIN ${exchangeRate} ON ${exchangeRate.day} = summed.rate_day
      AND ${exchangeRate.currency} = summed.currency
    ORDER BY summed.day`;
}

interface DayRow {
  readonly day: string;
  readonly currency: string;
  readonly rate: string | null;
  readonly orders: number;
  /** A text, because D1 returns large numbers as doubles. */
  readonly thousandths: string;
}

function dayOf({ day, currency, rate, orders, thousandths }: DayRow): WaitingDay {
  return {
    day: civilDate(day),
    currency,
    ...(rate === null ? {} : { rate: decimal(rate) }),
    orders,
    total: divide(decimal(thousandths), THOUSANDTHS, DIGITS),
  };
}

interface ReleaseRow {
  readonly total: number;
  readonly invoiced: number;
  readonly held: number;
  readonly settled: number;
  readonly changed_at: number;
  readonly waiting: number;
  readonly consented: number;
  readonly frozen: number;
}

function releaseOf(accountId: string, connectionId: string): SQL {
  const newest = (column: string) => sql`(SELECT ${sql.raw(column)} FROM ${consent}
    WHERE ${consent.connectionId} = ${connectionId} ORDER BY ${consent.grantedAt} DESC LIMIT 1)`;
  return sql`SELECT ${orderRelease.total} AS total, ${orderRelease.invoiced} AS invoiced,
      ${orderRelease.held} AS held, ${orderRelease.settled} AS settled,
      ${orderRelease.changedAt} AS changed_at, ${account.frozen} AS frozen,
      (EXISTS (SELECT 1 FROM ${shopOrder} WHERE ${shopOrder.connectionId} = ${connectionId}
        AND ${shopOrder.state} = 'deferred')
        OR EXISTS (SELECT 1 FROM ${shopOrder} WHERE ${fallsIn(connectionId, newest("cutoff_date"))}))
        AS waiting,
      ${newest("withdrawn_at")} IS NULL AS consented
    FROM ${orderRelease} JOIN ${account} ON ${account.id} = ${orderRelease.accountId}
    WHERE ${orderRelease.connectionId} = ${connectionId} AND ${orderRelease.accountId} = ${accountId}`;
}

function readRelease({
  changed_at: changedAt,
  waiting,
  consented,
  frozen,
  ...counts
}: ReleaseRow): ReleaseRead {
  return {
    ...counts,
    changedAt,
    isWaiting: waiting === 1,
    isConsented: consented === 1,
    isFrozen: frozen === 1,
  };
}

/** Orders of one day without an invoice, in one currency and at one rate. */
interface WaitingDay {
  readonly day: CivilDate;
  readonly currency: string;
  /** Currency units per euro; undefined for euros and for an unknown rate. */
  readonly rate?: Decimal;
  readonly orders: number;
  readonly total: Decimal;
}

type WaitingState = Extract<OrderState, "deferred" | "before_cutoff" | "held">;

interface WaitingQuery {
  readonly connectionId: string;
  readonly state: WaitingState;
  /** `from` is included, `until` is not. */
  readonly from?: CivilDate;
  readonly until?: CivilDate;
}

/** Progress of the orders that waited for consent. */
interface ReleaseRead {
  readonly total: number;
  readonly invoiced: number;
  readonly held: number;
  readonly settled: number;
  readonly changedAt: Instant;
  /** Some order still waits. */
  readonly isWaiting: boolean;
  readonly isConsented: boolean;
  readonly isFrozen: boolean;
}

export interface WaitingReads {
  /** Sums read one index only, never the order rows. */
  days(accountId: string, queries: readonly WaitingQuery[]): Promise<readonly WaitingDay[]>;
  /** The cutoff of the current consent; undefined before the first. */
  cutoff(accountId: string, connectionId: string): Promise<CivilDate | undefined>;
  release(accountId: string, connectionId: string): Promise<ReleaseRead | undefined>;
}

/** A number of orders with their total in euros. */
interface WaitingSum {
  readonly orders: number;
  readonly totalEur: Decimal;
  /** Orders without a known exchange rate; the total excludes them. */
  readonly withoutRate: number;
}

interface WaitingOrders {
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
interface CutoffEffect extends WaitingSum {
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
  const queries = between(connectionId, moves, { current, next });
  const moved = queries.length === 0 ? [] : await reads.days(accountId, queries);
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

interface ReleaseProgress {
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
