/** An error in the log: its name, a message without values, and our code locations that it passed. */
export interface Fault {
  readonly cause: string;
  readonly frames?: string;
}

/** Messages without values except quoted ones; any other message may repeat personal data. */
const KNOWN = /^(D1_\w+: |invariant broken: )/;
const QUOTE = /["'`]/;
const LONGEST = 200;

/** The database's message up to its first quote; for any other error only the name. */
export function withoutValues(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { message, name } = rootOf(error);
  if (!KNOWN.test(message)) return name;
  const [kept = "", ...quoted] = message.slice(0, LONGEST).split(QUOTE);
  return quoted.length > 0 ? `${kept}…` : kept;
}

export function faultOf(error: unknown): Fault {
  return { cause: withoutValues(error), ...framesOf(error) };
}

/** For alarms that include the error's name. */
export function namedFault(error: unknown): { readonly error: string; readonly frames?: string } {
  return { error: error instanceof Error ? error.name : "unknown", ...framesOf(error) };
}

const MOST_FRAMES = 12;
const FRAME =
  /^\s+at (?:async )?(?:new )?(?:(.*) \()?([^\s()]+\.[cm]?[jt]sx?)(?:\?[^\s():]*)?:(\d+):(\d+)\)?$/;
const IDENTIFIER = /^[\w$.#<>]{1,60}$/;
/** On a developer's machine folders precede the path; a bundle is one file. */
const OF_SOURCE = /(?:^|\/)((?:src|test|node_modules)\/[\w./@-]{1,120}|[\w.-]{1,60})$/;

/** Function, file, line and column of each call, the innermost first; absent if the error has no stack. */
export function framesOf(error: unknown): { readonly frames?: string } {
  if (!(error instanceof Error)) return {};
  const { message, stack = "" } = error;
  // A message may have lines that look like calls, so frames are read only after its last character.
  const messageAt = stack.indexOf(message);
  if (messageAt < 0) return {};
  const frames = stack
    .slice(messageAt + message.length)
    .split("\n")
    .flatMap(frameIn)
    .slice(0, MOST_FRAMES);
  return frames.length > 0 ? { frames: frames.join(" < ") } : {};
}

function frameIn(line: string): string[] {
  const [, called = "", path = "", row, column] = FRAME.exec(line) ?? [];
  const file = OF_SOURCE.exec(path)?.[1];
  if (file === undefined) return [];
  const place = `${file}:${row}:${column}`;
  return [IDENTIFIER.test(called) ? `${called} (${place})` : place];
}

/** A query's own error repeats its parameters; its cause is the database's error. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? error.cause : error;
}

/** One line of the log. It holds no key, no token, no external_id and no personal data. */
export interface RequestLogLine {
  readonly request_id: string;
  readonly connection_id?: string;
  /** The pattern of the route, never the requested path. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly error_code?: string;
  readonly error_name?: string;
  readonly cause?: string;
  /** The places in our code that an uncaught error passed through. */
  readonly frames?: string;
  readonly duration_ms: number;
  readonly d1_trips: number;
}

/**
 * Forms of a caller's X-Request-Id that the log may repeat, because they hold no name, address or key. UUID,
 * ULID, and the 32 hexadecimal digits of a trace.
 */
const FORMS = [
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i,
  /^[0-9a-f]{32}$/i,
];

/** Any other id is only echoed in the answer; the log gets a generated one. */
export function loggedRequestId(id: string, randomId: () => string): string {
  return FORMS.some((form) => form.test(id)) ? id : randomId();
}
