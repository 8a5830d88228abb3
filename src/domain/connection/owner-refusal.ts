import type { DeclarationRefusal } from "../billing/declaration-refusal.ts";
import type { CallbackUrlRefusal } from "../callback/url.ts";
import type { RecordRefusal, Refusal } from "../invoice/refusal.ts";
import type { OriginRefusal } from "../viewer/access.ts";
import type { WebhookRefusal } from "../webhook/endpoint.ts";
import type { ConsentRefusal } from "./consent.ts";
import type { RepresentationRefusal } from "./representation.ts";
import type { SetupRefusal } from "./setup.ts";

/** Refusals that belong to no single part of the domain. */
export const OWNER_REFUSALS = [
  ...(["consent_missing", "callback_missing", "setup_not_completed"] as const),
  ...(["changed_meanwhile", "two_keys_alive"] as const),
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
  | Refusal<(typeof OWNER_REFUSALS)[number]>;
