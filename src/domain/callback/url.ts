import { type Refusal, refuse } from "../invoice/refusal.ts";
import { ok, type Result } from "../shared/result.ts";

/** Every no to an address at which a customer wants to be called, in the order in which it is checked. */
export const CALLBACK_URL_REFUSALS = [
  "callback_url_too_long",
  "callback_url_invalid",
  "callback_url_not_https",
  "callback_url_with_credentials",
  "callback_url_with_fragment",
  "callback_url_port_not_allowed",
  "callback_url_ip_address",
  "callback_url_host_not_public",
  "callback_url_own_host",
  "callback_url_with_store_ids",
] as const;
export type CallbackUrlRefusal = Refusal<(typeof CALLBACK_URL_REFUSALS)[number]>;

export interface CallbackUrlPolicy {
  /** Hosts of this service: they and their subdomains are never called. */
  readonly ownHosts: readonly string[];
  /** Takes `http://127.0.0.1:<port>` as well: on a developer's machine only. */
  readonly allowLoopback: boolean;
}

export const LONGEST_CALLBACK_URL = 2_000;

/** The parameter that the service adds; an address may not bring one of its own. */
const STORE_IDS = "store_ids";

/**
 * The canonical form of a public address. The platform's URL parser normalizes escapes, full-width digits,
 * dots and IPv4 forms before this check. DNS is unknown here; `global_fetch_strictly_public` covers it.
 */
export function checkCallbackUrl(
  text: string,
  policy: CallbackUrlPolicy,
): Result<string, CallbackUrlRefusal> {
  const url = parsed(text);
  if (Math.max(text.length, url?.href.length ?? 0) > LONGEST_CALLBACK_URL) {
    return refuse("callback_url_too_long", { limit: String(LONGEST_CALLBACK_URL) });
  }
  if (!url) return refuse("callback_url_invalid");
  const isLoopback = policy.allowLoopback && LOOPBACK.test(text);
  if (url.protocol !== "https:" && !isLoopback) {
    return refuse("callback_url_not_https", { scheme: url.protocol.slice(0, -1) });
  }
  if (authorityOf(text).includes("@")) return refuse("callback_url_with_credentials");
  if (text.includes("#")) return refuse("callback_url_with_fragment");
  const refusal = isLoopback ? undefined : hostRefusal(url, policy.ownHosts);
  if (refusal) return refusal;
  if (url.searchParams.has(STORE_IDS)) {
    return refuse("callback_url_with_store_ids", { parameter: STORE_IDS });
  }
  return ok(url.href);
}

/** The address with the selected stores; its own query stays unchanged byte by byte. */
export function withStoreIds(url: string, storeIds: string): string {
  const pair = new URLSearchParams([[STORE_IDS, storeIds]]);
  const queryAt = url.indexOf("?");
  if (queryAt < 0) return `${url}?${pair}`;
  return queryAt === url.length - 1 ? `${url}${pair}` : `${url}&${pair}`;
}

/** The parser would drop tabs and line ends, and read `https:\x.es` and `https:x.es` as `https://x.es`. */
const NOT_IN_AN_ADDRESS = /[\p{C}\p{Z}\\]/u;
const SCHEME_AND_HOST = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i;
const LOOPBACK = /^http:\/\/127\.0\.0\.1:[1-9]\d{0,4}(?:[/?]|$)/;

function parsed(text: string): URL | undefined {
  if (NOT_IN_AN_ADDRESS.test(text) || !SCHEME_AND_HOST.test(text)) return undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function authorityOf(text: string): string {
  return /^[^:]*:\/\/([^/?#]*)/.exec(text)?.[1] ?? "";
}

const IPV4 = /^\d+(?:\.\d+){3}$/;
/** At least two labels, as in DNS and certificates; no dot at the end. */
const PUBLIC_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z][a-z0-9-]{0,61}[a-z0-9])$/;

/** Top-level names that are kept for private use, or that private networks use without asking. */
const PRIVATE_TOP_LEVEL: ReadonlySet<string> = new Set([
  ...["alt", "arpa", "invalid", "local", "localhost", "internal", "onion", "test"],
  ...["corp", "home", "intranet", "lan", "localdomain", "private"],
]);

function hostRefusal({ hostname: host, port }: URL, ownHosts: readonly string[]) {
  if (port !== "") return refuse("callback_url_port_not_allowed", { port });
  if (host.startsWith("[") || IPV4.test(host)) return refuse("callback_url_ip_address", { host });
  const topLevel = PUBLIC_NAME.exec(host)?.[1];
  if (topLevel === undefined || PRIVATE_TOP_LEVEL.has(topLevel)) {
    return refuse("callback_url_host_not_public", { host });
  }
  const isOwn = ownHosts.some((own) => `.${host}`.endsWith(`.${own.toLowerCase()}`));
  return isOwn ? refuse("callback_url_own_host", { host }) : undefined;
}
