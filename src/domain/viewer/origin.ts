import type { Instant } from "../shared/instant.ts";

const ORIGIN = /^https:\/\/[^/?#\\@%]+$/i;
const NOT_IN_AN_ORIGIN = /[\p{C}\p{Z}]/u;
/** Two labels at least, the last of them no number: no IP address of any spelling has that form. */
const NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

export const LONGEST_ORIGIN = 300;

/**
 * The canonical https origin as browsers compare it: scheme, host, port; lower case, IDN as punycode, no 443.
 * Undefined for anything else: a path (even `/`), a user, a wildcard, another scheme, an IP address.
 */
export function pageOrigin(text: string): string | undefined {
  if (text.length > LONGEST_ORIGIN || NOT_IN_AN_ORIGIN.test(text) || !ORIGIN.test(text)) return undefined;
  return originOf(text);
}

/** The origin that a reported store lives at; none where its URL is not one of the public web. */
export function originOfStore(url: string): string | undefined {
  return originOf(url.trim());
}

function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, username, password, origin } = new URL(text);
  const isPlain = protocol === "https:" && username === "" && password === "";
  return isPlain && NAME.test(hostname) ? origin : undefined;
}

/** An origin with the first store that came with it. */
export interface ReportedOrigin {
  readonly origin: string;
  readonly storeId: string;
  readonly seenAt: Instant;
  readonly refusedAt?: Instant;
}

export interface StoreAddress {
  readonly id: string;
  readonly url?: string;
  /** Absent for stores reported before this was recorded. */
  readonly seenAt?: Instant;
}

/** The recorded origins, and those of stores reported before origins were recorded. */
export function reportedOrigins(
  kept: readonly ReportedOrigin[],
  stores: readonly StoreAddress[],
): readonly ReportedOrigin[] {
  const known = new Map(kept.map((one) => [one.origin, one]));
  for (const { id, url, seenAt = 0 } of stores) {
    const origin = url === undefined ? undefined : originOfStore(url);
    if (origin !== undefined && !known.has(origin)) known.set(origin, { origin, storeId: id, seenAt });
  }
  return [...known.values()];
}
