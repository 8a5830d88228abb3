import type { HonoRequest } from "hono";
import type { Bilingual } from "../../words/words.ts";
import { DEEPEST_NESTING, faultOfJson } from "./json-fault.ts";

type ReadJson = { readonly tree: unknown } | { readonly fault: Bilingual };

/** The one value of a body, as `parse` reads it, or what makes it none of ours. */
export function readJson(bytes: Uint8Array, parse: (text: string) => unknown): ReadJson {
  const text = textOf(bytes);
  if (text === undefined) return { fault: { en: "it is not UTF-8", es: "no es UTF-8" } };
  if (text.trim() === "") return { fault: { en: "it is empty", es: "está vacío" } };
  // JSON.parse would blame an invisible character; a mark of byte order is never valid JSON (RFC 8259, 8.1).
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

/** Says where, not what: the engine's own message would quote the caller's text. */
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

/** `json()` is generic over what its caller expects; the contract behind it checks what it really is. */
export function giveJson(request: HonoRequest, read: () => Promise<unknown>): void {
  request.json = async <Expected>() => (await read()) as Expected;
}
