/** Amounts and rates in hundredths, exact. */

/** Hundredths of a text that the schema has let pass: `121.1` is 12110n. */
export function hundredths(text: string): bigint {
  const [whole = "0", fraction = ""] = text.replace(/^[+-]/, "").split(".");
  const units = BigInt(whole + fraction.padEnd(2, "0"));
  return text.startsWith("-") ? -units : units;
}

export function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/** The service lets every comparison of amounts be off by ten euros. */
export const TOLERANCE = 1_000n;

export function isNear(one: bigint, other: bigint): boolean {
  return magnitude(one - other) <= TOLERANCE;
}

/** Whether a tax amount matches rate and base, computed without rounding. */
export function isTaxOf(tax: bigint, base: bigint, rate: bigint): boolean {
  return magnitude(tax * 10_000n - base * rate) <= TOLERANCE * 10_000n;
}

/** 0 matches either sign. */
export function haveSameSign(one: bigint, other: bigint): boolean {
  return one * other >= 0n;
}

/** Without zeros at the end, as a query answers: `121.00` is `121`. */
export function shortened(text: string): string {
  const units = hundredths(text);
  const digits = String(magnitude(units)).padStart(3, "0");
  const plain = `${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/\.?0+$/, "");
  return units < 0n ? `-${plain}` : plain;
}

/** Days as the service writes them, dd-mm-yyyy, and as they can be compared, yyyy-mm-dd. */

export function isDate(text: string): boolean {
  return comparable(text) !== undefined;
}

/** yyyy-mm-dd; undefined when the calendar has no such day. */
export function comparable(text: string | undefined): string | undefined {
  const [, day, month, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text ?? "") ?? [];
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? undefined : iso;
}

/** The same day so many years before or after; 29 February becomes the 28th. */
export function yearsLater(iso: string, years: number): string {
  const year = String(Number(iso.slice(0, 4)) + years).padStart(4, "0");
  const moved = `${year}${iso.slice(4)}`;
  return moved.endsWith("-02-29") && comparable(`29-02-${year}`) === undefined ? `${year}-02-28` : moved;
}

const MADRID = new Intl.DateTimeFormat("en-CA", {
  timeZone: "Europe/Madrid",
  hourCycle: "h23",
  ...{
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  },
  timeZoneName: "longOffset",
});

/** An instant as the AEAT writes it: peninsular time with its offset. */
export function madridTimestamp(milliseconds: number): string {
  const parts = MADRID.formatToParts(milliseconds);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
  const day = `${part("year")}-${part("month")}-${part("day")}`;
  const offset = part("timeZoneName").replace("GMT", "") || "+00:00";
  return `${day}T${part("hour")}:${part("minute")}:${part("second")}${offset}`;
}

/** The control character of a Spanish NIF: Orden EHA/451/2008 for entities, RD 1065/2007 for persons. */

const PERSON_CONTROL = "TRWAGMYFPDXBNJZSQVHLCKE";
const ENTITY_CONTROL = "JABCDEFGHI";

const FOREIGNER_DIGIT: Readonly<Record<string, string>> = { X: "0", Y: "1", Z: "2" };

export function isNif(text: string): boolean {
  return isPersonNif(text) || isEntityNif(text);
}

/** DNI, NIE, and the K, L and M of persons without either. */
export function isPersonNif(text: string): boolean {
  // Zeros have a correct control letter, but the number is not assigned.
  if (/^0{8}/.test(text)) return false;
  if (/^\d{8}[A-Z]$/.test(text)) return isControlled(text.slice(0, 8), text);
  if (/^[XYZ]\d{7}[A-Z]$/.test(text)) {
    return isControlled(`${FOREIGNER_DIGIT[text.charAt(0)]}${text.slice(1, 8)}`, text);
  }
  return /^[KLM]\d{7}[A-Z]$/.test(text) && isControlled(text.slice(1, 8), text);
}

function isControlled(digits: string, text: string): boolean {
  return PERSON_CONTROL[Number(digits) % PERSON_CONTROL.length] === text.at(-1);
}

/** A letter of the legal form, seven digits, and a digit or a letter that depends on the form. */
function isEntityNif(text: string): boolean {
  if (!/^[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]$/.test(text)) return false;
  const control = entityControl(text.slice(1, 8));
  const asDigit = String(control);
  const asLetter = ENTITY_CONTROL[control];
  if (/^[ABEH]/.test(text)) return text.at(-1) === asDigit;
  if (/^[NPQRSW]/.test(text)) return text.at(-1) === asLetter;
  return text.at(-1) === asDigit || text.at(-1) === asLetter;
}

function entityControl(digits: string): number {
  const sum = [...digits].map(Number).reduce((total, digit, index) => {
    if (index % 2 === 1) return total + digit;
    const doubled = digit * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
