import { newId, type RandomBytes } from "../domain/connection/ids.ts";
import {
  chooseStores,
  isSyncReady,
  type SetupRefusal,
  type StoreChoice,
} from "../domain/connection/setup.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { ShopReading, StoreSelection } from "./shop-ports.ts";

export interface CompleteSetupRequest {
  /** The owner who acts. */
  readonly userId: string;
  readonly storeIds: StoreChoice;
}

export type CompleteSetupDecision =
  | { readonly decision: "select"; readonly selection: StoreSelection }
  /** It stands so already: a repeat, also of a call whose answer was lost, is no second deed. */
  | { readonly decision: "unchanged" }
  | { readonly decision: "refuse"; readonly refusal: SetupRefusal };

export interface OwnerDeps {
  readonly now: () => Instant;
  readonly random: RandomBytes;
  readonly ledger: string;
}

/** Step 2 of the guided setup, and every later change of the selection. */
export function decideSetup(
  request: CompleteSetupRequest,
  shop: ShopReading,
  deps: OwnerDeps,
): CompleteSetupDecision {
  const chosen = chooseStores(request.storeIds, shop);
  if (!chosen.ok) return { decision: "refuse", refusal: chosen.error };
  const storeIds = chosen.value;
  if (isSyncReady(shop.setup) && shop.setup.storeIds === storeIds) return { decision: "unchanged" };
  const audit = {
    id: newId("al", deps.ledger, deps.random),
    userId: request.userId,
    at: deps.now(),
    verb: "complete_setup",
    facts: { store_ids: storeIds },
  };
  return { decision: "select", selection: { storeIds, audit } };
}
