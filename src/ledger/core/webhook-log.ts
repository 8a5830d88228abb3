import type { LogAsked, LogPage, WebhookListing, WebhookStore } from "../../db/webhooks/webhook-ports.ts";
import { readOrRefuse } from "./read-or-refuse.ts";
import type { StoreCallsDeps } from "./store-calls.ts";
import type { UnavailableOutcome } from "./unavailable.ts";

/** What the owner reads of webhooks, beside the queue: it decides nothing. */
export interface WebhookLog {
  list(): Promise<
    { readonly outcome: "found"; readonly webhooks: readonly WebhookListing[] } | UnavailableOutcome
  >;
  deliveries(
    asked: LogAsked,
  ): Promise<{ readonly outcome: "found"; readonly page: LogPage } | UnavailableOutcome>;
}

export interface WebhookLogDeps extends StoreCallsDeps {
  readonly store: { readonly webhooks: Pick<WebhookStore, "list" | "listDeliveries"> };
}

const LONGEST_PAGE = 100;

export function webhookLog(deps: WebhookLogDeps): WebhookLog {
  const { webhooks } = deps.store;
  const read = <T extends object>(ask: () => Promise<T>) => readOrRefuse(ask, deps);
  return {
    list: () => read(async () => ({ outcome: "found", webhooks: await webhooks.list() }) as const),
    deliveries: (asked) => {
      const limit = Math.max(1, Math.min(Math.trunc(asked.limit) || 1, LONGEST_PAGE));
      return read(
        async () => ({ outcome: "found", page: await webhooks.listDeliveries({ ...asked, limit }) }) as const,
      );
    },
  };
}
