import type { ProfileChange, ProfileDraft } from "../../domain/billing/profiles.ts";
import type { SalesChange } from "../../domain/billing/sales-change.ts";
import type { Profile, SalesSettings } from "../../domain/billing/sales-settings.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { takesOrders } from "../../domain/order/gates.ts";
import type { DraftMatch } from "./match-order.ts";
import type { OrderTestBody, ProfileChangeBody, SalesBody } from "./profiles-shapes.ts";
import type { SellingReading } from "./queries.ts";
import { declaredStems, type SeriesView, seriesOfStem } from "./series-view.ts";

/** Translates the sales form into the domain's names. */
export function salesChange(form: SalesBody): SalesChange {
  return stated({
    issuingMode: form.issuing_mode,
    customerCredit: form.customer_credit,
    voucherKind: form.voucher_kind,
    zeroRateBasis: form.zero_rate_basis,
    destinations: form.destinations,
    foreignSales: form.foreign_sales,
    article42: form.article_4_2,
    underAuthorisation: form.under_authorisation,
    discountsIncluded: form.discounts_included,
    roundingRate: form.rounding_rate,
    treatments: form.treatments,
  });
}

export function profileChange({ name, channel, store_id: storeId, stem }: ProfileChangeBody): ProfileChange {
  return stated({ name, channel, storeId, stem });
}

interface DraftBody {
  readonly name: string;
  readonly stem: string;
  readonly channel?: string | null | undefined;
  readonly store_id?: string | null | undefined;
}

export function profileDraft({ name, channel, store_id: storeId, stem }: DraftBody): ProfileDraft {
  return { name, stem, ...(channel ? { channel } : {}), ...(storeId ? { storeId } : {}) };
}

export function draftMatch({ draft }: OrderTestBody): DraftMatch | undefined {
  return draft && { ...profileDraft(draft), ...(draft.id === undefined ? {} : { id: draft.id }) };
}

type Stated<Form extends object> = { [Name in keyof Form]?: Exclude<Form[Name], undefined> };

/** Removes members that were not sent. */
function stated<Form extends object>(form: Form): Stated<Form> {
  // The type describes the filtered object; the compiler cannot check that.
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as Stated<Form>;
}

/** A connection's sales settings as the profile pages show them. */
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
    /** The settings of orders without a profile. */
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

/** All members are present; null means not declared. */
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
