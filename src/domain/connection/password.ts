export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;
const FEWEST_DIFFERENT = 5;

/** Of twelve characters and more, the ones that are tried first. Lower case. */
const TRIED_FIRST = [
  "123456789012",
  "1234567890123",
  "contraseña123",
  "contrasena123",
  "contraseñacontraseña",
  "contrasenacontrasena",
  "password1234",
  "passwordpassword",
  "qwertyuiop123",
  "qwertyuiopasdf",
  "administrador",
  "iloveyou1234",
];

/** Whether somebody who knows the person would find the password soon. Length is checked apart. */
export function isGuessable(password: string, knownOf: readonly string[]): boolean {
  const folded = fold(password);
  if (new Set(folded).size < FEWEST_DIFFERENT || TRIED_FIRST.includes(folded)) return true;
  if (isRun(folded)) return true;
  const rest = knownOf
    .flatMap((known) => [fold(known), ...fold(known).split(/[^\p{L}\p{N}]+/u)])
    .filter((known) => known.length > 2)
    .sort((a, b) => b.length - a.length)
    .reduce((left, known) => left.replaceAll(known, ""), folded);
  // What is left besides name and address is too little to be looked for.
  return rest.length < FEWEST_DIFFERENT;
}

/** `abcdefghijkl`, `210987654321`. */
function isRun(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  const inOneDirection = (step: number) => steps.filter((one) => one === step).length;
  return Math.max(inOneDirection(1), inOneDirection(-1)) >= steps.length - 1;
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase().trim();
}
