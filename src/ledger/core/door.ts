import type { Gate } from "../../db/ledger-state.ts";
import { equalInConstantTime } from "../../domain/connection/api-key.ts";
import { admitShopCall, type ShopRefusal, type ShopResource } from "../../domain/connection/shop-gate.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { AccessRefusal } from "../../domain/viewer/access.ts";
import type { Caller } from "../calls.ts";
import type { GateRefusal } from "./outcomes.ts";
import type { TokenBucket } from "./rate-limit.ts";
import { unavailable } from "./unavailable.ts";

export interface DoorDeps {
  readonly bucket: TokenBucket;
  readonly now: () => Instant;
  /** Requests a minute of a connection that has no limit of its own; 0 for none. */
  readonly defaultRateLimit: number;
}

type ShopRefused = GateRefusal | { readonly outcome: "refused"; readonly refusal: ShopRefusal };
type CustomersRefused =
  | GateRefusal
  | { readonly outcome: "refused"; readonly refusal: ShopRefusal | AccessRefusal };
type Door<Outcome> = (gate: Gate | undefined) => Outcome | undefined;

/** The judge of every key: undefined for one of the connection. */
export function refusedKey({ keyHash }: Caller, gate: Gate): GateRefusal | undefined {
  const known = gate.keyHashes.map((hash) => equalInConstantTime(hash, keyHash));
  return known.includes(true) ? undefined : { outcome: "unauthorized" };
}

/** Asks for the secret whenever it is asked, and counts the call against the limit once. */
export function doorFor(caller: Caller, deps: DoorDeps): Door<GateRefusal> {
  let isCounted = false;
  return (gate) => {
    if (!gate) return unavailable("gate");
    const refused = refusedKey(caller, gate);
    if (refused || isCounted) return refused;
    const admission = deps.bucket.take(gate.rateLimit ?? deps.defaultRateLimit, deps.now());
    isCounted = admission.admitted;
    if (admission.admitted) return undefined;
    return { outcome: "rate_limited", retryAfterSeconds: admission.retryAfterSeconds };
  };
}

/** The same for what is asked for a shop's customers, which its owner may have switched off. */
export function customerDoorFor(caller: Caller, deps: DoorDeps): Door<CustomersRefused> {
  const door = shopDoorFor(caller, "order_reading", deps);
  return (gate) => {
    const refusal = door(gate);
    if (refusal || gate?.access.isOn) return refusal;
    return { outcome: "refused", refusal: refuse("customer_access_disabled").error };
  };
}

/** What a shop tells also has to be of a connection that takes orders and is ready for it. */
export function shopDoorFor(caller: Caller, resource: ShopResource, deps: DoorDeps): Door<ShopRefused> {
  const door = doorFor(caller, deps);
  return (gate) => {
    const refusal = door(gate);
    if (refusal || !gate) return refusal;
    const admission = admitShopCall(resource, { kind: gate.connectionKind, setup: gate.setup });
    return admission.ok ? undefined : { outcome: "refused", refusal: admission.error };
  };
}
