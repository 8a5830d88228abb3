import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** The order that an invoice was issued for, as `orderIdOf` reads it in the domain; else null. */
export function orderOfOrigin(origin: SQLiteColumn): SQL {
  const isOf = (sort: string) => sql`${origin} >= ${text(`${sort}:`)} AND ${origin} < ${text(`${sort};`)}`;
  const behind = (sort: string) => sql`substr(${origin}, ${sql.raw(String(sort.length + 2))})`;
  const whole = (sort: string) => sql`WHEN ${isOf(sort)} THEN ${behind(sort)}`;
  const numbered = (sort: string) =>
    sql`WHEN ${isOf(sort)} THEN substr(${behind(sort)}, instr(${behind(sort)}, ':') + 1)`;
  const escaped = (sort: string) => sql`WHEN ${isOf(sort)} THEN replace(replace(
    substr(${behind(sort)}, 1, instr(${behind(sort)}, ':') - 1), '%3A', ':'), '%25', '%')`;
  const sorts = [
    whole("order"),
    whole("replacement"),
    escaped("event"),
    escaped("event_replacement"),
    numbered("reissue"),
    numbered("reissue_replacement"),
  ];
  return sql`CASE ${sql.join(sorts, sql` `)} END`;
}

/** No parameter, of which a statement of D1 takes few. */
function text(literal: string): SQL {
  return sql.raw(`'${literal}'`);
}
