/** All composed SQL passes here: text that D1 would refuse is refused before it is sent. */
import { SQL } from "../domain/limits.ts";
import { invariant } from "../domain/shared/result.ts";

/** The same text again. Rows and lists travel as one parameter of JSON, or by a working table. */
export function boundedSql(text: string, parameters = 0): string {
  const isWithin = fitsInBytes(text, SQL.bytes) && parameters <= SQL.parameters;
  invariant(isWithin, "a statement is one that D1 takes");
  return text;
}

/** As much of a binding as statements need, each of them measured. */
export function boundedBinding(binding: D1Database): D1Database {
  const measured = {
    prepare(sql: string) {
      const prepared = binding.prepare(boundedSql(sql));
      return {
        bind(...values: unknown[]) {
          boundedSql(sql, values.length);
          return prepared.bind(...values);
        },
      };
    },
    batch: (statements: D1PreparedStatement[]) => binding.batch(statements),
  };
  // Drizzle and the plain reads bind every statement, and ask for nothing else.
  return measured as unknown as D1Database;
}

const encoder = new TextEncoder();
/** The UTF-8 bytes of one code unit. */
const MOST_BYTES = 3;

function fitsInBytes(text: string, most: number): boolean {
  return text.length * MOST_BYTES <= most || (text.length <= most && encoder.encode(text).length <= most);
}
