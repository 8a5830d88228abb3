import { DELIVERIES, FAILING_CALLS } from "../domain/limits.ts";
import type { Instant } from "../domain/shared/instant.ts";

/**
 * Networks that send deliveries with wrong signatures to an address, as this isolate remembers them. Beyond
 * the limit their bodies are not read, unless the shop itself has delivered from there.
 */
export interface ForgedPlaces {
  /** Whole seconds until bodies of the network are read again; undefined while they are. */
  waitOf(place: DeliveryPlace, now: Instant): number | undefined;
  refused(place: DeliveryPlace, now: Instant): void;
  accepted(place: DeliveryPlace, now: Instant): void;
}

export interface DeliveryPlace {
  readonly connectionId: string;
  readonly network: string;
}

interface Known {
  readonly since: Instant;
  readonly forged: number;
  /** Calls that were not read in this window. */
  readonly unread: number;
  readonly trustedAt?: Instant;
}

/** One in so many is read nevertheless, so that a shop which shares the network comes to be trusted. */
const READ_ONE_IN = 10;

export function forgedPlaces(): ForgedPlaces {
  const { windowMs } = FAILING_CALLS;
  const places = new Map<string, Known>();
  const keyOf = ({ connectionId, network }: DeliveryPlace) => `${connectionId} ${network}`;
  const isIn = (at: Instant, forMs: number, now: Instant) => now >= at && now - at < forMs;
  const currentOf = (place: DeliveryPlace, now: Instant): Known => {
    const known = places.get(keyOf(place));
    if (!known) return { since: now, forged: 0, unread: 0 };
    return isIn(known.since, windowMs, now) ? known : { ...known, since: now, forged: 0, unread: 0 };
  };
  const note = (place: DeliveryPlace, known: Known) => {
    places.delete(keyOf(place));
    places.set(keyOf(place), known);
    const [oldest] = places.keys();
    if (places.size > DELIVERIES.mostPlaces && oldest !== undefined) places.delete(oldest);
  };
  return {
    waitOf(place, now) {
      const known = currentOf(place, now);
      if (known.forged < DELIVERIES.forgedPerNetwork) return undefined;
      if (known.trustedAt !== undefined && isIn(known.trustedAt, DELIVERIES.trustedMs, now)) return undefined;
      const unread = known.unread + 1;
      note(place, { ...known, unread });
      if (unread % READ_ONE_IN === 0) return undefined;
      return Math.max(1, Math.ceil((known.since + windowMs - now) / 1_000));
    },
    refused(place, now) {
      const known = currentOf(place, now);
      note(place, { ...known, forged: known.forged + 1 });
    },
    accepted(place, now) {
      note(place, { ...currentOf(place, now), trustedAt: now });
    },
  };
}
