import type { OwnerReading } from "../../db/owner-state.ts";
import { orderStem } from "../../domain/billing/series.ts";
import { versionOf } from "../../domain/shared/same-value.ts";
import type { OwnerScope } from "./owner-decision.ts";
import type { OwnerRequest } from "./owner-request.ts";

/** Versions of what a form replaces whole, for who shows it and for who judges what comes back. */
export const SEEN = {
  name: (name: string) => versionOf(name),
  profile: ({ name, channel, storeId, stem, sales }: OwnerReading["profiles"][number]) =>
    versionOf({ name, channel, storeId, stem, sales }),
  sales: (sales: OwnerReading["sales"]) => versionOf(sales),
  stores: (storeIds: string | null) => versionOf(storeIds),
  stem: (stem: string) => versionOf(stem),
  cutoff: (date: string | undefined) => versionOf(date),
  callback: (url: string | undefined) => versionOf(url),
  events: (events: readonly string[]) => versionOf([...events].sort()),
} as const;

/** Whether a form was filled from something else than what stands. What is gone is refused as that. */
export function isBehind(request: OwnerRequest, scope: OwnerScope): boolean {
  if (!("seen" in request) || request.seen === undefined) return false;
  const standing = standingOf(request, scope);
  return standing !== undefined && standing !== request.seen;
}

function standingOf(request: OwnerRequest, { reading, settings }: OwnerScope): string | undefined {
  switch (request.verb) {
    case "rename_connection":
      return SEEN.name(reading.connectionName);
    case "change_profile": {
      const profile = reading.profiles.find(({ id }) => id === request.id);
      return profile && SEEN.profile(profile);
    }
    case "declare_sales":
      return SEEN.sales(reading.sales);
    case "complete_setup":
      return SEEN.stores(reading.setup.storeIds);
    case "choose_order_stem": {
      const { connectionOrdinal } = settings;
      return SEEN.stem(reading.orderStem ?? orderStem({ connectionOrdinal, installationOrdinal: 1 }));
    }
    case "move_cutoff":
      return reading.consent && SEEN.cutoff(reading.consent.cutoffDate);
    case "register_callback":
      return SEEN.callback(reading.callback?.url);
    case "choose_webhook_events": {
      const endpoint = reading.webhooks.find(({ id }) => id === request.id);
      return endpoint && SEEN.events(endpoint.events);
    }
    default:
      return undefined;
  }
}
