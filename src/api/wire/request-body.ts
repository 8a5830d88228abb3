import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import type { Facts } from "../../domain/shared/fact.ts";
import { type ReadBound, type ReadBytes, readAtMost } from "../../platform/limits.ts";
import { type Bilingual, errorSentence, type Language } from "../../words/words.ts";
import type { ErrorParticulars } from "./json.ts";

type ReadJson = { readonly tree: unknown } | { readonly fault: Bilingual };

/** The value of a body as `parse` reads it, or the reason why it is not valid. */
export function readJson(bytes: Uint8Array, parse: (text: string) => unknown): ReadJson {
  const text = textOf(bytes);
  if (text === undefined) return { fault: { en: "it is not UTF-8", es: "no es UTF-8" } };
  if (text.trim() === "") return { fault: { en: "it is empty", es: "está vacío" } };
  // JSON.parse would name an invisible character; a byte order mark is never valid JSON (RFC 8259, 8.1).
  if (text.startsWith("\uFEFF")) {
    return {
      fault: { en: "it begins with a byte order mark", es: "empieza con una marca de orden de bytes" },
    };
  }
  const syntax = syntaxFault(text);
  if (syntax) return { fault: syntax };
  const fault = faultOfJson(text);
  if (!fault) return { tree: parse(text) };
  if (fault.kind === "too_deep") {
    return {
      fault: { en: `more than ${DEEPEST_NESTING} levels deep`, es: `más de ${DEEPEST_NESTING} niveles` },
    };
  }
  const name = fault.member.toWellFormed();
  return { fault: { en: `“${name}” stands twice`, es: `«${name}» está dos veces` } };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Gives the position only: the engine's own message would quote the caller's text. */
function syntaxFault(text: string): Bilingual | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const position = error instanceof SyntaxError ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    if (position === undefined) return { en: "syntax error", es: "error de sintaxis" };
    return { en: `syntax error at position ${position}`, es: `error de sintaxis en la posición ${position}` };
  }
}

/** `json()` is generic over the type that its caller expects; the contract later checks the value. */
export function giveJson(request: HonoRequest, read: () => Promise<unknown>): void {
  request.json = async <Expected>() => (await read()) as Expected;
}

/** Why a text is not a valid request although JSON.parse accepts it. */
type JsonFault =
  | { readonly kind: "repeated_member"; readonly member: string }
  | { readonly kind: "too_deep" };

/** Far deeper than any valid request; a reviver recurses, so depth must be limited. */
const DEEPEST_NESTING = 32;

/**
 * JSON.parse silently keeps the last of two members with one name, which a fiscal request must not allow. The
 * text was parsed before, so the scan need not prove that it is JSON.
 */
export function faultOfJson(text: string): JsonFault | undefined {
  const open: (Set<string> | undefined)[] = [];
  let nameIsNext = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      const members = open.at(-1);
      if (nameIsNext && members) {
        const member = stringAt(text, at, end);
        if (members.has(member)) return { kind: "repeated_member", member };
        members.add(member);
      }
      nameIsNext = false;
      at = end;
    } else if (character === "{" || character === "[") {
      open.push(character === "{" ? new Set() : undefined);
      if (open.length > DEEPEST_NESTING) return { kind: "too_deep" };
      nameIsNext = character === "{";
    } else if (character === "}" || character === "]") {
      open.pop();
    } else if (character === ",") {
      nameIsNext = open.at(-1) !== undefined;
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** Names are compared unescaped: "\u0061" is "a". */
function stringAt(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  return raw.includes("\\") ? String(JSON.parse(text.slice(start, end + 1))) : raw;
}

interface BodyBound extends Required<ReadBound> {
  /** Reads a body also if its declared length is too large, because a proxy in front waits for that. */
  readonly isBehindProxy: boolean;
}

/**
 * The body of a request; its declared length is checked first. Bytes above the limit are read and dropped:
 * workerd takes an unfinished body for a lost connection, and fails the next request.
 */
export async function bodyWithin(request: Request, bound: BodyBound): Promise<ReadBytes> {
  const { body, headers } = request;
  const { mostBytes, drainedBytes, isBehindProxy } = bound;
  const isDeclaredTooLarge = Number(headers.get("Content-Length") ?? 0) > mostBytes;
  if (isDeclaredTooLarge && !isBehindProxy) return { sizeBytes: 0 };
  const read = body ? await readAtMost(body, { mostBytes, drainedBytes }) : { bytes: NONE, sizeBytes: 0 };
  return isDeclaredTooLarge ? { sizeBytes: read.sizeBytes } : read;
}

const NONE = new Uint8Array();

/** The limit of the route, for the refusal. */
export function tooLarge(mostBytes: number, language: Language): ErrorParticulars {
  const facts: Facts = { limit: { phrase: "bytes", count: { amount: String(mostBytes) } } };
  const message = errorSentence("payload_too_large", facts, language);
  return { facts, details: [{ path: "", code: "payload_too_large", message }] };
}

/** The most that is still read of a refused body. */
const MOST_DRAINED_BYTES = 4_194_304;

export interface BodyVariables {
  /** Why the body is not valid JSON for us; set once a handler asks for it. */
  readonly jsonFault: Bilingual | undefined;
}

/** Reads a request body up to a limit: a larger one is refused before any work is done on it. */
export function boundedBody(
  mostBytesOf: (c: Context) => number,
  // biome-ignore lint/suspicious/noExplicitAny: any app may mount it
  refuseBody: (c: Context<any>, mostBytes: number) => Response,
): MiddlewareHandler<{ Variables: BodyVariables }> {
  return async (c, next) => {
    if (!c.req.raw.body) return next();
    const mostBytes = mostBytesOf(c);
    const bound = { mostBytes, drainedBytes: MOST_DRAINED_BYTES, isBehindProxy: true };
    const { bytes } = await bodyWithin(c.req.raw, bound);
    if (bytes === undefined) return refuseBody(c, mostBytes);
    c.req.raw = new Request(c.req.raw, { body: bytes });
    giveJson(c.req, async () => {
      const read = readJson(bytes, JSON.parse);
      if ("tree" in read) return read.tree;
      c.set("jsonFault", read.fault);
      throw new SyntaxError("the body is no JSON of ours");
    });
    return next();
  };
}
