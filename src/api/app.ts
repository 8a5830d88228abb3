import { type Context, Hono, type MiddlewareHandler } from "hono";
import { faultOf, loggedRequestId, type RequestLogLine } from "../platform/log.ts";
import { guardAnswer } from "../platform/security-headers.ts";
import { preferredLanguage } from "../words/words.ts";
import type { AppDeps, AppEnv } from "./deps.ts";
import type { App, Endpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { openApiDocument } from "./openapi/document.ts";
import type { OpenApiDocument } from "./openapi/format.ts";
import { refuse } from "./refuse.ts";

/** The HTTP edge: all access to the outside is in `deps`. */
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

const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  guardAnswer(c.res.headers, c.get("framedBy"));
};

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

const WOULD_CHANGE = new Set(["PUT", "PATCH", "DELETE"]);

/** The answer to methods that no endpoint of the path has. */
function otherMethods(endpoints: readonly Endpoint[]): MiddlewareHandler<AppEnv> {
  const methods = endpoints.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const allow = [...methods, "OPTIONS"].join(", ");
  const immutable = endpoints.some((endpoint) => endpoint.immutable);
  return async (c) => {
    const { method } = c.req;
    // No CORS headers: keys belong to servers, so a browser has no reason to call.
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
    if (immutable && WOULD_CHANGE.has(method)) return refuse(c, "invoice_immutable", { allow });
    return refuse(c, "method_not_allowed", { allow, facts: { method, allow } });
  };
}

const VISIBLE_ASCII = /^[\x21-\x7E]{1,128}$/;

/** The caller's X-Request-Id if it is printable, else a generated one; always echoed. */
const requestId: MiddlewareHandler<AppEnv> = async (c, next) => {
  const sent = c.req.header("X-Request-Id");
  const id = sent !== undefined && VISIBLE_ASCII.test(sent) ? sent : c.get("deps").randomId();
  c.set("requestId", id);
  await next();
  c.res.headers.set("X-Request-Id", id);
};

/** Only a cause that is one of our codes is logged; prose may quote a caller's data. */
const CAUSE_CODE = /^[\w:.-]{1,60}$/;
const UNMATCHED = "(none)";

/** Exactly one line per request, also for those that failed. */
const requestLog: MiddlewareHandler<AppEnv> = async (c, next) => {
  const started = c.get("deps").now();
  await next();
  c.get("deps").log(lineOf(c, c.get("deps").now() - started));
};

function lineOf(c: Context<AppEnv>, durationMs: number): RequestLogLine {
  const { deps, requestId, route, caller, errorCode, failureCause, d1Trips, admissionTrips } = c.var;
  return {
    request_id: loggedRequestId(requestId, deps.randomId),
    ...(caller ? { connection_id: caller.connectionId } : {}),
    route: route ?? UNMATCHED,
    method: c.req.method,
    status: c.res.status,
    ...(errorCode ? { error_code: errorCode } : {}),
    ...(failureCause && CAUSE_CODE.test(failureCause) ? { cause: failureCause } : {}),
    ...(c.error ? thrown(c.error) : {}),
    duration_ms: durationMs,
    d1_trips: (d1Trips ?? 0) + (admissionTrips ?? 0),
  };
}

/** An uncaught error; the message only if it adds something to the name. */
function thrown(error: Error): Pick<RequestLogLine, "error_name" | "cause" | "frames"> {
  const { cause, ...frames } = faultOf(error);
  return { error_name: error.name, ...(cause === error.name ? {} : { cause }), ...frames };
}
