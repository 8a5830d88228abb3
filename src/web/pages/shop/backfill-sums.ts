import { sumText } from "../../parts/exact-sum.ts";

interface Amount {
  readonly currency: string;
  readonly total: string;
}

/** One exact sum for each currency, in the order in which the currencies come. */
export function sumsOf(amounts: readonly Amount[]): readonly Amount[] {
  const sums = new Map<string, string>();
  for (const { currency, total } of amounts) sums.set(currency, sumText(sums.get(currency) ?? "0", total));
  return [...sums].map(([currency, total]) => ({ currency, total }));
}
