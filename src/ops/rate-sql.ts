/** The SQL of `npm run import-rates --remote`, which reaches databases through wrangler only. */

import { boundedSql } from "../db/bounded-sql.ts";
import type { ReferenceRate } from "../domain/exchange/ecb-currencies.ts";
import { civilDate } from "../domain/shared/civil-date.ts";
import { decimal } from "../domain/shared/decimal.ts";
import type { RateConflict } from "../work/rates/import-rates.ts";

/** D1 takes 100 KB a statement; a row has 40 bytes. */
const ROWS_PER_STATEMENT = 1_000;

/** A row per day: a row per rate would be an answer of megabytes. */
export function storedRatesSql(rates: readonly ReferenceRate[]): string {
  const days = rates.map(({ day }) => day).sort();
  return (
    "SELECT day, json_group_object(currency, rate) AS rates FROM exchange_rate " +
    `WHERE day BETWEEN '${days[0]}' AND '${days.at(-1)}' GROUP BY day`
  );
}

/** Parses the output of `wrangler d1 execute --json`. */
export function storedRatesFrom(answer: string): ReferenceRate[] {
  const executed = JSON.parse(answer) as readonly {
    readonly results: readonly { readonly day: string; readonly rates: string }[];
  }[];
  return executed.flatMap(({ results }) =>
    results.flatMap(({ day, rates }) =>
      Object.entries(JSON.parse(rates) as Record<string, string>).map(([currency, rate]) => ({
        day: civilDate(day),
        currency,
        rate: decimal(rate),
      })),
    ),
  );
}

export interface RateComparison {
  readonly fresh: readonly ReferenceRate[];
  readonly conflicts: readonly RateConflict[];
}

export function compareRates(
  offered: readonly ReferenceRate[],
  stored: readonly ReferenceRate[],
): RateComparison {
  const known = new Map(stored.map((row) => [keyOf(row), row.rate]));
  const conflicts = offered.flatMap(({ rate, ...row }) => {
    const kept = known.get(keyOf(row));
    return kept === undefined || kept === rate ? [] : [{ ...row, stored: kept, offered: rate }];
  });
  return { fresh: offered.filter((row) => !known.has(keyOf(row))), conflicts };
}

/** Days, codes and decimals contain no quotation marks. A concurrent earlier insert wins. */
export function insertRatesSql(rates: readonly ReferenceRate[]): string {
  const rows = rates.map(({ day, currency, rate }) => `('${day}','${currency}','${rate}')`);
  const statements: string[] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const values = rows.slice(start, start + ROWS_PER_STATEMENT).join(",");
    const insert = `INSERT INTO exchange_rate (day, currency, rate) VALUES ${values} ON CONFLICT DO NOTHING`;
    statements.push(`${boundedSql(insert)};\n`);
  }
  return statements.join("");
}

function keyOf({ day, currency }: Pick<ReferenceRate, "day" | "currency">): string {
  return `${day} ${currency}`;
}
