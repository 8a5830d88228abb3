/** How often fast-check tries a property: all the runs in `npm run prove:fuzz`, a part of them in `npm test`. */
const SHORT_SHARE = 1 / 4;
const SHORT_SEED = 20_261_129;

/** The short runs are the same in every `npm test`. Without a seed of its own, each full run tries other values. */
export function often(runs: number, seed?: number): { readonly numRuns: number; readonly seed?: number } {
  if (process.env.FULL_LENGTH !== "1") {
    return { numRuns: Math.ceil(runs * SHORT_SHARE), seed: seed ?? SHORT_SEED };
  }
  return seed === undefined ? { numRuns: runs } : { numRuns: runs, seed };
}
