/**
 * The policy that refuses passwords which are easy to guess. Every step takes time in proportion to the
 * length of the password, and the length is checked first.
 */
import { PASSWORD } from "../limits.ts";
import { err, ok, type Result } from "../shared/result.ts";

export type PasswordRefusal = "password_too_short" | "password_too_long" | "password_guessable";

/** The person of the password, as stored. */
export interface KnownOf {
  readonly email: string;
  readonly name: string;
  readonly product: string;
}

/** Length is checked before anything is computed and before a list is loaded. */
export function lengthRefusal(password: string): PasswordRefusal | undefined {
  if (password.length > PASSWORD.mostBytes || utf8Bytes(password) > PASSWORD.mostBytes)
    return "password_too_long";
  const characters = [...password].length;
  if (characters > PASSWORD.mostCharacters) return "password_too_long";
  return characters < PASSWORD.fewestCharacters ? "password_too_short" : undefined;
}

/** A text as the list of common passwords holds it. */
export type IsListed = (form: string) => boolean;

export function judgePassword(
  password: string,
  known: KnownOf,
  isListed: IsListed,
): Result<undefined, PasswordRefusal> {
  const refused = lengthRefusal(password);
  if (refused) return err(refused);
  return isGuessable(password, known, isListed) ? err("password_guessable") : ok(undefined);
}

/** Shorter ones are found by trying them all. */
export const FEWEST_LEFT = 6;

function isGuessable(password: string, known: KnownOf, isListed: IsListed): boolean {
  const folded = fold(password);
  const core = collapse(undoLookAlikes(strip(folded)));
  if (core.length < FEWEST_LEFT || isRun(folded) || isRun(strip(folded))) return true;
  if (strip(besides(folded, known)).length < FEWEST_LEFT) return true;
  return listedForms(password).some(isListed);
}

/**
 * The forms to look up in the list: whole and trimmed to its letters, each also without look-alikes and
 * repetition. Forms that are too short are dropped.
 */
export function listedForms(text: string): readonly string[] {
  const folded = fold(text);
  const forms = [
    undoLookAlikes(folded),
    undoLookAlikes(strip(folded)),
    strip(undoLookAlikes(folded)),
    undoLookAlikes(stripEnd(folded)),
  ];
  const whole = forms.map(collapse).filter((form) => form.length >= FEWEST_LEFT);
  return [...new Set(whole)];
}

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...{ "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "9": "g" },
  ...{ "@": "a", "€": "e", "!": "i", "|": "i", $: "s", "+": "t", l: "i" },
};

/** Replaces signs that look like letters. A sign like two letters, such as `1`, makes those two equal. */
function undoLookAlikes(folded: string): string {
  return folded.replace(/[01345789@€!|$+l]/g, (sign) => LOOK_ALIKES[sign] ?? sign);
}

/** Removes other characters than letters at both ends. */
function strip(text: string): string {
  const characters = [...stripEnd(text)];
  return characters.slice(Math.max(0, characters.findIndex(isLetter))).join("");
}

function stripEnd(text: string): string {
  const characters = [...text];
  return characters.slice(0, characters.findLastIndex(isLetter) + 1).join("");
}

const LETTER = /\p{L}/u;
const isLetter = (character: string) => LETTER.test(character);

/** `aaaa` as `a`, `sunsunsu` as `sun`. */
function collapse(text: string): string {
  const short = text.replace(/(.)\1{2,}/gsu, "$1");
  const period = periodOf(short);
  return period * 2 <= short.length ? short.slice(0, period) : short;
}

/** After how many characters it begins again, to its end; its length where it does not. */
function periodOf(text: string): number {
  const borders: number[] = [0];
  let border = 0;
  for (let index = 1; index < text.length; index++) {
    while (border > 0 && text[index] !== text[border]) border = borders[border - 1] ?? 0;
    if (text[index] === text[border]) border += 1;
    borders.push(border);
  }
  return text.length - border;
}

/** Neighbours in the alphabet, in numbers, or on a keyboard, in one direction: `abcdefghijkl`. */
function isRun(text: string): boolean {
  const characters = [...text];
  if (characters.length < 2) return false;
  return [codeOf, (character: string) => KEYBOARD.indexOf(character)].some((placeOf) => {
    const places = characters.map(placeOf);
    const steps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
    const inOneDirection = (step: number) => steps.filter((one) => one === step).length;
    return Math.max(inOneDirection(1), inOneDirection(-1)) >= steps.length - 1;
  });
}

const KEYBOARD = "qwertyuiopasdfghjklzxcvbnm";

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** The password without the words of the person's address and name and without the product's name. */
function besides(folded: string, { email, name, product }: KnownOf): string {
  const parts = [email, name, product].flatMap((known) => {
    const whole = fold(known);
    return [whole, ...whole.split(/[^\p{L}\p{N}]+/u)];
  });
  return [...new Set(parts)]
    .filter((part) => part.length > 2)
    .sort((a, b) => b.length - a.length)
    .reduce((left, part) => left.replaceAll(part, ""), folded);
}

function utf8Bytes(text: string): number {
  let size = 0;
  for (const character of text) {
    const code = codeOf(character);
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
  }
  return size;
}
