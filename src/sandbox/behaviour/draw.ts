/** Chance that a long run can have twice: every draw follows from seed, stream and index alone. */

/** At least 0 and less than 1. */
export function draw(seed: number, stream: number, index: number): number {
  return mixed(mixed(mixed(seed) ^ stream) ^ index) / 0x1_0000_0000;
}

/** The finaliser of MurmurHash3: one bit in changes half of the bits out. */
function mixed(value: number): number {
  let bits = (value + 0x9e37_79b9) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
