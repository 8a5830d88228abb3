/** An error in the log: its name, a message without values, and the places of our code that it passed. */
export interface Fault {
  readonly cause: string;
  readonly frames?: string;
}

/** Messages that hold no values but those that they quote; any other message may repeat a person's data. */
const KNOWN = /^(D1_\w+: |invariant broken: )/;
const QUOTE = /["'`]/;
const LONGEST = 200;

/** The database's message up to its first quote; of any other error the name alone. */
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

/** For alarms that name the error itself. */
export function namedFault(error: unknown): { readonly error: string; readonly frames?: string } {
  return { error: error instanceof Error ? error.name : "unknown", ...framesOf(error) };
}

const MOST_FRAMES = 12;
const FRAME =
  /^\s+at (?:async )?(?:new )?(?:(.*) \()?([^\s()]+\.[cm]?[jt]sx?)(?:\?[^\s():]*)?:(\d+):(\d+)\)?$/;
const IDENTIFIER = /^[\w$.#<>]{1,60}$/;
/** A developer's machine has folders before it; a bundle is one file. */
const OF_SOURCE = /(?:^|\/)((?:src|test|node_modules)\/[\w./@-]{1,120}|[\w.-]{1,60})$/;

/** Function, file, line and column of each call, the innermost first; absent if the error has no stack. */
export function framesOf(error: unknown): { readonly frames?: string } {
  if (!(error instanceof Error)) return {};
  const { message, stack = "" } = error;
  // A message may have lines that look like calls: frames are read behind its last character only.
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

/** A query's own error repeats its parameters; the cause behind it is the database's. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? error.cause : error;
}
