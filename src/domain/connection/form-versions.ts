import type { Profile, SalesSettings } from "../billing/sales-settings.ts";
import { versionOf } from "../shared/same-value.ts";

/** Versions of the values that a form replaces: the view shows one, and the verb compares it. */
export const FORM_VERSIONS = {
  name: (name: string) => versionOf(name),
  profile: ({ name, channel, storeId, stem, sales }: Profile) =>
    versionOf({ name, channel, storeId, stem, sales }),
  sales: (sales: SalesSettings) => versionOf(sales),
  stores: (storeIds: string | null) => versionOf(storeIds),
  stem: (stem: string) => versionOf(stem),
  cutoff: (date: string | undefined) => versionOf(date),
  callback: (url: string | undefined) => versionOf(url),
  events: (events: readonly string[]) => versionOf([...events].sort()),
} as const;
