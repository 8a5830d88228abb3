import { equalInConstantTime } from "../domain/connection/api-key.ts";
import type { Instant } from "../domain/shared/instant.ts";
import type { Call } from "./call.ts";
import type { Caller } from "./calls.ts";
import type { TokenBucket } from "./rate-limit.ts";
import { unavailable } from "./unavailable.ts";

export interface DoorDeps {
  readonly bucket: TokenBucket;
  readonly now: () => Instant;
  /** Requests a minute of a connection that has no limit of its own; 0 for none. */
  readonly defaultRateLimit: number;
}

/** Asks for the secret whenever it is asked, and counts the call against the limit once. */
export function doorFor(caller: Caller, deps: DoorDeps): Call["refusedBy"] {
  let isCounted = false;
  return (gate) => {
    if (!gate) return unavailable("gate");
    const known = gate.keyHashes.map((hash) => equalInConstantTime(hash, caller.keyHash));
    if (!known.includes(true)) return { outcome: "unauthorized" };
    if (isCounted) return undefined;
    const admission = deps.bucket.take(gate.rateLimit ?? deps.defaultRateLimit, deps.now());
    isCounted = admission.admitted;
    if (admission.admitted) return undefined;
    return { outcome: "rate_limited", retryAfterSeconds: admission.retryAfterSeconds };
  };
}
