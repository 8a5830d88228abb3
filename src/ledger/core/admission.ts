import type { AdmissionFacts } from "../../db/ledger-state.ts";
import { unavailable } from "../../db/store-calls.ts";
import { equalInConstantTime } from "../../domain/connection/api-key.ts";
import { admitShopCall, type ShopRefusal, type ShopResource } from "../../domain/connection/setup.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { AccessRefusal } from "../../domain/viewer/access.ts";
import type { Caller } from "../rpc.ts";
import type { SentTests, TokenBucket } from "./limits.ts";
import type { GateRefusal } from "./outcomes.ts";

export interface AdmissionDeps {
  readonly bucket: TokenBucket;
  readonly sentTests: SentTests;
  readonly now: () => Instant;
  /** Requests a minute of a connection that has no limit of its own; 0 for none. */
  readonly defaultRateLimit: number;
}

type ShopRefused = GateRefusal | { readonly outcome: "refused"; readonly refusal: ShopRefusal };
type CustomersRefused =
  | GateRefusal
  | { readonly outcome: "refused"; readonly refusal: ShopRefusal | AccessRefusal };

/** Undefined admits the call. */
type Admission<Refused> = (facts: AdmissionFacts | undefined) => Refused | undefined;

/** The only judge of keys: undefined when the connection has this key. */
export function refusedKey({ keyHash }: Caller, facts: AdmissionFacts): GateRefusal | undefined {
  const known = facts.keyHashes.map((hash) => equalInConstantTime(hash, keyHash));
  return known.includes(true) ? undefined : { outcome: "unauthorized" };
}

/** Checks the key in every try. Counts the call and the bytes of a test against their limits once. */
export function admissionOf(caller: Caller, deps: AdmissionDeps, testBytes = 0): Admission<GateRefusal> {
  let isCounted = false;
  return (facts) => {
    if (!facts) return unavailable("gate");
    const refused = refusedKey(caller, facts);
    if (refused || isCounted) return refused;
    const now = deps.now();
    const ofCalls = deps.bucket.take(facts.rateLimit ?? deps.defaultRateLimit, now);
    const isBounded = ofCalls.admitted && facts.sendsTests && testBytes > 0;
    const taken = isBounded ? deps.sentTests.take(testBytes, now) : ofCalls;
    isCounted = taken.admitted;
    if (taken.admitted) return undefined;
    return { outcome: "rate_limited", retryAfterSeconds: taken.retryAfterSeconds };
  };
}

/** The owner may have switched off the access of the shop's customers. */
export function customerAdmissionOf(caller: Caller, deps: AdmissionDeps): Admission<CustomersRefused> {
  const admission = shopAdmissionOf(caller, "order_reading", deps);
  return (facts) => {
    const refusal = admission(facts);
    if (refusal || facts?.access.isOn) return refusal;
    return { outcome: "refused", refusal: refuse("customer_access_disabled").error };
  };
}

/** A report of a shop needs a connection that takes orders and is set up for it. */
export function shopAdmissionOf(
  caller: Caller,
  resource: ShopResource,
  deps: AdmissionDeps,
  testBytes = 0,
): Admission<ShopRefused> {
  const admission = admissionOf(caller, deps, testBytes);
  return (facts) => {
    const refusal = admission(facts);
    if (refusal || !facts) return refusal;
    const admitted = admitShopCall(resource, { kind: facts.connectionKind, setup: facts.setup });
    return admitted.ok ? undefined : { outcome: "refused", refusal: admitted.error };
  };
}
