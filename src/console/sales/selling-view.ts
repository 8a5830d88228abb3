import type { Profile, SalesSettings } from "../../domain/billing/sales-settings.ts";
import { FORM_VERSIONS } from "../../domain/connection/form-versions.ts";
import { takesOrders } from "../../domain/order/gates.ts";
import type { SellingReading } from "./selling-ports.ts";
import { declaredStems, type SeriesView, seriesOfStem } from "./series-view.ts";

/** How a connection sells, as the pages of profiles show it. */
export function sellingView(reading: SellingReading, year: string) {
  const { connectionId, kind, name, installationOrdinal, trial, series, stores, tagRules } = reading;
  const seriesOf = (stem: string): readonly SeriesView[] =>
    seriesOfStem(stem, { installationOrdinal, trial, year, series });
  const stems = declaredStems(reading);
  return {
    connection: { id: connectionId, kind, name },
    takesOrders: takesOrders(kind),
    stores,
    tagRules,
    /** Of orders without a profile. */
    orders: {
      stem: stems.orders,
      series: seriesOf(stems.orders),
      sales: salesView(reading.sales),
      version: FORM_VERSIONS.sales(reading.sales),
    },
    direct: stems.direct === undefined ? null : { stem: stems.direct, series: seriesOf(stems.direct) },
    profiles: reading.profiles.map((profile) => profileView(profile, seriesOf(profile.stem))),
  };
}

function profileView(profile: Profile, series: readonly SeriesView[]) {
  const { id, name, channel, storeId, stem, sales } = profile;
  return {
    id,
    name,
    channel: channel ?? null,
    storeId: storeId ?? null,
    stem,
    series,
    sales: salesView(sales),
    version: FORM_VERSIONS.profile(profile),
  };
}

/** Every member is there: null where nothing is declared. */
function salesView(declared: SalesSettings) {
  const { zeroRateBasis, destinations, article42, roundingRate, treatments, ...sales } = declared;
  return {
    ...sales,
    zeroRateBasis: zeroRateBasis ?? null,
    destinations: {
      euConsumer: destinations.euConsumer ?? null,
      euBusiness: destinations.euBusiness ?? null,
      outsideEu: destinations.outsideEu ?? null,
      otherSpanish: destinations.otherSpanish ?? null,
    },
    article42: article42 ?? null,
    roundingRate: roundingRate ?? null,
    treatments: Object.entries(treatments).map(([code, treatment]) => ({
      code,
      as: treatment.as,
      rate: treatment.as === "fee" ? String(treatment.rate) : null,
    })),
  };
}
