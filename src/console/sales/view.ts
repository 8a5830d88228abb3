import {
  matchProfile,
  type Profile,
  type SalesSettings,
  UNDECLARED,
} from "../../domain/billing/sales-settings.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { takesOrders } from "../../domain/order/gates.ts";
import { comparableCode } from "../../domain/shared/text.ts";
import { paymentView } from "../company/contact.ts";
import type { DraftMatch } from "./forms.ts";
import type { OrderMatched, SellingReading, StemReading } from "./queries.ts";
import { declaredStems, type SeriesView, seriesOfStem, stemsShown } from "./series-view.ts";

/** A connection's sales settings as the profile pages show them. */
export function sellingView(reading: SellingReading, year: string) {
  const { connectionId, kind, name, installationOrdinal, trial, series, stores, tagRules } = reading;
  const seriesOf = (stem: string): readonly SeriesView[] =>
    seriesOfStem(stem, { installationOrdinal, trial, year, series });
  const stems = declaredStems(reading);
  const profileStems = reading.profiles.map(({ stem }) => stem);
  const named = stemsShown({ ...reading, profileStems }, { installationOrdinal, trial, year, series });
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
    /** Orders are numbered, or will be as their owner chose; else invoices are asked for one by one. */
    namesOrders: named.some(({ isOfOrders }) => isOfOrders),
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
  const { zeroRateBasis, destinations, article42, roundingRate, ...others } = declared;
  // The kinds of named discounts are listed with the remembered answers.
  const { treatments, discounts: _, payment, dueDays, ...sales } = others;
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
    payment: paymentView(payment),
    dueDays: dueDays ?? null,
    treatments: Object.entries(treatments).map(([code, treatment]) => ({
      code,
      as: treatment.as,
      rate: treatment.as === "fee" ? String(treatment.rate) : null,
    })),
  };
}

type MatchedTo =
  | { readonly match: "one"; readonly name: string; readonly stem: string; readonly isDraft: boolean }
  | { readonly match: "none" }
  | { readonly match: "several"; readonly names: readonly string[] }
  /** Without profiles the connection's own settings apply. */
  | { readonly match: "connection"; readonly stem: string };

interface OrderTest {
  readonly order: OrderMatched;
  readonly goesTo: MatchedTo;
  /** The owner assigned the profile, so the rules do not apply. */
  readonly isAssigned: boolean;
  /** The order's store is not chosen for invoicing. */
  readonly isStoreLeftOut: boolean;
}

/** Finds the order's profile by the same rule that decides orders. */
export function testOrder(
  order: OrderMatched,
  reading: StemReading,
  draft: DraftMatch | undefined,
): OrderTest {
  const profiles = withDraft(reading.profiles, draft);
  const isAssigned = profiles.some(({ id }) => id === order.profileId);
  return {
    order,
    goesTo: goesTo(order, { reading, profiles, draftId: draft && (draft.id ?? NEW) }),
    isAssigned,
    isStoreLeftOut: isLeftOut(order.storeId, reading.setup.storeIds),
  };
}

/** No stored profile has this id. */
const NEW = "";

interface Among {
  readonly reading: StemReading;
  readonly profiles: readonly Profile[];
  readonly draftId: string | undefined;
}

function goesTo(order: OrderMatched, { reading, profiles, draftId }: Among): MatchedTo {
  if (profiles.length === 0) return { match: "connection", stem: declaredStems(reading).orders };
  const assigned = profiles.find(({ id }) => id === order.profileId);
  const found = assigned ? ({ match: "one", profile: assigned } as const) : matchProfile(order, profiles);
  switch (found.match) {
    case "one": {
      const { id, name, stem } = found.profile;
      return { match: "one", name, stem, isDraft: id === draftId };
    }
    case "none":
      return { match: "none" };
    case "several":
      return { match: "several", names: found.profiles.map(({ name }) => name) };
  }
}

function withDraft(profiles: readonly Profile[], draft: DraftMatch | undefined): readonly Profile[] {
  if (!draft) return profiles;
  const { channel, ...rest } = draft;
  const edited: Profile = {
    ...rest,
    id: draft.id ?? NEW,
    ...(channel === undefined ? {} : { channel: comparableCode(channel) }),
    sales: UNDECLARED,
  };
  const isKnown = profiles.some(({ id }) => id === edited.id);
  return isKnown ? profiles.map((one) => (one.id === edited.id ? edited : one)) : [...profiles, edited];
}

function isLeftOut(storeId: string | undefined, storeIds: string | null): boolean {
  if (storeIds === null || storeIds === "") return false;
  return storeId === undefined || !storeIds.split(",").includes(storeId);
}
