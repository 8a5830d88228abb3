import { type Refusal, refuse } from "../invoice/refusal.ts";
import { LEFT_BEHIND } from "../limits.ts";
import type { Instant } from "../shared/instant.ts";
import { ok, type Result } from "../shared/result.ts";
import { originOfStore, pageOrigin } from "./origin.ts";

/** Every no to a customer's look at an invoice, in the order in which it is checked. */
const ACCESS_REFUSALS = [
  "customer_access_disabled",
  "origin_required",
  "origin_not_allowed",
  "order_not_found",
] as const;
export type AccessRefusalCode = (typeof ACCESS_REFUSALS)[number];
export type AccessRefusal = Refusal<AccessRefusalCode>;

/** All refusals of an owner's page origins. */
const ORIGIN_REFUSALS = ["origin_invalid", "too_many_origins"] as const;
export type OriginRefusal = Refusal<(typeof ORIGIN_REFUSALS)[number]>;

/** The switch for customers' access. A viewer URL of an earlier epoch never works again. */
export interface CustomerAccess {
  readonly isOn: boolean;
  readonly epoch: number;
}

/** The default for a connection without a choice. */
export const ACCESS_UNTOUCHED: CustomerAccess = { isOn: true, epoch: 0 };

export const PRESENTATIONS = ["link", "embed"] as const;
type Presentation = (typeof PRESENTATIONS)[number];

/** The requested presentation of an invoice page. */
export interface FrameRequest {
  readonly presentation: Presentation;
  /** The origin of the embedding page, as the connector spells it. */
  readonly origin?: string;
}

/** A page of its own, or a frame allowed for exactly one origin. */
export type Framing =
  | { readonly presentation: "link" }
  | { readonly presentation: "embed"; readonly origin: string };

/** The known origins of a connection, all canonical. */
interface KnownPages {
  readonly registered: readonly string[];
  readonly storeUrls: readonly string[];
  readonly storeOrigins: readonly StoreOrigin[];
}

/** An origin reported with a store; refused if it is forbidden, or if there are too many. */
export interface StoreOrigin {
  readonly origin: string;
  readonly isRefused: boolean;
}

/** A link needs no origin and ignores one. */
export function admitFrame(request: FrameRequest, pages: KnownPages): Result<Framing, AccessRefusal> {
  if (request.presentation === "link") return ok({ presentation: "link" });
  if (request.origin === undefined) return refuse("origin_required", {}, "origin");
  const origin = pageOrigin(request.origin);
  const isAllowed = origin !== undefined && allowedOrigins(pages).includes(origin);
  if (!isAllowed) return refuse("origin_not_allowed", { origin: request.origin }, "origin");
  return ok({ presentation: "embed", origin });
}

function allowedOrigins({ registered, storeUrls, storeOrigins }: KnownPages): readonly string[] {
  const ofStores = storeUrls.flatMap((url) => originOfStore(url) ?? []);
  return [...registered, ...ofStores.filter((origin) => isAdmitted(origin, storeOrigins))];
}

/** A store's origin counts unless its owner refused it, or it came when there was no room for another. */
export function isAdmitted(origin: string, storeOrigins: readonly StoreOrigin[]): boolean {
  const kept = storeOrigins.find((one) => one.origin === origin);
  return kept ? !kept.isRefused : storeOrigins.length < LEFT_BEHIND.origins;
}

export const MOST_ORIGINS = 50;

/** The canonical origin to register. */
export function registerOrigin(text: string, registered: readonly string[]): Result<string, OriginRefusal> {
  const origin = pageOrigin(text);
  if (origin === undefined) return refuse("origin_invalid", { origin: text });
  if (!registered.includes(origin) && registered.length >= MOST_ORIGINS) {
    return refuse("too_many_origins", { limit: String(MOST_ORIGINS) });
  }
  return ok(origin);
}

/** The permission of a viewer URL, sealed in its token. */
export interface ViewerGrant {
  readonly connectionId: string;
  /** The epoch of the customer access when the URL was created. */
  readonly epoch: number;
  readonly idExternal: string;
  readonly framing: Framing;
  /** In whole seconds since 1970. */
  readonly expiresAt: number;
}

export const GRANT_LIFE_SECONDS = 30 * 60;

export function grantEndsAt(now: Instant): number {
  return Math.floor(now / 1_000) + GRANT_LIFE_SECONDS;
}

export function isGrantOver({ expiresAt }: Pick<ViewerGrant, "expiresAt">, now: Instant): boolean {
  return now >= expiresAt * 1_000;
}
