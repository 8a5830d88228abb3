import type { WebhookStore } from "../../db/webhooks/webhook-ports.ts";
import type { LedgerCalls } from "../rpc.ts";
import { readOrRefuse } from "./read-or-refuse.ts";
import type { StoreCallsDeps } from "./store-calls.ts";

export interface WebhookLogDeps extends StoreCallsDeps {
  readonly store: { readonly webhooks: Pick<WebhookStore, "list" | "listDeliveries"> };
}

const LONGEST_PAGE = 100;

/** The owner reads webhooks and their deliveries outside the queue. */
export function webhookCalls(
  deps: WebhookLogDeps,
): Pick<LedgerCalls, "listWebhooks" | "listWebhookDeliveries"> {
  const { webhooks } = deps.store;
  return {
    listWebhooks: () =>
      readOrRefuse(async () => ({ outcome: "found", webhooks: await webhooks.list() }) as const, deps),
    listWebhookDeliveries(_, query) {
      const limit = Math.max(1, Math.min(Math.trunc(query.limit) || 1, LONGEST_PAGE));
      const read = async () => {
        const page = await webhooks.listDeliveries({ ...query, limit });
        return { outcome: "found", page } as const;
      };
      return readOrRefuse(read, deps);
    },
  };
}
