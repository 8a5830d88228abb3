/** The simple types, each with the code that a text outside of it earns. */
import { isDate } from "../rules/written-values.ts";
import type { ValueRule } from "./particle.ts";

/** "Valor o tipo incorrecto del campo", where the table has nothing closer. */
const WRONG_VALUE = 1100;

/** Text that is not blank and not too long. */
export function text(most: number, code: number = WRONG_VALUE): ValueRule {
  return (value) => (value.trim() === "" || [...value].length > most ? code : undefined);
}

export function oneOf(list: string, code: number = WRONG_VALUE): ValueRule {
  const words = list.split(" ");
  return (value) => (words.includes(value) ? undefined : code);
}

export function yesNo(code: number = WRONG_VALUE): ValueRule {
  return oneOf("S N", code);
}

export function matching(pattern: RegExp, code: number = WRONG_VALUE): ValueRule {
  return (value) => (pattern.test(value) ? undefined : code);
}

/** dd-mm-yyyy, and a day that the calendar has. */
export function date(code: number): ValueRule {
  return (value) => (isDate(value) ? undefined : code);
}

export const amount: ValueRule = matching(/^[+-]?\d{1,12}(\.\d{0,2})?$/);
export const rate: ValueRule = matching(/^\d{1,3}(\.\d{0,2})?$/);

/** Any text: the rules look at it closer. */
export const anyText: ValueRule = () => undefined;

/** To the second, with Z or an offset of hours and minutes: the service takes no other form. */
export const timestamp: ValueRule = (value) => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(Z|[+-]\d{2}:[0-5]\d)$/.exec(value);
  const [, year, month, day] = parts ?? [];
  return isDate(`${day}-${month}-${year}`) && !Number.isNaN(Date.parse(value)) ? undefined : 1244;
};

const PRINTABLE = /^[\u0020-\u007E]+$/;
const FORBIDDEN = /["'<>=]/;

/** NumSerieFactura of the invoice that a record is about. */
export const invoiceNumber: ValueRule = (value) => {
  if (value.trim() === "" || value.length > 60) return 1104;
  if (!PRINTABLE.test(value)) return 1130;
  return FORBIDDEN.test(value) ? 1287 : undefined;
};

/** The record's own hash. Whether it is the right one comes later, and refuses nothing. */
export const hash: ValueRule = (value) => {
  if (value.length !== 64) return 1262;
  return /^[0-9A-Za-z]+$/.test(value) ? undefined : 1292;
};

/** The previous hash: a short or malformed one is reported later and refuses nothing. */
export const previousHash: ValueRule = (value) => {
  if (value.length > 64) return WRONG_VALUE;
  return /^[0-9A-Za-z]*$/.test(value) ? undefined : 1291;
};
