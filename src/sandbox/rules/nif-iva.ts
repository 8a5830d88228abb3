/** NIF-IVA: the part after the prefix, for each member state, Northern Ireland and the former GB. */

const NUMBERS: Readonly<Record<string, RegExp>> = {
  DE: /^\d{9}$/,
  AT: /^[0-9A-Z]{9}$/,
  BE: /^\d{10}$/,
  CY: /^[0-9A-Z]{9}$/,
  CZ: /^\d{8,10}$/,
  HR: /^\d{11}$/,
  DK: /^\d{8}$/,
  SK: /^\d{10}$/,
  SI: /^\d{8}$/,
  EE: /^\d{9}$/,
  FI: /^\d{8}$/,
  FR: /^[0-9A-Z]{11}$/,
  EL: /^\d{9}$/,
  GB: /^(?:[0-9A-Z]{5}|[0-9A-Z]{9}|[0-9A-Z]{12})$/,
  XI: /^(?:[0-9A-Z]{5}|[0-9A-Z]{9}|[0-9A-Z]{12})$/,
  NL: /^[0-9A-Z]{12}$/,
  HU: /^\d{8}$/,
  IT: /^\d{11}$/,
  IE: /^[0-9A-Z]{8,9}$/,
  LV: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  MT: /^\d{8}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  SE: /^\d{12}$/,
  BG: /^\d{9,10}$/,
  RO: /^[1-9]\d{1,9}$/,
};

export function isNifIva(text: string): boolean {
  return NUMBERS[text.slice(0, 2)]?.test(text.slice(2)) ?? false;
}

/** CodigoPais of a NIF-IVA: the prefix, but for Greece. */
export function countryOfNifIva(text: string): string {
  const prefix = text.slice(0, 2);
  return prefix === "EL" ? "GR" : prefix;
}
