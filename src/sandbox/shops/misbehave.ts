/** Answers that a shop should not give: the next calls of its API get them. */
import { json } from "./shop.ts";

export interface Misbehaviour {
  /** 0 breaks the connection. */
  readonly status: number;
  readonly times: number;
}

/** `"cut"`: the connection ends without an answer. */
export type Answered = Response | "cut";

export function wrongAnswer(status: number, shopsUrl: string): Answered {
  if (status === 0) return "cut";
  const html = { "Content-Type": "text/html; charset=utf-8" };
  if (status === 204 || status === 304) return new Response(null, { status });
  if (status < 300) return new Response(page("En mantenimiento"), { status, headers: html });
  if (status < 400) {
    return new Response(null, { status, headers: { Location: `${shopsUrl}/redirected` } });
  }
  if (status === 429 || status === 503) {
    return new Response(page("Demasiadas peticiones"), { status, headers: { ...html, "Retry-After": "2" } });
  }
  if (status < 500) return json({ message: `Error ${status}` }, status);
  return new Response(page(`Error ${status}`), { status, headers: html });
}

function page(title: string): string {
  const head = `<!DOCTYPE html><html lang="es"><head><title>${title}</title></head>`;
  return `${head}<body><h1>${title}</h1></body></html>`;
}
