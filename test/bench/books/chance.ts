/** Chance with a seed: the same books in every run. */

export interface Chance {
  /** From 0 to 1. */
  next(): number;
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  bytes(sizeBytes: number): Uint8Array;
}

/** Small fast counting generator (sfc32): 128 bits of state, so that no two ids of a run meet. */
export function chanceOf(seed: number): Chance {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1];
  const word = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let warm = 0; warm < 15; warm++) word();
  const next = () => word() / 2 ** 32;
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick(list) {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error("nothing to pick from");
      return picked;
    },
    bytes: (sizeBytes) => new Uint8Array(sizeBytes).map(() => word() >>> 24),
  };
}
