import type { Refusal } from "./invoice/refusal.ts";
import type { Phrase } from "./shared/fact.ts";
import type { Instant } from "./shared/instant.ts";

/** A limit is reached. `retryAt` is set if time alone helps; otherwise something must end first. */
export interface QuotaRefusal extends Refusal<"quota_exceeded"> {
  readonly retryAt?: Instant;
}

/** The counted thing, as the sentence of the refusal names it. */
export type QuotaName = Extract<Phrase["phrase"], `quota_${string}`>;

export function quotaExceeded(quota: QuotaName, most: number, retryAt?: Instant): QuotaRefusal {
  const limit = { phrase: quota, most: { amount: String(most) } } as const;
  return { code: "quota_exceeded", facts: { limit }, ...(retryAt === undefined ? {} : { retryAt }) };
}
