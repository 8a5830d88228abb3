/**
 * The control character of a NIF (Orden EHA/451/2008 and RD 1065/2007), for forms that check it before the
 * server does; `nifFrom` is what counts, and a test compares the two.
 */
export type NifFault = "shape" | "letter";

const DIGIT_AT_END = /^[A-HJUV]\d{8}$/;
/** Of A, B, E and H only entities not resident here, whose number begins with 00, end in a letter. */
const LETTER_AT_END = /^(?:[CDFGNPQRSW]\d{7}|[ABEH]00\d{5})[A-J]$/;
const PERSON = /^[0-9XYZKLM]\d{7}[A-Z]$/;
const LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";

/** Undefined for a correct NIF; spaces, dots, hyphens, case and the prefix ES do not matter. */
export function nifFault(typed: string): NifFault | undefined {
  const bare = typed.replace(/[\s.-]/g, "").toUpperCase();
  const nif = bare.length === 11 && bare.startsWith("ES") ? bare.slice(2) : bare;
  const last = nif.slice(-1);
  if (PERSON.test(nif)) return personLetter(nif) === last ? undefined : "letter";
  const isEntity = DIGIT_AT_END.test(nif);
  if (!isEntity && !LETTER_AT_END.test(nif)) return "shape";
  const control = entityControl(nif);
  return last === (isEntity ? `${control % 10}` : String.fromCharCode(64 + control)) ? undefined : "letter";
}

function personLetter(nif: string): string {
  const number = nif
    .slice(0, 8)
    .replace(/^[XKLM]/, "0")
    .replace(/^Y/, "1")
    .replace(/^Z/, "2");
  return LETTERS.charAt(Number(number) % LETTERS.length);
}

/** 1 to 10: digits in odd places are doubled and their digits added. */
function entityControl(nif: string): number {
  const sum = [...nif.slice(1, 8)].reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + Math.floor(doubled / 10) + (doubled % 10);
  }, 0);
  return 10 - (sum % 10);
}
