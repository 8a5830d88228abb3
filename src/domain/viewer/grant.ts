import type { Instant } from "../shared/instant.ts";
import type { Framing } from "./access.ts";

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
