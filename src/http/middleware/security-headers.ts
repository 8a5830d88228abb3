import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../deps.ts";

const FOR_EVERY_ANSWER = {
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

const NOTHING_LOADS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** No answer may be framed, sniffed or kept; a page may load its own style sheet and nothing else. */
export const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { headers } = c.res;
  for (const [name, value] of Object.entries(FOR_EVERY_ANSWER)) headers.set(name, value);
  const isPage = headers.get("Content-Type")?.startsWith("text/html") ?? false;
  headers.set("Content-Security-Policy", isPage ? `${NOTHING_LOADS}; style-src 'self'` : NOTHING_LOADS);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
};
