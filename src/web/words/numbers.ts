import type { Formatters } from "intl-messageformat";
import type { Values } from "./areas.ts";
import { count, countFormat } from "./format.ts";

/** The `#` of a plural as every count: by default 1000 has no point in Spanish. */
export function withCounts(formatters: Formatters): Formatters {
  return { ...formatters, getNumberFormat: countFormat };
}

/** Numbers that a word says as they are, as in `{n} de {total}`; a plural needs the number itself. */
export function withWrittenCounts(word: unknown, values: Values | undefined): Values | undefined {
  if (values === undefined) return undefined;
  const text = String(word);
  const written = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "number" && !text.includes(`{${name}, plural`) ? count(value) : value,
  ]);
  return Object.fromEntries(written) as Values;
}
