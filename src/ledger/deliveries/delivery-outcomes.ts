import type { DeliveryRow } from "../../db/shops/shop-write.ts";
import type { OwnerRefusal } from "../../domain/connection/owner-verbs.ts";
import type { OrderState } from "../../domain/order/decision.ts";
import type { ShopPlatform } from "../../domain/shop/presets.ts";
import type { ShopAnswer, ShopTest } from "../../platform/shop-api.ts";
import type { GateRefusal } from "../core/outcomes.ts";

/** A message of a shop at a genuine address, as it came. */
export interface ShopDelivery {
  readonly connectionId: string;
  readonly platform: ShopPlatform;
  /** Of the address. */
  readonly nonce: string;
  readonly signature: string;
  readonly deliveryId: string;
  readonly topic: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly requestId: string;
}

export type DeliveryOutcome =
  | {
      readonly outcome: "received";
      readonly deliveryId: string;
      readonly as: DeliveryRow["outcome"] | "duplicate";
      /** The order that it decided. */
      readonly order?: { readonly idExternal: string; readonly state: OrderState };
    }
  /** No shop of the connection lives at the address. */
  | { readonly outcome: "unknown_address" }
  | { readonly outcome: "wrong_signature" }
  | Exclude<GateRefusal, { readonly outcome: "unauthorized" }>;

export interface TestingShop {
  readonly userId: string;
  /** Repeated with the same id, the test is noted once. */
  readonly testId: string;
}

export type ShopTestOutcome =
  | { readonly outcome: "tested"; readonly answer: ShopAnswer<ShopTest> }
  | { readonly outcome: "refused"; readonly refusal: OwnerRefusal }
  | Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }>;
