import type { Decimal } from "./decimal.ts";

declare global {
  interface JSON {
    /** ECMAScript 2026; a text that `stringify` writes as it is. */
    rawJSON(text: string): RawNumber;
  }
}

declare const rawNumberBrand: unique symbol;

export interface RawNumber {
  readonly [rawNumberBrand]: true;
}

/** A decimal as a JSON number, digit by digit. */
export function exactNumber(value: Decimal): RawNumber {
  return JSON.rawJSON(value);
}
