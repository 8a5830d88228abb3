import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/**
 * The order that an invoice was issued for, as `orderIdOf` reads it in domain/order/decision.ts; else null.
 */
export function orderOfOrigin(origin: SQLiteColumn): SQL {
  const rest = sql`substr(${origin}, 7)`;
  const escaped = sql`substr(${rest}, 1, instr(${rest}, ':') - 1)`;
  return sql`CASE
    WHEN ${origin} >= 'order:' AND ${origin} < 'order;' THEN substr(${origin}, 7)
    WHEN ${origin} >= 'replacement:' AND ${origin} < 'replacement;' THEN substr(${origin}, 13)
    WHEN ${origin} >= 'event:' AND ${origin} < 'event;' THEN replace(replace(${escaped}, '%3A', ':'),
      '%25', '%')
    END`;
}
