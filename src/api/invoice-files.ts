import type { Context } from "hono";
import type { Format, FormatReason } from "../domain/einvoice/formats.ts";
import { sha256OfBytes } from "../domain/shared/hash.ts";
import type { IssuedOutcome } from "../ledger/core/outcomes.ts";
import { viewerPdf } from "../viewer/viewer.tsx";
import { formatReasonSentence, type Language } from "../words/words.ts";
import type { AppEnv } from "./deps.ts";
import type { AnswerDoc, FileHeader } from "./endpoint.ts";
import { callObject } from "./keyed-request.ts";
import { refuse, refuseAtGate } from "./refuse.ts";
import { invoiceIdInPath } from "./wire/parameters.ts";

/** An invoice of the connection, and what its order adds to the PDF. */
export type Issued = Extract<IssuedOutcome, { readonly outcome: "found" }>;

/** The invoice of the path, or the answer that there is none. */
export async function readIssued(
  c: Context<AppEnv>,
  also?: { readonly deliveries: true },
): Promise<Issued | Response> {
  const asSent = c.req.path.split("/")[4] ?? "";
  const unknown = () => refuse(c, "invoice_not_found", { facts: { external_id: asSent } });
  const invoiceId = invoiceIdInPath(c);
  if (invoiceId === undefined) return unknown();
  const outcome = await callObject(c, (calls, caller) => calls.readIssued(caller, invoiceId, also));
  if (outcome.outcome === "found") return outcome;
  return outcome.outcome === "unknown" ? unknown() : refuseAtGate(c, outcome);
}

/** The same bytes that its customer gets from the viewer. */
export async function pdfOf(c: Context<AppEnv>, { invoice, order, look }: Issued, language: Language) {
  const { brand, software } = c.get("deps");
  const creator = `${software.name} ${software.version}`;
  return viewerPdf(invoice, { language, ...order, ...(await brand.printed(look)), creator });
}

export interface InvoiceFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its name when it is saved. */
  readonly name: string;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const XML_TYPE = "application/xml; charset=utf-8";

/** The headers that `fileResponse` gives to every file. */
const FILE_HEADERS = {
  ETag: {
    description:
      "The SHA-256 of the bytes. A request with it in If-None-Match is answered with 304 and no body.",
    required: true,
    schema: { type: "string", pattern: '^"[0-9a-f]{64}"$' },
  },
  "Content-Disposition": {
    description: "attachment, with the name of the file.",
    required: true,
    schema: { type: "string", pattern: '^attachment; filename=".+"$' },
  },
} as const satisfies Readonly<Record<string, FileHeader>>;

/** The header tells a caller, who has not opened the file, whether a signature is in it. */
export const SIGNATURE_HEADER = {
  "Cuadre-Signature": {
    description: "xades-epes if the file is signed, none if the service has no certificate for it.",
    required: true,
    schema: { type: "string", enum: ["xades-epes", "none"] },
  },
} as const satisfies Readonly<Record<string, FileHeader>>;

/** The published answer of an endpoint that ends in `fileResponse`, with headers that it adds. */
export function fileAnswer(
  { description, contentType }: { readonly description: string; readonly contentType: string },
  headers: Readonly<Record<string, FileHeader>> = {},
): AnswerDoc {
  return { description, contentType, headers: { ...FILE_HEADERS, ...headers } };
}

/** A file to be saved, with the hash of its bytes as its tag; 304 for a caller who has these bytes. */
export function fileResponse(
  c: Context<AppEnv>,
  { bytes, name, contentType, headers }: InvoiceFile,
): Response {
  const tag = `"${sha256OfBytes(bytes)}"`;
  const known = (c.req.header("If-None-Match") ?? "").split(",").map((each) => each.trim());
  const all = { ETag: tag, "Cache-Control": "no-store", ...headers };
  if (known.includes(tag) || known.includes("*")) return new Response(null, { status: 304, headers: all });
  return new Response(bytes, {
    headers: {
      ...all,
      "Content-Type": contentType,
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}

/** 422 with each reason why the format cannot say the invoice. */
export function refuseFormat(c: Context<AppEnv>, format: Format, reasons: readonly FormatReason[]): Response {
  const details = reasons.map((code) => ({
    path: format,
    code,
    message: formatReasonSentence(code, c.get("language")),
  }));
  return refuse(c, "format_cannot_express", { facts: { format }, details });
}
