/** Personal data and leaks in a line of a log. */

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

/** In any text, such as the runtime's own errors. */
export function givenAway(text: string, { words, phrases }: Known): string[] {
  const shapes = Object.entries(SHAPES).flatMap(([name, shape]) => (shape.test(text) ? [name] : []));
  const named = (text.match(WORD) ?? []).some((word) => words.has(word))
    ? ["somebody's name or address"]
    : [];
  const said = phrases.some((phrase) => text.includes(phrase)) ? ["a password"] : [];
  return [...shapes, ...named, ...said];
}

/** The part of a line that shows its origin: findings in it are named, not repeated. */
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

/**
 * The allowed members of a line of the product's log, each in its form. No form has room for words, so that
 * no personal data fits into one.
 */
type Form = RegExp | "number" | "boolean";

const CODE = /^[a-z][a-z0-9_]{0,59}$/;
const ID = (prefix: string) => new RegExp(`^${prefix}[0-9a-z]{19}$`);
/** A function of our code, and its place in the file. */
const FRAME = String.raw`([\w$.#<>]{1,60} \()?[\w./@-]{1,140}\.[cm]?[jt]sx?:\d+:\d+\)?`;
const DIGITS = /^-?\d{1,15}$/;

const FORMS: Readonly<Record<string, readonly Form[]>> = {
  // In every request: a UUID, a ULID or the digits of a trace, from any source.
  request_id: [
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i,
    /^[0-9a-f]{32}$/i,
  ],
  connection_id: [ID("cn")],
  account_id: [ID("ac")],
  // A pattern, as written in the source.
  route: [/^(\(none\)|[a-z0-9_:*{}./-]*)$/],
  method: [/^[A-Z]{1,10}$/],
  status: ["number"],
  error_code: [CODE],
  error_name: [/^[A-Za-z]{1,40}$/],
  cause: [CODE, /^[A-Za-z]{1,40}$/, /^(D1_\w+|invariant broken): [^"'`]{0,200}$/],
  frames: [new RegExp(`^${FRAME}( < ${FRAME}){0,11}$`)],
  duration_ms: ["number"],
  d1_trips: ["number"],
  // In alarms and events.
  ...Object.fromEntries(["level", "alarm", "event", "outcome", "result", "state", "reason"].map(asCode)),
  ...Object.fromEntries(["side", "part", "job", "file"].map(asCode)),
  error: [/^[A-Za-z]{1,40}$/, /^(D1_\w+|invariant broken): [^"'`]{0,200}$/],
  ledger: [/^[0-9a-z]{3}$/],
  // The name of one of the configuration.
  variable: [/^[A-Z][A-Z0-9_]{0,59}$/],
  attempt: ["number", ID("at")],
  webhook: [ID("wh")],
  // Of a webhook's event, and of a mail.
  delivery: [/^msg_[0-9a-z]{26}$/, ID("de")],
  code: ["number", DIGITS],
  detail: [/^status \d{3}$/, CODE],
  newest: [/^\d{4}-\d\d-\d\d$/],
  // In sign-ins: keyed hashes of an address and of a network.
  ...Object.fromEntries(["account_hash", "network_hash"].map((name) => [name, [/^[0-9a-f]{16}$/]])),
  // In submissions and groups: how many.
  ...Object.fromEntries(["records", "lines", "accepted", "acceptedWithErrors", "rejected"].map(asNumber)),
  ...Object.fromEntries(
    ["ours", "foreign", "unknown", "queries", "took_ms", "added", "count", "left", "d1_queries"].map(
      asNumber,
    ),
  ),
  ...Object.fromEntries(["lag_ms", "off_ms", "group"].map((name) => [name, [DIGITS]])),
  // Where the object's note and the books end.
  ...Object.fromEntries(["installation", "committed", "found"].map((name) => [name, [DIGITS]])),
  ...Object.fromEntries(["applied", "incident"].map((name) => [name, ["boolean"]])),
};

/** Members that hold members of their own. */
const NESTED = new Set(["duplicates"]);

/** Members that are not known, or not in their form; the value is not repeated. */
function strangeMembers(line: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(line).flatMap(([name, value]) => {
    if (NESTED.has(name) && isRecord(value)) return strangeMembers(value);
    const forms = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
    if (!forms) return [`${name}: a member that no line has`];
    return forms.some((form) => isOf(form, value)) ? [] : [`${name}: not in its form`];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOf(form: Form, value: unknown): boolean {
  if (typeof form === "string") return typeof value === form;
  return typeof value === "string" && form.test(value);
}

function asCode(name: string): [string, readonly Form[]] {
  return [name, [CODE]];
}

function asNumber(name: string): [string, readonly Form[]] {
  return [name, ["number"]];
}
