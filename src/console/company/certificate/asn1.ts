/** Readers of ASN.1 values that pkijs has parsed: it types their members as unknown. */

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
 * The members of a constructed value. The library also parses the content of primitive octet strings; those
 * results do not count.
 */
function insideOf(value: unknown): readonly unknown[] | undefined {
  const { idBlock, valueBlock } = blockOf(value);
  return idBlock?.isConstructed && Array.isArray(valueBlock?.value) ? valueBlock.value : undefined;
}

export function partsOf(value: unknown): readonly unknown[] {
  return insideOf(value) ?? [];
}

/** The bytes of all primitive values inside, in order. */
export function valuesOf(value: unknown): Uint8Array[] {
  const inside = insideOf(value);
  if (inside) return inside.flatMap(valuesOf);
  const bytes = blockOf(value).valueBlock?.valueHexView;
  return bytes === undefined ? [] : [bytes];
}

/** The bytes of an octet string, whether primitive or constructed from parts. */
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

/** The encoded bytes of a value as they were read. */
export function encodedOf(value: unknown): Uint8Array {
  return (blockOf(value).valueBeforeDecodeView ?? new Uint8Array()).slice();
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
