const FOR_EVERY_ANSWER = {
  "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

const NOTHING_LOADS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** For everything that is not a page: data, files and answers without a body. */
export function guardData(headers: Headers): void {
  for (const [name, value] of Object.entries(FOR_EVERY_ANSWER)) headers.set(name, value);
  headers.set("X-Frame-Options", "DENY");
  headers.set("Cache-Control", "no-store");
  headers.set("Content-Security-Policy", NOTHING_LOADS);
}

/**
 * No answer may be sniffed or stored. Only the viewer may be framed, by the requested origin. A page may load
 * only its own style sheet, unless it sets its own policy.
 */
export function guardAnswer(headers: Headers, framedBy: string | undefined): void {
  for (const [name, value] of Object.entries(FOR_EVERY_ANSWER)) headers.set(name, value);
  // The header cannot name an origin, so a page that one origin may frame relies on its own policy.
  if (framedBy === undefined) headers.set("X-Frame-Options", "DENY");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  if (headers.has("Content-Security-Policy")) return;
  const isPage = headers.get("Content-Type")?.startsWith("text/html") ?? false;
  headers.set("Content-Security-Policy", isPage ? `${NOTHING_LOADS}; style-src 'self'` : NOTHING_LOADS);
}
