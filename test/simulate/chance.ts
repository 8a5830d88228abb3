/** Random choices of a history, the same in every run of its seed. */
import { type Seeded, seeded } from "../prove/seeded.ts";

export interface Chance extends Seeded {
  /** True with that probability. */
  is(probability: number): boolean;
  /** A whole number of the range, both ends included. */
  between(low: number, high: number): number;
  weighted<Value>(choices: readonly (readonly [weight: number, value: Value])[]): Value;
  bytes(sizeBytes: number): Uint8Array<ArrayBuffer>;
}

/** Streams of one seed are independent of each other, and neighbouring seeds of each other. */
export function chanceOf(seed: number, stream: number): Chance {
  const drawn = seeded(mixed(Math.imul(seed, 0x9e37_79b1) ^ Math.imul(stream + 1, 0x85eb_ca6b)));
  const { fraction, below } = drawn;
  return {
    ...drawn,
    is: (probability) => fraction() < probability,
    between: (low, high) => low + below(high - low + 1),
    weighted(choices) {
      let left = fraction() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of choices) {
        left -= weight;
        if (left < 0) return value;
      }
      const [last] = choices.slice(-1);
      if (!last) throw new Error("nothing to choose from");
      return last[1];
    },
    bytes: (sizeBytes) => Uint8Array.from({ length: sizeBytes }, () => below(256)),
  };
}

function mixed(value: number): number {
  let state = value | 0;
  state = Math.imul(state ^ (state >>> 16), 0x85eb_ca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2_ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
