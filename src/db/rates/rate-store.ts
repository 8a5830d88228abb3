import { sql } from "drizzle-orm";
import type { ReferenceRate } from "../../domain/exchange/ecb-currencies.ts";
import { type CivilDate, civilDate } from "../../domain/shared/civil-date.ts";
import { type Decimal, decimal } from "../../domain/shared/decimal.ts";
import { type Database, databaseOn, rowParameters, rowsOf } from "../database.ts";
import { exchangeRate } from "../schema/shop.ts";
import type { RateFinder, RateKey } from "./rate-for.ts";

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

/** A ledger that can list the days without any rate. */
export interface GappyLedger {
  readonly ledger: string;
  daysWithout(days: readonly CivilDate[]): Promise<readonly CivilDate[]>;
}

export type RateStore = RateFinder & Omit<RateLedger, "ledger"> & Omit<GappyLedger, "ledger">;

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
export function selectRates(db: Database, keys: readonly RateKey[]) {
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
