import type { Context } from "hono";
import type { AppEnv } from "../deps.ts";
import { COMMON_ERRORS, type Endpoint } from "../endpoint.ts";
import { VIEWER_ASSETS } from "../viewer/assets.ts";
import { gone, languageOf, look, viewerResponse } from "../viewer/look.ts";
import { viewerHtml, viewerPdf } from "../viewer/viewer.tsx";

/** Not of the API: browsers of customers, who got the URL from `invoice-access`. */
function unlisted(operationId: string, path: string, mount: Endpoint["mount"]): Endpoint {
  const doc: Endpoint["doc"] = {
    operationId,
    tag: "Customer access",
    summary: operationId,
    description: "",
    needsKey: false,
    parameters: [],
    answers: {},
    errors: COMMON_ERRORS,
  };
  return { method: "GET", path, unlisted: true, doc, mount };
}

const viewerPage = unlisted("viewerPage", "/v/{token}", (app, path) => {
  app.get(path, async (c) => {
    const looked = await look(c);
    if (looked instanceof Response) return looked;
    const { token, framing, documents } = looked;
    const { views, isEcbRate, seller, orderReference } = documents;
    const shown = views.map((view) => ({ view, isEcbRate, pdfUrl: `/v/${token}/${view.fullNumber}.pdf` }));
    const { presentation } = framing;
    const html = viewerHtml(shown, { language: languageOf(c), presentation, seller, orderReference });
    return viewerResponse(c, html);
  });
});

const viewerPdfOf = unlisted("viewerPdf", "/v/{token}/{file}", (app, path) => {
  app.get(path, async (c) => {
    const looked = await look(c);
    if (looked instanceof Response) return looked;
    const { views, isEcbRate, orderReference } = looked.documents;
    const file = c.req.param("file");
    const view = views.find(({ fullNumber }) => `${fullNumber}.pdf` === file);
    if (!view) return gone(c);
    const { name, version } = c.var.deps.software;
    const creator = `${name} ${version}`;
    const options = { language: languageOf(c), isEcbRate, orderReference, creator };
    const headers = {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${view.fullNumber}.pdf"`,
      "X-Robots-Tag": "noindex",
      Vary: "Accept-Language",
    };
    const { token, expiresAt } = looked;
    const made = JSON.stringify([view, options]);
    const kept = await filed(c, token, made);
    const bytes = kept ?? (await viewerPdf(view, options));
    if (!kept) {
      const { snapshots, now, inBackground } = c.var.deps;
      const ttlSeconds = expiresAt - Math.ceil(now() / 1_000);
      // One that is not kept is made again.
      inBackground(snapshots.keepFile(token, made, { bytes, ttlSeconds }).catch(() => undefined));
    }
    return new Response(bytes, { headers });
  });
});

/**
 * A file is drawn once for each link: what it is drawn of is its name. A cache that fails is one that
 * misses.
 */
async function filed(c: Context<AppEnv>, token: string, name: string) {
  try {
    return await c.var.deps.snapshots.readFile(token, name);
  } catch {
    c.set("failureCause", "snapshot_read");
    return undefined;
  }
}

/** Last of them: a URL that was cut or grown leads to the same page as any that shows nothing. */
const viewerElsewhere = unlisted("viewerElsewhere", "/v/*", (app, path) => {
  app.get(path, (c) => gone(c));
});

const assets = Object.entries(VIEWER_ASSETS).map(([path, { contentType, cacheControl, body }]) =>
  unlisted("viewerAsset", path, (app, pattern) => {
    const headers = { "Content-Type": contentType, "Cache-Control": cacheControl };
    // Unpacked once, because anybody may ask as often as they like.
    let unpacked: Awaited<ReturnType<typeof body>> | undefined;
    app.get(pattern, async () => {
      unpacked ??= await body();
      return new Response(unpacked, { headers });
    });
  }),
);

export const VIEWER_ENDPOINTS: readonly Endpoint[] = [viewerPage, viewerPdfOf, viewerElsewhere, ...assets];
