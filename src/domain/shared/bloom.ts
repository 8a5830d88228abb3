/** A set of texts in few bits: a member is always found, and another text rarely seems to be a member. */
export interface BloomFilter {
  readonly bits: Uint8Array;
  readonly hashes: number;
}

/** For so many texts, with one false hit in `oneIn`. */
export function emptyFilter(texts: number, oneIn: number): BloomFilter {
  const bitCount = Math.ceil((texts * Math.log(oneIn)) / Math.LN2 ** 2);
  const hashes = Math.round(Math.log2(oneIn));
  return { bits: new Uint8Array(Math.ceil(bitCount / 8)), hashes };
}

/** Writes into the filter. */
export function addText({ bits, hashes }: BloomFilter, text: string): void {
  for (const place of placesOf(text, bits.length * 8, hashes)) {
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  }
}

export function mayContain({ bits, hashes }: BloomFilter, text: string): boolean {
  return placesOf(text, bits.length * 8, hashes).every(
    (place) => ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0,
  );
}

/** Two hashes make any number of them. */
function placesOf(text: string, bitCount: number, hashes: number): number[] {
  const [first, second] = [hashOf(text, FIRST_SEED), hashOf(text, SECOND_SEED) | 1];
  return Array.from({ length: hashes }, (_, index) => ((first + Math.imul(index, second)) >>> 0) % bitCount);
}

const FIRST_SEED = 0x811c9dc5;
const SECOND_SEED = 0x9747b28c;

/** FNV-1a over the UTF-16 units, with its bits mixed at the end. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
