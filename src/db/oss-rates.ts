import { and, eq, sql } from "drizzle-orm";
import type { AreaRate, KeptRate, NewlyKept } from "../domain/place/kept-rates.ts";
import { type Database, fromOwnJson } from "./database.ts";
import type { FencedStatement } from "./fence.ts";
import { connection } from "./schema/ledger.ts";
import { ossRate, shopOrder } from "./schema/orders.ts";

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
