import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../deps.ts";
import type { Endpoint } from "../endpoint.ts";
import { refuse } from "../refuse.ts";

const WOULD_CHANGE = new Set(["PUT", "PATCH", "DELETE"]);

/** What a path answers to the methods that no endpoint of it has. */
export function otherMethods(endpoints: readonly Endpoint[]): MiddlewareHandler<AppEnv> {
  const methods = endpoints.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  const allow = [...methods, "OPTIONS"].join(", ");
  const immutable = endpoints.some((endpoint) => endpoint.immutable);
  return async (c) => {
    const { method } = c.req;
    // No CORS headers: keys belong to servers, a browser has nothing to ask here.
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: allow } });
    if (immutable && WOULD_CHANGE.has(method)) return refuse(c, "invoice_immutable", { allow });
    return refuse(c, "method_not_allowed", { allow, facts: { method, allow } });
  };
}
