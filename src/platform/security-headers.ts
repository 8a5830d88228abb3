import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "../api/deps.ts";

const FOR_EVERY_ANSWER = {
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

const NOTHING_LOADS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Of what no page is: data, files, and answers without any body. */
export function guardData(headers: Headers): void {
  for (const [name, value] of Object.entries(FOR_EVERY_ANSWER)) headers.set(name, value);
  headers.set("X-Frame-Options", "DENY");
  headers.set("Cache-Control", "no-store");
  headers.set("Content-Security-Policy", NOTHING_LOADS);
}

/**
 * No answer may be sniffed or kept, and none framed but the viewer's, by the origin that it was asked for; a
 * page may load its own style sheet and nothing else, unless it brings its policy along.
 */
export const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { headers } = c.res;
  for (const [name, value] of Object.entries(FOR_EVERY_ANSWER)) headers.set(name, value);
  // It knows no origins: a page that one may frame is left to its own policy.
  if (c.var.framedBy === undefined) headers.set("X-Frame-Options", "DENY");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (headers.has("Content-Security-Policy")) return;
  const isPage = headers.get("Content-Type")?.startsWith("text/html") ?? false;
  headers.set("Content-Security-Policy", isPage ? `${NOTHING_LOADS}; style-src 'self'` : NOTHING_LOADS);
};
