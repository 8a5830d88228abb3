/** What a line of a log tells of people, and what it gives away. */
import { isRecord, strangeMembers } from "./line-forms.ts";

/** Everything that the world of the tests calls a person, a company or a password. */
export interface Known {
  readonly words: ReadonlySet<string>;
  readonly phrases: readonly string[];
}

const SHAPES: Readonly<Record<string, RegExp>> = {
  "an API key": /ck_live_\w+/,
  "a signing secret": /whsec_[\w+/=]*/,
  "a viewer token": /\/v\/[\w-]{20,}|(?<![\w-])[\w-]{88,}(?![\w-])/,
  "an e-mail address": /[^\s@"<>:]+@[\w-]+(\.[\w-]+)+/,
  "a NIF": /(?<!\w)(\d{8}[A-HJ-NP-TV-Z]|[KLMXYZ]\d{7}[A-Z]|[A-HJNP-SUVW]\d{7}[\dA-J])(?!\w)/,
  "a session": /(session_token|Cookie|Set-Cookie)\S*/i,
  "a hash of a password": /scrypt\$\d\S*/,
  "the secret of the tests": /secret-of-the-tests/,
};

const WORD = /[\p{L}\p{N}]{3,}/gu;

export function findingsIn(text: string, known: Known): string[] {
  return text.split("\n").flatMap((line) => ofLine(line, known));
}

function ofLine(line: string, known: Known): string[] {
  if (line.trim() === "") return [];
  const record = recordIn(line);
  // Where mails are printed instead of sent, on a developer's machine, they are no lines of the log.
  if (record?.level === "mail") return [];
  return [...givenAway(line, known), ...(record ? strangeMembers(record) : ["no line of the log"])];
}

/** Of any text, such as what the runtime itself writes of an error. */
export function givenAway(text: string, { words, phrases }: Known): string[] {
  const shapes = Object.entries(SHAPES).flatMap(([name, shape]) => (shape.test(text) ? [name] : []));
  const named = (text.match(WORD) ?? []).some((word) => words.has(word))
    ? ["somebody's name or address"]
    : [];
  const said = phrases.some((phrase) => text.includes(phrase)) ? ["a password"] : [];
  return [...shapes, ...named, ...said];
}

/** As much of a line as tells where it comes from: whatever was found in it is named, not repeated. */
export function masked(text: string, { words, phrases }: Known): string {
  const record = recordIn(text);
  const strange = new Set(
    record ? strangeMembers(record).map((told) => told.slice(0, told.indexOf(":"))) : [],
  );
  const hide = (name: string, value: unknown) => (strange.has(name) ? `[${typeof value}]` : value);
  let line = record ? JSON.stringify(record, hide) : text;
  for (const phrase of phrases) line = line.replaceAll(phrase, "[a password]");
  for (const [name, shape] of Object.entries(SHAPES)) {
    line = line.replace(new RegExp(shape.source, `${shape.flags}g`), `[${name}]`);
  }
  return line.replace(WORD, (word) => (words.has(word) ? "[a name]" : word)).slice(0, MASKED_CHARACTERS);
}

const MASKED_CHARACTERS = 500;

function recordIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return isRecord(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
