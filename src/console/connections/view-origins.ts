import type { Instant } from "../../domain/shared/instant.ts";
import { isAdmitted } from "../../domain/viewer/access.ts";
import {
  originOfStore,
  type ReportedOrigin,
  reportedOrigins,
  type StoreAddress,
} from "../../domain/viewer/origin.ts";
import type { Place } from "../pages.ts";

/**
 * `registered` by an owner; `reported` by a current store; `left`: reported by former stores only; `refused`
 * by an owner; `too_many`: reported when the list was full.
 */
export type OriginState = "registered" | "reported" | "left" | "refused" | "too_many";

export interface OriginShown {
  readonly origin: string;
  readonly state: OriginState;
  /** The time of registration, or of the first report. */
  readonly at: Instant;
  /** The first store that reported the page. */
  readonly store?: { readonly id: string; readonly name?: string };
  readonly refusedAt?: Instant;
}

/** All known origins of pages that show one connection's invoices. */
export interface OriginReading {
  readonly registered: readonly { readonly origin: string; readonly addedAt: Instant }[];
  readonly kept: readonly ReportedOrigin[];
  readonly stores: readonly (StoreAddress & { readonly name?: string })[];
}

export interface OriginKey {
  readonly at: Instant;
  readonly origin: string;
}

export interface OriginPage {
  readonly items: readonly OriginShown[];
  readonly next?: Place<OriginKey>;
}

export const ORIGINS_PAGE = 50;

/** Newest first: the owner has to check new pages. */
export function originPage(reading: OriginReading, after?: OriginKey): OriginPage {
  const behind = originsShown(reading)
    .toSorted((a, b) => b.at - a.at || (a.origin < b.origin ? -1 : 1))
    .filter((one) => !after || one.at < after.at || (one.at === after.at && one.origin > after.origin));
  const items = behind.slice(0, ORIGINS_PAGE);
  const last = items.at(-1);
  if (!last || behind.length === items.length) return { items };
  return { items, next: { way: "after", key: { at: last.at, origin: last.origin } } };
}

function originsShown({ registered, kept, stores }: OriginReading): readonly OriginShown[] {
  const current = new Set(stores.flatMap(({ url }) => (url ? (originOfStore(url) ?? []) : [])));
  const storeOrigins = kept.map(({ origin, refusedAt }) => ({ origin, isRefused: refusedAt !== undefined }));
  const byHand = new Set(registered.map(({ origin }) => origin));
  const ofStores = reportedOrigins(kept, stores).map(({ origin, storeId, seenAt, refusedAt }) => {
    const name = stores.find(({ id }) => id === storeId)?.name;
    const store = { id: storeId, ...(name === undefined ? {} : { name }) };
    const state = stateOf(origin, { byHand, current, storeOrigins });
    return { origin, state, at: seenAt, store, ...(refusedAt === undefined ? {} : { refusedAt }) };
  });
  const reported = new Set(ofStores.map(({ origin }) => origin));
  const others = registered.filter(({ origin }) => !reported.has(origin));
  return [
    ...ofStores,
    ...others.map(({ origin, addedAt }) => ({ origin, state: "registered" as const, at: addedAt })),
  ];
}

interface Known {
  readonly byHand: ReadonlySet<string>;
  readonly current: ReadonlySet<string>;
  readonly storeOrigins: Parameters<typeof isAdmitted>[1];
}

function stateOf(origin: string, { byHand, current, storeOrigins }: Known): OriginState {
  if (byHand.has(origin)) return "registered";
  if (storeOrigins.some((one) => one.origin === origin && one.isRefused)) return "refused";
  if (!current.has(origin)) return "left";
  return isAdmitted(origin, storeOrigins) ? "reported" : "too_many";
}
