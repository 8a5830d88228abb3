/**
 * How often fast-check tries a property: all the runs in `npm run prove:fuzz`, `TIMES` as many where
 * that is set, a part of them in `npm test`.
 */
const SHORT_SHARE = 1 / 4;
const SHORT_SEED = 20_261_129;
const TIMES = Number(process.env.TIMES || 1);

/**
 * The short runs are the same in every `npm test`. Without a seed of its own, each full run tries
 * other values.
 */
export function often(runs: number, seed?: number): { readonly numRuns: number; readonly seed?: number } {
  if (process.env.FULL_LENGTH !== "1") {
    return { numRuns: Math.ceil(runs * SHORT_SHARE), seed: seed ?? SHORT_SEED };
  }
  const numRuns = runs * TIMES;
  return seed === undefined ? { numRuns } : { numRuns, seed };
}
