import type { DeclarationRefusal } from "../billing/declarations.ts";
import type { Profile, SalesSettings } from "../billing/sales-settings.ts";
import type { CallbackUrlRefusal } from "../callback/url.ts";
import type { RecordRefusal, Refusal } from "../invoice/refusal.ts";
import type { TogetherRefusal } from "../order/together.ts";
import { versionOf } from "../shared/hash.ts";
import type { Backfill } from "../shop/backfill.ts";
import type { ConnectedShop, ConnectedShopRefusal } from "../shop/connected-shop.ts";
import type { StatusMap } from "../shop/presets.ts";
import type { OriginRefusal } from "../viewer/access.ts";
import type { WebhookRefusal } from "../webhook/endpoint.ts";
import type { ConsentRefusal, RepresentationRefusal } from "./consent.ts";
import type { SetupRefusal } from "./setup.ts";

/** Refusals that belong to no single part of the domain. */
const OWNER_REFUSALS = [
  ...(["consent_missing", "callback_missing", "setup_not_completed"] as const),
  ...(["changed_meanwhile", "two_keys_alive", "keys_not_by_hand"] as const),
  ...(["erasure_not_allowed", "nothing_to_erase", "order_stays_erased"] as const),
] as const;

/** Every refusal of an owner's verb. */
export type OwnerRefusal =
  | DeclarationRefusal
  | CallbackUrlRefusal
  | ConsentRefusal
  | SetupRefusal
  | OriginRefusal
  | RepresentationRefusal
  | WebhookRefusal
  | RecordRefusal
  | ConnectedShopRefusal
  | TogetherRefusal
  | Refusal<(typeof OWNER_REFUSALS)[number]>;

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
  shop: (shop: ConnectedShop | undefined) =>
    versionOf(shop && { platform: shop.platform, url: shop.url, credentials: shop.credentials }),
  shopStatuses: (statuses: StatusMap) => versionOf(statuses),
  backfill: ({ begunAt, since }: Backfill) => versionOf({ begunAt, since }),
} as const;
