import type { Refusal } from "../rules/check.ts";
import { escaped, SOAP } from "../xml/xml.ts";
import { describe } from "./error-texts.ts";

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

/** A refused message: a SOAP fault with the code in its text. */

/** The service's own failure: the same message may be sent again. */
const TECHNICAL = [102, 103, 3500, 3501, 4103, 4108, 4110, 4111, 4118, 4128, 4134];

export function faultAnswer(refusal: Refusal, status: number): Answer {
  const side = TECHNICAL.includes(refusal.code) ? "Server" : "Client";
  const text = `Codigo[${refusal.code}].${describe(refusal)}`;
  return xmlAnswer(
    `<?xml version="1.0" encoding="UTF-8"?>` +
      `<env:Envelope xmlns:env="${SOAP}"><env:Body><env:Fault><faultcode>env:${side}</faultcode>` +
      `<faultstring>${escaped(text)}</faultstring></env:Fault></env:Body></env:Envelope>`,
    status,
  );
}
