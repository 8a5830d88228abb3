import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { isSyncReady } from "../../domain/connection/setup.ts";
import { takesOrders } from "../../domain/order/gates.ts";
import { type CivilDate, civilDate } from "../../domain/shared/civil-date.ts";
import { type Instant, localTime, type TimeZone } from "../../domain/shared/instant.ts";
import { shownStore } from "../../domain/shared/shown-text.ts";
import { monthIn } from "../pages.ts";
import {
  declaredStems,
  type SeriesView,
  type Stems,
  seriesOfStem,
  seriesThatStand,
  stemsInUse,
} from "../sales/series-view.ts";
import type { ConnectionReading, Month, StoreShown } from "./connection-ports.ts";

/** The month of an instant in the issuer's zone. */
export function monthOf(now: Instant, zone: TimeZone): Month {
  const month = localTime(now, zone).date.slice(0, "YYYY-MM".length);
  return { firstDay: civilDate(`${month}-01`), beginsAt: monthIn(month, zone).from };
}

export interface ChosenStore extends StoreShown {
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
    upcoming: ours.flatMap((stem) => seriesOfStem(stem, numbering)),
    series: seriesThatStand([...ours, stems.given, stems.orders], numbering),
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
