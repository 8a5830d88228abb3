/** The HTTP answer, before it becomes a Response. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly location?: string;
  /** The connection breaks before the end of the body. */
  readonly isBroken?: boolean;
}

export function xmlAnswer(body: string, status = 200): Answer {
  return { status, contentType: "text/xml; charset=utf-8", body };
}

export function htmlAnswer(body: string, status: number): Answer {
  return { status, contentType: "text/html; charset=utf-8", body };
}

export function toResponse({ status, contentType, body, location }: Answer): Response {
  const headers: Record<string, string> = { "Content-Type": contentType, "Cache-Control": "no-store" };
  if (location !== undefined) headers.Location = location;
  return new Response(body, { status, headers });
}
