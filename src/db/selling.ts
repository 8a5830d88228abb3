import { destinationsOf, type ForeignSales } from "../domain/billing/destinations.ts";
import { type Profile, type SalesSettings, UNDECLARED } from "../domain/billing/sales-settings.ts";
import { orderStem, type StemPlace, stemIn } from "../domain/billing/series.ts";
import type { TagRule } from "../domain/order/context.ts";
import { civilDate } from "../domain/shared/civil-date.ts";
import type { SettingsRow, selectProfiles } from "./book-reads.ts";
import type { SellingSettings } from "./order-state.ts";
import { ossRatesFrom } from "./oss-rates.ts";
import { fromOwnJson } from "./stored-json.ts";

export type ProfileRow = Awaited<ReturnType<typeof selectProfiles>>[number];

export interface SellingRows {
  readonly settings: SettingsRow;
  readonly profiles: readonly ProfileRow[];
  readonly tagRules: readonly { readonly tag: string; readonly action: string }[];
}

/** No order is dated on it: without any consent nothing is decided by it either. */
const NO_CUTOFF = civilDate("2099-12-31");

export function sellingOf({ settings, profiles, tagRules }: SellingRows): SellingSettings {
  const owner = {
    connectionOrdinal: settings.ordinal ?? 0,
    installationOrdinal: settings.installationOrdinal ?? 1,
    trial: settings.trial === true,
  };
  return {
    connectionName: settings.name ?? "",
    profiles: profiles.map((row) => profileFrom(row, owner)),
    sales: salesFrom(settings.sales),
    stem: settings.orderStem === null ? orderStem(owner) : stemIn(settings.orderStem, owner),
    keptRates: ossRatesFrom(settings.ossRates),
    tagRules: tagRules.map(({ tag, action }) => ({ tag, action: action as TagRule["action"] })),
    cutoffDate: settings.cutoffDate === null ? NO_CUTOFF : civilDate(settings.cutoffDate),
    selectedStores: selectedStores(settings.storeIds),
  };
}

const AS_DECLARED: StemPlace = { installationOrdinal: 1 };

/** The stem is the declared one, unless an installation is named. */
export function profileFrom(row: ProfileRow, place: StemPlace = AS_DECLARED): Profile {
  const { id, name, channel, storeId, stem, sales } = row;
  return {
    id,
    name,
    ...(channel === null ? {} : { channel }),
    ...(storeId === null ? {} : { storeId }),
    stem: stemIn(stem, place),
    sales: salesFrom(sales),
  };
}

/** Settings are added over time; an old row has only the earlier ones. */
export function salesFrom(json: string | null): SalesSettings {
  return json === null ? UNDECLARED : { ...UNDECLARED, ...withDestinations(fromOwnJson<StoredSales>(json)) };
}

/** Older rows have one value for all destinations. */
export interface StoredSales extends Partial<SalesSettings> {
  readonly foreignSales?: ForeignSales;
}

export function withDestinations({ foreignSales, ...sales }: StoredSales): Partial<SalesSettings> {
  if (foreignSales === undefined) return sales;
  return { ...sales, destinations: { ...destinationsOf(foreignSales), ...sales.destinations } };
}

function selectedStores(storeIds: string | null): SellingSettings["selectedStores"] {
  if (storeIds === null) return null;
  return storeIds === "" ? "all" : storeIds.split(",");
}
