import type { HonoRequest } from "hono";
import type { Bilingual } from "../../words/words.ts";

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
