/** Every code of the AEAT's table of errors, as it publishes it. */
const PUBLISHED = `
  4102-4141 3500-3503
  1100-1112 1114-1140 1142-1203 1205-1277 1281 1282 1283 1284 1285 1286-1293
  3000-3004 2000-2009`;

export const AEAT_CODES: readonly number[] = PUBLISHED.trim()
  .split(/\s+/)
  .flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
