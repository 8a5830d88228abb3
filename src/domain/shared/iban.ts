const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const BIC = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;
const LETTER_A = 55;
/** Of a number too long for a double, so many digits are divided at once. */
const CHUNK = 7;

/** ISO 13616: without spaces, in capitals, its check digits right; else undefined. */
export function ibanFrom(text: string): string | undefined {
  const iban = text.replace(/\s/g, "").toUpperCase();
  return IBAN.test(iban) && remainderOf(iban) === 1 ? iban : undefined;
}

/** ISO 9362: eight or eleven characters, without spaces, in capitals; else undefined. */
export function bicFrom(text: string): string | undefined {
  const bic = text.replace(/\s/g, "").toUpperCase();
  return BIC.test(bic) ? bic : undefined;
}

/** `ES91 2100 0418 4502 0005 1332`, as people read and type it. */
export function spacedIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, "$1 ");
}

/** ISO 7064, MOD 97-10: country and check digits go to the end, letters count from 10 to 35. */
function remainderOf(iban: string): number {
  const turned = iban.slice(4) + iban.slice(0, 4);
  const digits = turned.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - LETTER_A));
  let remainder = 0;
  for (let at = 0; at < digits.length; at += CHUNK) {
    remainder = Number(`${remainder}${digits.slice(at, at + CHUNK)}`) % 97;
  }
  return remainder;
}
