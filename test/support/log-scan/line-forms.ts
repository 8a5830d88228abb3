/**
 * What may stand in a line of the product's log: members that are known, each in its form. No form has room for
 * words, so that nobody's data fits into one.
 */
type Form = RegExp | "number" | "boolean";

const CODE = /^[a-z][a-z0-9_]{0,59}$/;
const ID = (prefix: string) => new RegExp(`^${prefix}[0-9a-z]{19}$`);
/** A function of our code, and where it stands in its file. */
const FRAME = String.raw`([\w$.#<>]{1,60} \()?[\w./@-]{1,140}\.[cm]?[jt]sx?:\d+:\d+\)?`;
const DIGITS = /^-?\d{1,15}$/;

const FORMS: Readonly<Record<string, readonly Form[]>> = {
  // Of every request: a UUID, a ULID or the digits of a trace, whoever made it.
  request_id: [
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i,
    /^[0-9a-f]{32}$/i,
  ],
  connection_id: [ID("cn")],
  // A pattern, as it stands in the source.
  route: [/^(\(none\)|[a-z0-9_:*{}./-]*)$/],
  method: [/^[A-Z]{1,10}$/],
  status: ["number"],
  error_code: [CODE],
  error_name: [/^[A-Za-z]{1,40}$/],
  cause: [CODE, /^[A-Za-z]{1,40}$/, /^(D1_\w+|invariant broken): [^"'`]{0,200}$/],
  frames: [new RegExp(`^${FRAME}( < ${FRAME}){0,11}$`)],
  duration_ms: ["number"],
  d1_trips: ["number"],
  // Of alarms and events.
  ...Object.fromEntries(["level", "alarm", "event", "outcome", "result", "state", "reason"].map(asCode)),
  ...Object.fromEntries(["side", "part", "job", "file"].map(asCode)),
  error: [/^[A-Za-z]{1,40}$/, /^(D1_\w+|invariant broken): [^"'`]{0,200}$/],
  ledger: [/^[0-9a-z]{3}$/],
  // The name of one of the configuration.
  variable: [/^[A-Z][A-Z0-9_]{0,59}$/],
  attempt: ["number", ID("at")],
  webhook: [ID("wh")],
  delivery: [/^msg_[0-9a-z]{26}$/],
  code: ["number", DIGITS],
  detail: [/^status \d{3}$/, CODE],
  newest: [/^\d{4}-\d\d-\d\d$/],
  // Of sign-ins: keyed hashes of an address and of a network.
  ...Object.fromEntries(["account_hash", "network_hash"].map((name) => [name, [/^[0-9a-f]{16}$/]])),
  // Of submissions and groups: how many.
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
export function strangeMembers(line: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(line).flatMap(([name, value]) => {
    if (NESTED.has(name) && isRecord(value)) return strangeMembers(value);
    const forms = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
    if (!forms) return [`${name}: a member that no line has`];
    return forms.some((form) => isOf(form, value)) ? [] : [`${name}: not in its form`];
  });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
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
