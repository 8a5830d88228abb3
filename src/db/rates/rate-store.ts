import { and, eq, sql } from "drizzle-orm";
import type { RateKey, ReferenceRate } from "../../domain/exchange/reference-rate.ts";
import type { AreaRate, KeptRate, NewlyKept } from "../../domain/place/vat-rates.ts";
import { type CivilDate, civilDate } from "../../domain/shared/civil-date.ts";
import { type Decimal, decimal } from "../../domain/shared/decimal.ts";
import { type Database, databaseOn, fromOwnJson, rowParameters, rowsOf } from "../database.ts";
import type { FencedStatement } from "../fence.ts";
import { connection } from "../schema/ledger.ts";
import { ossRate, shopOrder } from "../schema/orders.ts";
import { exchangeRate } from "../schema/shop.ts";

/** Every ledger has the rates, so that a decision reads them where it reads all else. */
export interface RateLedger {
  readonly ledger: string;
  /** Idempotent. An existing rate is never changed, because invoices may have been issued at it. */
  add(rates: readonly ReferenceRate[]): Promise<AddedRates>;
}

export interface AddedRates {
  readonly added: number;
  readonly conflicts: readonly RateConflict[];
}

/** The file differs from the stored rate, which is kept. */
export interface RateConflict {
  readonly day: CivilDate;
  readonly currency: string;
  readonly stored: Decimal;
  readonly offered: Decimal;
}

export interface RateFinder {
  /** The stored ones among these rates. */
  find(keys: readonly RateKey[]): Promise<readonly ReferenceRate[]>;
}

/** A ledger that can list the days without any rate. */
export interface GappyLedger {
  readonly ledger: string;
  daysWithout(days: readonly CivilDate[]): Promise<readonly CivilDate[]>;
}

type RateStore = RateFinder & Omit<RateLedger, "ledger"> & Omit<GappyLedger, "ledger">;

/** The exchange rates of one ledger; every method is one round trip, however many rates it is about. */
export function rateStore(binding: D1Database): RateStore {
  const db = databaseOn(binding);
  return {
    add: (rates) => add(db, rates),
    find: async (keys) => (await selectRates(db, keys)).map(rateFromRow),
    daysWithout: async (days) => (await selectDaysWithout(db, days)).map(({ day }) => civilDate(day)),
  };
}

/** For batches that decide with rates. */
function selectRates(db: Database, keys: readonly RateKey[]) {
  const json = JSON.stringify(keys.map(({ day, currency }) => [day, currency]));
  return db
    .select({ day: exchangeRate.day, currency: exchangeRate.currency, rate: exchangeRate.rate })
    .from(sql`json_each(${json})`)
    .innerJoin(exchangeRate, IS_OF_ROW);
}

export function rateFromRow(row: { readonly [Column in keyof ReferenceRate]: string }): ReferenceRate {
  return { day: civilDate(row.day), currency: row.currency, rate: decimal(row.rate) };
}

const IS_OF_ROW = sql`${exchangeRate.day} = value ->> 0 AND ${exchangeRate.currency} = value ->> 1`;

/** Beyond some 50,000 rates a second round trip follows; the first is kept and can be repeated. */
async function add(db: Database, rates: readonly ReferenceRate[]): Promise<AddedRates> {
  let added = 0;
  const conflicts: RateConflict[] = [];
  for (const json of rowParameters(rates.map(({ day, currency, rate }) => [day, currency, rate]))) {
    const [written, others] = await db.batch([
      db.insert(exchangeRate).select(rowsOf(json, 3)).onConflictDoNothing(),
      selectConflicts(db, json),
    ]);
    added += written.meta.changes;
    conflicts.push(
      ...others.map(({ offered, ...row }) => {
        const { day, currency, rate: stored } = rateFromRow(row);
        return { day, currency, stored, offered: decimal(offered) };
      }),
    );
  }
  return { added, conflicts };
}

/** Rates have one spelling each, so that other text is another rate. */
function selectConflicts(db: Database, json: string) {
  return db
    .select({
      day: exchangeRate.day,
      currency: exchangeRate.currency,
      rate: exchangeRate.rate,
      offered: sql<string>`value ->> 2`.as("offered"),
    })
    .from(sql`json_each(${json})`)
    .innerJoin(exchangeRate, sql`${IS_OF_ROW} AND ${exchangeRate.rate} <> value ->> 2`);
}

/** One index lookup per day. */
function selectDaysWithout(db: Database, days: readonly CivilDate[]) {
  return db
    .select({ day: sql<string>`value`.as("missing_day") })
    .from(sql`json_each(${JSON.stringify(days)})`)
    .where(sql`NOT EXISTS (SELECT 1 FROM ${exchangeRate} WHERE ${exchangeRate.day} = value)`);
}

/** All kept rates of an account in one column of the settings: no extra round trip. */
export function ossRatesColumn(accountId: typeof ossRate.accountId | typeof connection.accountId) {
  return sql<
    string | null
  >`(SELECT json_group_array(json_object('area', ${ossRate.area}, 'rate', ${ossRate.rate},
    'from', ${ossRate.from})) FROM ${ossRate} WHERE ${ossRate.accountId} = ${accountId})`.as("oss_rates");
}

export function ossRatesFrom(json: string | null): readonly KeptRate[] {
  return json === null ? [] : fromOwnJson(json);
}

/** Orders of the whole account that wait are decided again; those of its other connections by the sweep. */
export function keepRates(db: Database, accountId: string, rates: readonly NewlyKept[]): FencedStatement[] {
  if (rates.length === 0) return [];
  const from = sql`min(${ossRate.from}, excluded.from_date)`;
  const kept = rates.map((rate) =>
    db
      .insert(ossRate)
      .values({ accountId, ...rate })
      .onConflictDoUpdate({ target: [ossRate.accountId, ossRate.area, ossRate.rate], set: { from } }),
  );
  return [...kept, redecideAccount(db, accountId)];
}

export function withdrawRate(db: Database, accountId: string, { area, rate }: AreaRate): FencedStatement[] {
  const one = and(eq(ossRate.accountId, accountId), eq(ossRate.area, area), eq(ossRate.rate, rate));
  return [db.delete(ossRate).where(one), redecideAccount(db, accountId)];
}

/** A change for the account makes held orders of all its connections undecided. */
export function redecideAccount(db: Database, accountId: string): FencedStatement {
  const ofAccount = sql`${shopOrder.connectionId} IN
    (SELECT ${connection.id} FROM ${connection} WHERE ${connection.accountId} = ${accountId})`;
  return db
    .update(shopOrder)
    .set({ undecided: true })
    .where(and(ofAccount, eq(shopOrder.state, "held")));
}
