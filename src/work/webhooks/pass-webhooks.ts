import type { WebhookStanding, WebhookStore } from "../../db/webhooks/webhook-ports.ts";
import type { RandomBytes } from "../../domain/connection/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type Page, pagesBehind, passageOf } from "../../domain/webhook/page.ts";

export interface PassWebhooksDeps {
  readonly connectionId: string;
  readonly webhooks: Pick<WebhookStore, "readPages" | "pass">;
  readonly now: () => Instant;
  readonly random: RandomBytes;
}

/** The events after the cursors of all endpoints; at most a page per source. */
export function newPages({ webhooks, heads }: WebhookStanding): readonly Page[] {
  return webhooks.flatMap((webhook) => (webhook.ended ? [] : pagesBehind(webhook, heads)));
}

/** Creates the deliveries for these pages; false if there were none. */
export async function passPages(
  pages: readonly Page[],
  { webhooks }: WebhookStanding,
  deps: PassWebhooksDeps,
): Promise<boolean> {
  const { connectionId, now, random } = deps;
  const events = new Map(webhooks.map((webhook) => [webhook.endpointId, webhook.events]));
  const passing = { connectionId, random, at: now() };
  const read = await deps.webhooks.readPages(pages);
  const passages = read.flatMap((page) => passageOf(page, events.get(page.endpointId) ?? [], passing) ?? []);
  if (passages.length === 0) return false;
  await deps.webhooks.pass(passages);
  return true;
}
