import { Hono } from "hono";
import { securityHeaders } from "../platform/security-headers.ts";
import { preferredLanguage } from "../words/words.ts";
import type { AppDeps, AppEnv } from "./deps.ts";
import type { App, Endpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { otherMethods } from "./middleware/other-methods.ts";
import { requestId } from "./middleware/request-id.ts";
import { requestLog } from "./middleware/request-log.ts";
import { openApiDocument } from "./openapi/document.ts";
import type { OpenApiDocument } from "./openapi/format.ts";
import { refuse } from "./refuse.ts";

/** The HTTP edge: everything that it touches of the outside is in `deps`. */
export function createApp(deps: AppDeps): App {
  const app: App = new Hono<AppEnv>({ getPath: encodedPath });
  const openApi = once(() => openApiDocument(ENDPOINTS, deps.software));
  app.use(async (c, next) => {
    c.set("deps", deps);
    c.set("openApi", openApi);
    c.set("language", preferredLanguage(c.req.header("Accept-Language")));
    await next();
  });
  app.use(requestId, requestLog, securityHeaders);
  for (const [path, endpoints] of Map.groupBy(ENDPOINTS, (endpoint) => endpoint.path))
    mount(app, path, endpoints);
  app.notFound((c) => refuse(c, "not_found"));
  app.onError((_error, c) => refuse(c, "internal_error"));
  return app;
}

function mount(app: App, path: string, endpoints: readonly Endpoint[]): void {
  const pattern = path.replace(/\{(\w+)\}/g, ":$1");
  app.use(pattern, async (c, next) => {
    c.set("route", path);
    await next();
  });
  for (const endpoint of endpoints) endpoint.mount(app, pattern);
  app.all(pattern, otherMethods(endpoints));
}

/** An encoded slash stays one segment: the router must not decode what a route decodes strictly. */
function encodedPath(request: Request): string {
  return new URL(request.url).pathname;
}

function once(make: () => OpenApiDocument): () => OpenApiDocument {
  let made: OpenApiDocument | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
