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
  /** Any of those whose kind was drawn least often, so that a short course reaches every kind. */
  anyKind<T extends { readonly kind: string }>(list: readonly T[]): T | undefined;
  /** How often each kind was drawn. */
  readonly kinds: ReadonlyMap<string, number>;
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
  const kinds = new Map<string, number>();
  const drawnOf = ({ kind }: { readonly kind: string }) => kinds.get(kind) ?? 0;
  return {
    below,
    kinds,
    anyKind(list) {
      const fewest = Math.min(...list.map(drawnOf));
      const rarest = list.filter((each) => drawnOf(each) === fewest);
      const drawn = rarest[below(rarest.length)];
      if (drawn) kinds.set(drawn.kind, fewest + 1);
      return drawn;
    },
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

/** Texts that a shop may send, however strange they look. */
export const PLAIN_TEXTS = [
  "Silla",
  "Lucía Pérez de la Fuente",
  "Comercial del Norte SL",
  "B12345674",
  "Calle Mayor 1, 2.º B",
  "28013",
  "España",
  "0",
  "-1",
  "null",
  "true",
  "1e999",
  "__proto__",
  "constructor",
  "' OR 1=1 --",
  "%27%22%00",
  "<script>alert(1)</script>",
  "]]><!--&amp;<?xml",
  "{{7*7}}#{7*7}",
  "../../etc/passwd",
  '=HYPERLINK("http://x.example")',
  'a"b\\c/d',
  "日本語のテスト",
  "مرحبا بالعالم",
  "שלום",
  "Ωμέγα Straße Ærø",
  "e\u0301e\u0301e\u0301",
  "👩‍👩‍👧‍👦🏳️‍🌈",
  "\u{1D4D7}\u{1F4A9}\u{10FFFD}",
  "a\u200Bb\u200Dc\u2060d",
  "\u202Egnirts desrever\u202C",
  "a\u00A0b\u3000c",
  "İıŞşĞğ",
  "ﷺ",
  "x",
] as const;

/** Texts that no document can hold: control characters, halves of pairs, characters without a form in XML. */
export const BROKEN_TEXTS = [
  "a\u0000b",
  "\u0000",
  "\u0007\u001B[31m",
  "a\u007Fb",
  "a\u0085b",
  "\uD800",
  "a\uDC00b",
  "\uDC00\uD800",
  "a\uFFFEb",
  "\uFFFF",
  "",
  " ",
  "\u00A0",
  "\u200B",
  "\uFEFF",
  " a ",
  "a\nb",
  "a\r\nb\tc",
] as const;

/** Names that every object has without being asked. */
export const PROTOTYPE_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "toJSON",
  "then",
  "length",
  "__defineGetter__",
] as const;

/** Numbers as JSON allows them, that one or another reader cannot take. */
export const HARD_NUMBERS = [
  "1e400",
  "-1e400",
  "1e-400",
  "1E+308",
  "1e99999999999",
  "1e-99999999999",
  "-0",
  "-0.0",
  "0e0",
  "0e999999999",
  "0.1234567890123456789",
  "999999999999.999999",
  "1000000000000",
  "-1000000000000",
  "9007199254740993",
  "123456789012345678901234567890",
  "0.30000000000000004",
  "1.7976931348623157e308",
  "5e-324",
  `${"9".repeat(5_000)}`,
  `0.${"0".repeat(5_000)}1`,
  `1${"0".repeat(300)}e-300`,
] as const;
