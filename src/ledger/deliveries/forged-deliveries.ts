import { DELIVERIES } from "../../domain/limits.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { ConnectedShop } from "../../domain/shop/connected-shop.ts";
import type { ShopDeps } from "./shop-deps.ts";

/** What a delivery is judged by: its shop, and the secrets that may have signed it. */
export interface KnownShop {
  readonly shop: ConnectedShop | undefined;
  readonly secrets: readonly string[];
}

/** Deliveries that their shop did not sign, as the object remembers them. */
export interface ForgedDeliveries {
  /**
   * The shop as it was read last, while many are forged: what it refuses needs no read. What it accepts is
   * judged by the database, so that a genuine delivery is never refused for the forged ones.
   */
  remembered(now: Instant): KnownShop | undefined;
  remember(known: KnownShop, now: Instant): void;
  /** Counts one. The sum is written once a minute at most, so that an attacker causes few writes. */
  count(now: Instant): Promise<void>;
  /** Counts a call at an address that no shop has. */
  countUnknown(now: Instant): void;
  /** Writes the rest of a sum. */
  settle(now: Instant): Promise<void>;
}

const WINDOW_MS = 60_000;

export function forgedDeliveries({ deliveries }: Pick<ShopDeps, "deliveries">): ForgedDeliveries {
  let window = { since: 0, calls: 0 };
  let last: { readonly known: KnownShop; readonly at: Instant } | undefined;
  let sum = 0;
  let notedAt: Instant = 0;
  const countCall = (now: Instant) => {
    const isOver = now < window.since || now - window.since >= WINDOW_MS;
    window = isOver ? { since: now, calls: 1 } : { ...window, calls: window.calls + 1 };
  };
  const settle = async (now: Instant) => {
    const isNoted = now >= notedAt && now - notedAt < WINDOW_MS;
    if (sum === 0 || isNoted) return;
    const counted = sum;
    [sum, notedAt] = [0, now];
    await deliveries.countForged(counted, now).catch(() => {
      sum += counted;
    });
  };
  return {
    remembered(now) {
      const isMany = window.calls > DELIVERIES.forgedPerMinute && now - window.since < WINDOW_MS;
      if (!isMany || !last || now < last.at || now - last.at >= DELIVERIES.rememberedMs) return undefined;
      return last.known;
    },
    remember(known, now) {
      last = { known, at: now };
    },
    async count(now) {
      countCall(now);
      sum += 1;
      await settle(now);
    },
    countUnknown: countCall,
    settle,
  };
}
