import type { Context } from "hono";
import type { OrderDocuments } from "../../db/access/snapshot-store.ts";
import { formatRefusals } from "../../domain/einvoice/formats.ts";
import { writeUbl } from "../../domain/einvoice/ubl/write-ubl.ts";
import { electronicInvoiceOf } from "../../domain/einvoice/view.ts";
import type { InvoiceView } from "../../domain/invoice/invoice-view.ts";
import { sha256Hex } from "../../domain/shared/hash.ts";
import type { Framing } from "../../domain/viewer/access.ts";
import type { Viewing, ViewingOutcome } from "../../ledger/access/customer-access.ts";
import { BRAKE_SECONDS, isBraked, networkIn } from "../../platform/brake.ts";
import { facturaeName } from "../../platform/facturae-file.ts";
import { VIEWER_ASSETS } from "../../viewer/assets.ts";
import {
  accentStylesheet,
  brakedHtml,
  goneHtml,
  unavailableHtml,
  viewerHtml,
  viewerLanguage,
  viewerPdf,
  viewerPolicy,
} from "../../viewer/viewer.tsx";
import { openToken } from "../../viewer/viewer-token.ts";
import type { AppEnv } from "../deps.ts";
import { COMMON_ERRORS, type Endpoint, endpoint } from "../endpoint.ts";
import { utf8, XML_TYPE } from "../invoice-files.ts";

/** Not part of the API: browsers of customers open it, with the URL from `invoice-access`. */
function unlisted(
  operationId: string,
  path: string,
  handle: (c: Context<AppEnv>) => Response | Promise<Response>,
): Endpoint {
  return endpoint({
    method: "GET",
    path,
    unlisted: true,
    doc: {
      operationId,
      tag: "Customer access",
      summary: operationId,
      description: "",
      needsKey: false,
      parameters: [],
      answers: {},
    },
    errors: COMMON_ERRORS,
    handle,
  });
}

/**
 * Below this number of lines, rendering a page is faster than reading it from the cache and decrypting it.
 */
const LINES_OF_A_KEPT_PAGE = 200;

const viewerPage = unlisted("viewerPage", "/v/{token}", async (c) => {
  const opened = await openViewer(c);
  if (opened instanceof Response) return opened;
  const { token, framing, documents } = opened;
  const { views, isEcbRate, seller, orderReference, look } = documents;
  const shown = views.map((view) => ({
    ...{ view, isEcbRate, pdfUrl: `/v/${token}/${view.fullNumber}.pdf` },
    formats: formatLinks(view, `/v/${token}/${view.fullNumber}`),
  }));
  const { presentation } = framing;
  c.set("showsLogo", look?.logo !== undefined);
  const options = {
    ...{ language: languageOf(c), presentation, seller, orderReference },
    ...(look ? { look } : {}),
    ...(look?.logo ? { logoUrl: `/brand/${look.logo.file}.png` } : {}),
  };
  const lines = views.reduce((sum, view) => sum + view.document.lineAmounts.length, 0);
  if (lines < LINES_OF_A_KEPT_PAGE) return viewerResponse(c, viewerHtml(shown, options));
  const made = JSON.stringify(["page", shown, options, versionOf(c)]);
  const draw = async () => new Uint8Array(new TextEncoder().encode(viewerHtml(shown, options)));
  return viewerResponse(c, await filed(c, opened, { made, draw }));
});

const viewerPdfOf = unlisted("viewerPdf", "/v/{token}/{file}", async (c) => {
  const opened = await openViewer(c);
  if (opened instanceof Response) return opened;
  const { views, isEcbRate, orderReference, look } = opened.documents;
  const file = c.req.param("file");
  const view = views.find(({ fullNumber }) => `${fullNumber}.pdf` === file);
  if (!view) return viewerElectronic(c, views, file ?? "");
  const { picture, ...printed } = await c.get("deps").brand.printed(look);
  const options = {
    ...{ language: languageOf(c), isEcbRate, orderReference, creator: versionOf(c) },
    ...printed,
  };
  const headers = {
    "Content-Type": "application/pdf",
    "Content-Disposition": `attachment; filename="${view.fullNumber}.pdf"`,
    "X-Robots-Tag": "noindex",
    Vary: "Accept-Language",
  };
  // The name of the logo is the hash of its pixels.
  const made = JSON.stringify([view, options]);
  const draw = () => viewerPdf(view, { ...options, ...(picture ? { picture } : {}) });
  return new Response(await filed(c, opened, { made, draw }), { headers });
});

/** Of the files for programs, those that can say the invoice. */
function formatLinks(view: InvoiceView, url: string) {
  const invoice = electronicInvoiceOf(view);
  const links = [
    { of: "ubl", format: "UBL", url: `${url}.ubl.xml` },
    { of: "facturae", format: "Facturae", url: `${url}.facturae.xml` },
  ] as const;
  return links.filter(({ of }) => formatRefusals(invoice, of).length === 0);
}

/** Facturae is served under either ending, because only the file itself says if it is signed. */
const ELECTRONIC_FILE = /^(?<number>.+)\.(?<format>ubl|facturae)\.(?<ending>xml|xsig)$/;

async function viewerElectronic(c: Context<AppEnv>, views: readonly InvoiceView[], file: string) {
  const { number, format, ending } = ELECTRONIC_FILE.exec(file)?.groups ?? {};
  const view = views.find(({ fullNumber }) => fullNumber === number);
  if (!view || (format === "ubl" && ending !== "xml")) return gone(c);
  const invoice = electronicInvoiceOf(view);
  const of = format === "ubl" ? "ubl" : "facturae";
  if (formatRefusals(invoice, of).length > 0) return gone(c);
  if (of === "ubl") {
    return electronicFile(utf8(writeUbl(invoice, { version: "ubl-2.1", profile: "en16931" })), {
      "Content-Disposition": `attachment; filename="${number}.ubl.xml"`,
    });
  }
  const made = await c.get("deps").facturae({ invoiceId: view.invoiceId, invoice });
  return electronicFile(made.bytes, {
    "Content-Disposition": `attachment; filename="${facturaeName(view.fullNumber, made)}"`,
    "Cuadre-Signature": made.signature,
  });
}

function electronicFile(bytes: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>): Response {
  return new Response(bytes, {
    headers: { "Content-Type": XML_TYPE, "X-Robots-Tag": "noindex", ...headers },
  });
}

function versionOf(c: Context<AppEnv>): string {
  const { name, version } = c.get("deps").software;
  return `${name} ${version}`;
}

interface Drawing {
  /** All inputs of the rendering; they are the file's name in the cache. */
  readonly made: string;
  readonly draw: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** A file is rendered once for each link; if it cannot be kept, it is rendered again. */
async function filed(c: Context<AppEnv>, { token, expiresAt }: OpenedViewer, { made, draw }: Drawing) {
  const kept = await readFile(c, token, made);
  if (kept) return kept;
  const bytes = await draw();
  const { snapshots, now, inBackground } = c.get("deps");
  const ttlSeconds = expiresAt - Math.ceil(now() / 1_000);
  inBackground(snapshots.keepFile(token, made, { bytes, ttlSeconds }).catch(() => undefined));
  return bytes;
}

/** A failing cache counts as a miss. */
async function readFile(c: Context<AppEnv>, token: string, name: string) {
  try {
    return await c.get("deps").snapshots.readFile(token, name);
  } catch {
    c.set("failureCause", "snapshot_read");
    return undefined;
  }
}

const FOR_EVER = "public, max-age=31536000, immutable";
const LOGO = /^(?<file>ac[0-9a-z]{1,40}\/[0-9a-f]{64})\.png$/;

/** A logo is public, as the invoices are that show it; its name says which bytes it has. */
const viewerLogo = unlisted("viewerLogo", "/brand/{account}/{file}", async (c) => {
  const { brand, views } = c.get("deps");
  const file = LOGO.exec(`${c.req.param("account")}/${c.req.param("file")}`)?.groups?.file;
  if (file === undefined) return gone(c);
  if (await isBraked(views.byNetwork, networkIn(c))) return braked(c);
  const bytes = await brand.readPng(file).catch(() => undefined);
  if (!bytes) return gone(c);
  return new Response(bytes, { headers: { "Content-Type": "image/png", "Cache-Control": FOR_EVER } });
});

const viewerAccent = unlisted("viewerAccent", "/accent/{file}", (c) => {
  const style = accentStylesheet(c.req.param("file") ?? "");
  if (style === undefined) return gone(c);
  return new Response(style, {
    headers: { "Content-Type": "text/css; charset=utf-8", "Cache-Control": FOR_EVER },
  });
});

/** After the other /v/ routes: a shortened or extended URL shows the same page as an expired one. */
const viewerElsewhere = unlisted("viewerElsewhere", "/v/*", (c) => gone(c));

const assets = Object.entries(VIEWER_ASSETS).map(([path, { contentType, cacheControl, body }]) => {
  const headers = { "Content-Type": contentType, "Cache-Control": cacheControl };
  // Unpacked once, because these public files have no limit on requests.
  let unpacked: Awaited<ReturnType<typeof body>> | undefined;
  return unlisted("viewerAsset", path, async () => {
    unpacked ??= await body();
    return new Response(unpacked, { headers });
  });
});

export const VIEWER_ENDPOINTS: readonly Endpoint[] = [
  ...[viewerPage, viewerPdfOf, viewerElsewhere],
  ...[viewerLogo, viewerAccent],
  ...assets,
];

interface OpenedViewer {
  readonly token: string;
  readonly framing: Framing;
  readonly documents: OrderDocuments;
  /** When the link ends, in whole seconds since 1970. */
  readonly expiresAt: number;
}

const RETRY_AFTER_SECONDS = 5;

/** The viewing of the token in the path; otherwise one page for every reason. */
async function openViewer(c: Context<AppEnv>): Promise<OpenedViewer | Response> {
  const { deps } = c.var;
  const token = c.req.param("token") ?? "";
  // A token is opened without a call to anybody, so that the brake can be asked at the same time.
  const [isTooOften, opened] = await Promise.all([
    isBraked(deps.views.byNetwork, networkIn(c)),
    openToken(token, { secrets: deps.viewerTokenSecrets }, deps.now()),
  ]);
  if (isTooOften) return braked(c);
  if (opened.is === "forged") return gone(c);
  const { grant } = opened;
  const { framing, connectionId, epoch, idExternal, expiresAt } = grant;
  frameBy(c, framing);
  if (opened.is === "over") return gone(c, 410);
  // Counted by its hash: the token itself opens the invoice and must appear only in its URL.
  if (await isBraked(deps.views.byLink, sha256Hex(token))) return braked(c);
  const viewing: Viewing = { connectionId, epoch, idExternal, withDocuments: false };
  const [kept, confirmed] = await Promise.all([snapshotOf(c, token), ask(c, viewing)]);
  if (confirmed.outcome !== "open") return notShown(c, confirmed);
  const known = kept ?? confirmed.documents;
  if (known) return { token, framing, documents: known, expiresAt };
  const read = await ask(c, { ...viewing, withDocuments: true });
  if (read.outcome !== "open") return notShown(c, read);
  return read.documents ? { token, framing, documents: read.documents, expiresAt } : gone(c);
}

/** A page of the viewer, under its own policy. */
function viewerResponse(
  c: Context<AppEnv>,
  html: string | Uint8Array<ArrayBuffer>,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(html, {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": viewerPolicy(c.get("framedBy"), status === 200 && c.get("showsLogo")),
      "X-Robots-Tag": "noindex",
      Vary: "Accept-Language",
      ...headers,
    },
  });
}

/** One page for unknown, expired and disabled links. */
function gone(c: Context<AppEnv>, status: 404 | 410 = 404): Response {
  return viewerResponse(c, goneHtml(languageOf(c)), { status });
}

function languageOf(c: Context<AppEnv>) {
  return viewerLanguage(c.req.header("Accept-Language"));
}

function braked(c: Context<AppEnv>): Response {
  c.set("errorCode", "rate_limited");
  const headers = { "Retry-After": String(BRAKE_SECONDS) };
  return viewerResponse(c, brakedHtml(languageOf(c)), { status: 429, headers });
}

function frameBy(c: Context<AppEnv>, framing: Framing): void {
  if (framing.presentation === "embed") c.set("framedBy", framing.origin);
}

/** A failing cache counts as a miss. */
async function snapshotOf(c: Context<AppEnv>, token: string): Promise<OrderDocuments | undefined> {
  try {
    return await c.get("deps").snapshots.read(token);
  } catch {
    c.set("failureCause", "snapshot_read");
    return undefined;
  }
}

async function ask(c: Context<AppEnv>, viewing: Viewing): Promise<ViewingOutcome> {
  const outcome = await c.get("deps").connection(viewing.connectionId).viewInvoices(viewing);
  c.set("d1Trips", (c.get("d1Trips") ?? 0) + outcome.d1Trips);
  return outcome;
}

/** No document is shown while access cannot be confirmed. */
function notShown(c: Context<AppEnv>, outcome: Exclude<ViewingOutcome, { outcome: "open" }>): Response {
  if (outcome.outcome === "closed") return gone(c);
  c.set("failureCause", outcome.cause);
  const seconds = outcome.outcome === "unavailable" ? outcome.retryAfterSeconds : RETRY_AFTER_SECONDS;
  const headers = { "Retry-After": String(Math.max(1, Math.ceil(seconds))) };
  return viewerResponse(c, unavailableHtml(languageOf(c)), { status: 503, headers });
}
