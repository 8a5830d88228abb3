import { DELIVERY_FORMS } from "./delivery.ts";
import type { ShopPlatform } from "./presets.ts";

/** A webhook as the shop lists it. */
export interface ShopWebhook {
  readonly id: string;
  /** As deliveries name it. */
  readonly topic: string;
  readonly url: string;
}

/** A change that makes the shop's webhooks those that are wanted. */
export type WebhookStep =
  | { readonly do: "create"; readonly topic: string }
  | { readonly do: "change"; readonly id: string; readonly topic: string }
  | { readonly do: "remove"; readonly id: string };

/** The topics that are asked of a shop; empty where its module delivers, and has no webhooks. */
export function webhookTopics(platform: ShopPlatform): readonly string[] {
  return offersWebhooks(platform) ? Object.keys(DELIVERY_FORMS[platform].topics) : [];
}

export function offersWebhooks(platform: ShopPlatform): boolean {
  return platform === "woocommerce" || platform === "shopify";
}

interface Wanted {
  /** The address at which the shop is to deliver. */
  readonly url: string;
  readonly topics: readonly string[];
  /** The shop tells no secret: it is written again with every run. */
  readonly hasSecret: boolean;
}

/**
 * From those of the shop that deliver to this connection, at any address of it. One webhook of each topic
 * stays, so a run that is repeated makes none twice.
 */
export function planWebhooks(ours: readonly ShopWebhook[], wanted: Wanted): readonly WebhookStep[] {
  const { url, topics, hasSecret } = wanted;
  const kept = new Map<string, ShopWebhook>();
  for (const topic of topics) {
    const ofTopic = ours.filter((webhook) => webhook.topic === topic);
    const one = ofTopic.find((webhook) => webhook.url === url) ?? ofTopic[0];
    if (one) kept.set(topic, one);
  }
  const steps = topics.flatMap((topic): readonly WebhookStep[] => {
    const one = kept.get(topic);
    if (!one) return [{ do: "create", topic }];
    return hasSecret || one.url !== url ? [{ do: "change", id: one.id, topic }] : [];
  });
  const isKept = new Set([...kept.values()].map(({ id }) => id));
  const surplus = ours.filter(({ id }) => !isKept.has(id));
  return [...steps, ...surplus.map(({ id }): WebhookStep => ({ do: "remove", id }))];
}

/** A shop that does not answer keeps its webhooks: deliveries to an address without a shop end with 404. */
export const REMOVAL_GIVEN_UP_MS = 86_400_000;
