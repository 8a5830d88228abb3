import type { Context } from "hono";
import { VIEWER_ASSETS } from "../../viewer/assets.ts";
import { gone, type Looked, languageOf, look, viewerResponse } from "../../viewer/look.ts";
import { viewerHtml, viewerPdf } from "../../viewer/viewer.tsx";
import type { AppEnv } from "../deps.ts";
import { COMMON_ERRORS, type Endpoint, endpoint } from "../endpoint.ts";

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
  const looked = await look(c);
  if (looked instanceof Response) return looked;
  const { token, framing, documents } = looked;
  const { views, isEcbRate, seller, orderReference } = documents;
  const shown = views.map((view) => ({ view, isEcbRate, pdfUrl: `/v/${token}/${view.fullNumber}.pdf` }));
  const { presentation } = framing;
  const options = { language: languageOf(c), presentation, seller, orderReference };
  const lines = views.reduce((sum, view) => sum + view.document.lineAmounts.length, 0);
  if (lines < LINES_OF_A_KEPT_PAGE) return viewerResponse(c, viewerHtml(shown, options));
  const made = JSON.stringify(["page", shown, options, versionOf(c)]);
  const draw = async () => new Uint8Array(new TextEncoder().encode(viewerHtml(shown, options)));
  return viewerResponse(c, await filed(c, looked, { made, draw }));
});

const viewerPdfOf = unlisted("viewerPdf", "/v/{token}/{file}", async (c) => {
  const looked = await look(c);
  if (looked instanceof Response) return looked;
  const { views, isEcbRate, orderReference } = looked.documents;
  const file = c.req.param("file");
  const view = views.find(({ fullNumber }) => `${fullNumber}.pdf` === file);
  if (!view) return gone(c);
  const options = { language: languageOf(c), isEcbRate, orderReference, creator: versionOf(c) };
  const headers = {
    "Content-Type": "application/pdf",
    "Content-Disposition": `attachment; filename="${view.fullNumber}.pdf"`,
    "X-Robots-Tag": "noindex",
    Vary: "Accept-Language",
  };
  const made = JSON.stringify([view, options]);
  return new Response(await filed(c, looked, { made, draw: () => viewerPdf(view, options) }), { headers });
});

function versionOf(c: Context<AppEnv>): string {
  const { name, version } = c.var.deps.software;
  return `${name} ${version}`;
}

interface Drawing {
  /** All inputs of the rendering; they are the file's name in the cache. */
  readonly made: string;
  readonly draw: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** A file is rendered once for each link; if it cannot be kept, it is rendered again. */
async function filed(c: Context<AppEnv>, { token, expiresAt }: Looked, { made, draw }: Drawing) {
  const kept = await readFile(c, token, made);
  if (kept) return kept;
  const bytes = await draw();
  const { snapshots, now, inBackground } = c.var.deps;
  const ttlSeconds = expiresAt - Math.ceil(now() / 1_000);
  inBackground(snapshots.keepFile(token, made, { bytes, ttlSeconds }).catch(() => undefined));
  return bytes;
}

/** A failing cache counts as a miss. */
async function readFile(c: Context<AppEnv>, token: string, name: string) {
  try {
    return await c.var.deps.snapshots.readFile(token, name);
  } catch {
    c.set("failureCause", "snapshot_read");
    return undefined;
  }
}

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

export const VIEWER_ENDPOINTS: readonly Endpoint[] = [viewerPage, viewerPdfOf, viewerElsewhere, ...assets];
