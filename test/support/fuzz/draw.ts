/** Chance that comes again: one seed, one course. */
export interface Draw {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  /** The same in another order. */
  shuffled<T>(list: readonly T[]): T[];
  /** Undefined of an empty list only. */
  any<T>(list: readonly T[]): T | undefined;
}

/** Mulberry32: 32 bits of state, and good enough to choose by. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    shuffled: (list) =>
      list
        .map((each) => ({ each, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ each }) => each),
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)] ?? list[0],
    any: (list) => list[below(list.length)],
  };
}
