import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { isSyncReady } from "../../domain/connection/setup.ts";
import { takesOrders } from "../../domain/order/gates.ts";
import type { CivilDate } from "../../domain/shared/civil-date.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { shownStore } from "../../domain/shared/shown-text.ts";
import { isAdmitted } from "../../domain/viewer/access.ts";
import { originOfStore, reportedOrigins } from "../../domain/viewer/origin.ts";
import type { Place } from "../pages.ts";
import {
  currentSeries,
  declaredStems,
  type SeriesView,
  type Stems,
  seriesOfStem,
  stemsInUse,
  stemsShown,
} from "../sales/series-view.ts";
import type { ConnectionReading, OriginReading, StoreShown } from "./queries.ts";

interface ChosenStore extends StoreShown {
  readonly isChosen: boolean;
  /** Reported first after the owner's last choice, so not yet decided. */
  readonly isNew: boolean;
}

export interface ConnectionView extends Omit<ConnectionReading, "stores" | "series" | "profileStems"> {
  readonly takesOrders: boolean;
  readonly stores: readonly ChosenStore[];
  readonly stems: Stems;
  readonly hasProfiles: boolean;
  /** This year's series of the connection's stems, begun or not. */
  readonly upcoming: readonly SeriesView[];
  readonly series: readonly SeriesView[];
  /** Versions of the values that the forms are filled from. */
  readonly versions: { readonly name: string; readonly cutoff: string; readonly callback: string };
}

/** A connection as its pages show it. */
export function connectionView(reading: ConnectionReading, today: CivilDate): ConnectionView {
  const { profileStems, series, stores, ...shown } = reading;
  const stems = declaredStems(reading);
  const numbering = { ...reading, year: today.slice(0, "YYYY".length) };
  const ours = stemsInUse(reading).map(({ stem }) => stem);
  return {
    ...shown,
    takesOrders: takesOrders(reading.kind),
    stores: stores.map((store) => chosenStore(store, reading)),
    stems,
    hasProfiles: profileStems.length > 0,
    upcoming: stemsShown(reading, numbering).flatMap(({ stem }) => seriesOfStem(stem, numbering)),
    series: currentSeries([...ours, stems.given, stems.orders], numbering),
    versions: {
      name: FORM_VERSIONS.name(reading.name),
      cutoff: FORM_VERSIONS.cutoff(reading.consent?.cutoffDate),
      callback: FORM_VERSIONS.callback(reading.callback?.url),
    },
  };
}

function chosenStore(store: StoreShown, { setup, chosenAt }: ConnectionReading): ChosenStore {
  const { storeIds } = setup;
  const isChosen = storeIds !== null && (storeIds === "" || storeIds.split(",").includes(store.id));
  const isLater = chosenAt !== undefined && store.seenAt !== undefined && store.seenAt > chosenAt;
  return { ...shownStore(store), isChosen, isNew: isSyncReady(setup) && !isChosen && isLater };
}

/**
 * `registered` by an owner; `reported` by a current store; `left`: reported by former stores only; `refused`
 * by an owner; `too_many`: reported when the list was full.
 */
type OriginState = "registered" | "reported" | "left" | "refused" | "too_many";

interface OriginShown {
  readonly origin: string;
  readonly state: OriginState;
  /** The time of registration, or of the first report. */
  readonly at: Instant;
  /** The first store that reported the page. */
  readonly store?: { readonly id: string; readonly name?: string };
  readonly refusedAt?: Instant;
}

interface OriginKey {
  readonly at: Instant;
  readonly origin: string;
}

interface OriginPage {
  readonly items: readonly OriginShown[];
  readonly next?: Place<OriginKey>;
}

const ORIGINS_PAGE = 50;

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
