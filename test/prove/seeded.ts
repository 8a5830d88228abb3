/** Chance that is the same in every run of a seed. */
export interface Seeded {
  /** From 0 up to 1, which never comes. */
  fraction(): number;
  /** A whole number from 0 up to that one, which never comes. */
  below(count: number): number;
  pick<Value>(values: readonly [Value, ...Value[]]): Value;
  shuffled<Value>(values: readonly Value[]): Value[];
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const fraction = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (count: number) => Math.floor(fraction() * count);
  return {
    fraction,
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
    shuffled: (values) =>
      values
        .map((value) => ({ value, place: fraction() }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ value }) => value),
  };
}
