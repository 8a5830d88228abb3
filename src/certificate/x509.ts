/** What the library leaves as parsed ASN.1. */
interface Block {
  readonly idBlock?: { readonly isConstructed?: boolean };
  readonly valueBlock?: {
    readonly value?: unknown;
    readonly valueHexView?: Uint8Array;
  };
}

/** Of an octet string, whole or in parts. */
export function bytesIn(block: unknown): Uint8Array {
  const parts = valuesOf(block);
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * The bytes of every primitive value inside, in their order. The library looks into octet strings, too: what
 * it takes for a value in one that is not constructed is none.
 */
export function valuesOf(block: unknown): Uint8Array[] {
  const { idBlock, valueBlock } = (block ?? {}) as Block;
  const { value, valueHexView } = valueBlock ?? {};
  if (idBlock?.isConstructed && Array.isArray(value)) return value.flatMap(valuesOf);
  return valueHexView === undefined ? [] : [valueHexView];
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
