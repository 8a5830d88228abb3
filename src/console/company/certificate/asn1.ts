/** Reads what the library has parsed of ASN.1: it types the members as unknown. */

interface Block {
  readonly idBlock?: {
    readonly isConstructed?: boolean;
    readonly tagClass?: number;
    readonly tagNumber?: number;
  };
  readonly valueBlock?: { readonly value?: unknown; readonly valueHexView?: Uint8Array };
  readonly valueBeforeDecodeView?: Uint8Array;
}

function blockOf(value: unknown): Block {
  return (value ?? {}) as Block;
}

/**
 * The values inside a constructed one. The library looks into octet strings, too: what it takes for a value
 * in one that is not constructed is none.
 */
function insideOf(value: unknown): readonly unknown[] | undefined {
  const { idBlock, valueBlock } = blockOf(value);
  return idBlock?.isConstructed && Array.isArray(valueBlock?.value) ? valueBlock.value : undefined;
}

export function partsOf(value: unknown): readonly unknown[] {
  return insideOf(value) ?? [];
}

/** The bytes of every primitive value inside, in their order. */
export function valuesOf(value: unknown): Uint8Array[] {
  const inside = insideOf(value);
  if (inside) return inside.flatMap(valuesOf);
  const bytes = blockOf(value).valueBlock?.valueHexView;
  return bytes === undefined ? [] : [bytes];
}

/** Of an octet string, whole or in parts. */
export function bytesIn(value: unknown): Uint8Array {
  const parts = valuesOf(value);
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const TAGS = { sequence: { tagClass: 1, tagNumber: 16 }, context0: { tagClass: 3, tagNumber: 0 } } as const;

export function isTagged(value: unknown, tag: keyof typeof TAGS): boolean {
  const { tagClass, tagNumber } = TAGS[tag];
  const { idBlock } = blockOf(value);
  return idBlock?.tagClass === tagClass && idBlock.tagNumber === tagNumber;
}

/** The bytes that a value was read from. */
export function encodedOf(value: unknown): Uint8Array {
  return (blockOf(value).valueBeforeDecodeView ?? new Uint8Array()).slice();
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
