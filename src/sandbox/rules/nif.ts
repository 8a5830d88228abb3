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
