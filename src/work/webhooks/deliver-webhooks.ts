import type {
  EndOfWebhook,
  EndpointStatus,
  WebhookStatus,
  WebhookStore,
} from "../../db/webhooks/webhook-reads.ts";
import { beginAttempt, type CallResult, settleAttempt } from "../../domain/callback/delivery.ts";
import { type CallbackUrlPolicy, checkCallbackUrl } from "../../domain/callback/url.ts";
import type { RandomBytes } from "../../domain/connection/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import {
  deliveryPageOf,
  isDown,
  type Page,
  pagesToRead,
  type WebhookDelivery,
} from "../../domain/webhook/delivery.ts";
import type { SendMessage } from "../callback/deliver-callback.ts";

export interface DeliverWebhooksDeps {
  readonly webhooks: Pick<WebhookStore, "readDue" | "begin" | "settle" | "end">;
  readonly send: SendMessage;
  /** Undefined while the deployment's own hosts are unknown: no address is called. */
  readonly callbackPolicy: CallbackUrlPolicy | undefined;
  readonly now: () => Instant;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** Neither address nor secret nor answer. */
  readonly log: (line: object) => void;
}

export interface Lane {
  /** Attempts made at the same time. */
  readonly width: number;
  /** True when no further attempt may begin. */
  readonly isOver: () => boolean;
}

/**
 * `done`: nothing is due. `down`: the endpoint takes nothing now. `ended`: it is called no more.
 * `barred`: the deployment may call nobody.
 */
export type LaneEnd = "done" | "over" | "down" | "ended" | "barred";

const READ_AT_ONCE = 25;

/**
 * Sends the due deliveries of one endpoint, oldest first, a few at a time. Endpoints do not delay each
 * other.
 */
export async function deliverTo(
  { endpointId, url }: Pick<EndpointStatus, "endpointId" | "url">,
  lane: Lane,
  deps: DeliverWebhooksDeps,
): Promise<LaneEnd> {
  const { webhooks, now, callbackPolicy: policy } = deps;
  if (!policy) return "barred";
  // Checked again, because the allowed addresses may have changed.
  if (!checkCallbackUrl(url, policy).ok) {
    await webhooks.end({ endpointId, because: "url_not_allowed", at: now() });
    return "ended";
  }
  while (!lane.isOver()) {
    const due = await webhooks.readDue({ endpointId, at: now(), limit: READ_AT_ONCE });
    if (due.length === 0) return "done";
    const end = await deliverAll(endpointId, due, lane, deps);
    if (end) return end;
  }
  return "over";
}

async function deliverAll(
  endpointId: string,
  due: readonly WebhookDelivery[],
  { width, isOver }: Lane,
  deps: DeliverWebhooksDeps,
): Promise<LaneEnd | undefined> {
  for (let next = 0; next < due.length; next += width) {
    if (isOver()) return "over";
    const end = await attemptAtOnce(endpointId, due.slice(next, next + width), deps);
    if (end) return end;
  }
  return undefined;
}

/** Written down, made, settled. Undefined where the others can follow. */
async function attemptAtOnce(
  endpointId: string,
  due: readonly WebhookDelivery[],
  deps: DeliverWebhooksDeps,
): Promise<"down" | "ended" | undefined> {
  const { webhooks, now, chance } = deps;
  const at = now();
  const attempts = due.map((before) => ({ before, begun: begunOf(before, { at, chance: chance() }) }));
  const { ids, target } = await webhooks.begin(endpointId, attempts);
  if (!target) return "ended";
  const ours = attempts.flatMap(({ begun }) => (ids.includes(begun.id) ? [begun] : []));
  if (ours.length === 0) return undefined;
  const results = await Promise.all(ours.map(({ id, body }) => deps.send({ id, body, at, ...target })));
  return settleAll(endpointId, ours, results, deps);
}

async function settleAll(
  endpointId: string,
  begun: readonly WebhookDelivery[],
  results: readonly CallResult[],
  { webhooks, now, chance, log }: DeliverWebhooksDeps,
): Promise<"down" | "ended" | undefined> {
  const at = now();
  const settled = begun.flatMap((delivery, index) => {
    const result = results[index];
    if (!result) return [];
    const made = { ...result, deliveryId: delivery.id, number: delivery.attempts };
    return [{ ...delivery, ...settleAttempt(delivery, made, { at, chance: chance() }) }];
  });
  const isGone = results.some(({ outcome }) => outcome.outcome === "stopped");
  const end: EndOfWebhook | undefined = isGone ? { endpointId, because: "gone", at } : undefined;
  await webhooks.settle(settled, end);
  for (const { id, attempts, lastOutcome } of settled) {
    const named = { webhook: endpointId, delivery: id, attempt: attempts };
    log({ level: "info", event: "webhook_called", ...named, ...lastOutcome });
  }
  if (isGone) return "ended";
  return results.every(({ outcome }) => isDown(outcome)) ? "down" : undefined;
}

function begunOf(delivery: WebhookDelivery, moment: Parameters<typeof beginAttempt>[1]): WebhookDelivery {
  return { ...delivery, ...beginAttempt(delivery, moment) };
}

export interface EnqueueDeps {
  readonly connectionId: string;
  readonly webhooks: Pick<WebhookStore, "readPages" | "enqueue">;
  readonly now: () => Instant;
  readonly random: RandomBytes;
}

/** The events after the cursors of all endpoints; at most a page per source. */
export function newPages({ webhooks, heads }: WebhookStatus): readonly Page[] {
  return webhooks.flatMap((webhook) => (webhook.ended ? [] : pagesToRead(webhook, heads)));
}

/** Creates the deliveries for these pages; false if there were none. */
export async function enqueuePages(
  pages: readonly Page[],
  { webhooks }: WebhookStatus,
  deps: EnqueueDeps,
): Promise<boolean> {
  const { connectionId, now, random } = deps;
  const events = new Map(webhooks.map((webhook) => [webhook.endpointId, webhook.events]));
  const shared = { connectionId, random, at: now() };
  const read = await deps.webhooks.readPages(pages);
  const deliveries = read.flatMap(
    (page) => deliveryPageOf(page, events.get(page.endpointId) ?? [], shared) ?? [],
  );
  if (deliveries.length === 0) return false;
  await deps.webhooks.enqueue(deliveries);
  return true;
}
