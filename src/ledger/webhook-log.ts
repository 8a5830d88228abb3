import type { GateRefusal } from "../usecases/outcomes.ts";
import type { LogAsked, LogPage, WebhookListing, WebhookStore } from "../usecases/webhook-ports.ts";
import { type StoreCallsDeps, storeCalls } from "./store-calls.ts";
import { Unavailable } from "./unavailable.ts";

type Unreadable = Extract<GateRefusal, { readonly outcome: "unavailable" }>;

/** What the owner reads of webhooks, beside the queue: it decides nothing. */
export interface WebhookLog {
  list(): Promise<{ readonly outcome: "found"; readonly webhooks: readonly WebhookListing[] } | Unreadable>;
  deliveries(asked: LogAsked): Promise<{ readonly outcome: "found"; readonly page: LogPage } | Unreadable>;
}

export interface WebhookLogDeps extends StoreCallsDeps {
  readonly store: { readonly webhooks: Pick<WebhookStore, "list" | "listDeliveries"> };
}

const LONGEST_PAGE = 100;

export function webhookLog(deps: WebhookLogDeps): WebhookLog {
  const { webhooks } = deps.store;
  const calls = storeCalls(deps);
  const read = async <T extends object>(ask: () => Promise<T>): Promise<T | Unreadable> => {
    try {
      return await calls.read(ask, { trips: 0 });
    } catch (error) {
      if (error instanceof Unavailable) return error.outcome;
      throw error;
    }
  };
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
