import type { SigningSecrets } from "../callback/message.ts";
import { type CallbackUrlPolicy, type CallbackUrlRefusal, checkCallbackUrl } from "../callback/url.ts";
import { type Refusal, refuse } from "../invoice/refusal.ts";
import type { Instant } from "../shared/instant.ts";
import { ok, type Result } from "../shared/result.ts";
import { isWebhookEvent, sourcesOf, WEBHOOK_EVENTS, type WebhookEvent, type WebhookSource } from "./event.ts";

/** A caller's address for webhook events. */
export interface WebhookEndpoint {
  readonly id: string;
  /** The URL that `checkCallbackUrl` returned. */
  readonly url: string;
  readonly secrets: SigningSecrets;
  /** In the order of the list. */
  readonly events: readonly WebhookEvent[];
  readonly createdAt: Instant;
  /** An ended endpoint is not called. */
  readonly ended?: EndedWebhook;
}

export interface EndedWebhook {
  readonly at: Instant;
  readonly because: WebhookEnd;
}

/** `gone`: it answered 410. `url_not_allowed`: the rules for addresses have changed. */
export type WebhookEnd = "removed" | "gone" | "url_not_allowed";

/** Alive ones, of one connection. */
export const MOST_WEBHOOKS = 5;

/** All refusals of webhook changes, except those of addresses. */
export const WEBHOOK_REFUSALS = [
  "webhook_events_missing",
  "webhook_event_unknown",
  "webhook_already_registered",
  "too_many_webhooks",
  "webhook_not_found",
  "webhook_ended",
  "webhook_delivery_not_found",
] as const;
export type WebhookRefusal = Refusal<(typeof WEBHOOK_REFUSALS)[number]>;

export interface WebhookRequest {
  readonly url: string;
  readonly events: readonly string[];
}

/** A registration that is sent again at once is the same: its answer was lost. */
const REPEATED_WITHIN_MS = 600_000;

export type Registration =
  | { readonly step: "open"; readonly url: string; readonly events: readonly WebhookEvent[] }
  | { readonly step: "repeat"; readonly endpoint: WebhookEndpoint };

export function registerWebhook(
  request: WebhookRequest,
  known: readonly WebhookEndpoint[],
  { policy, at }: { readonly policy: CallbackUrlPolicy; readonly at: Instant },
): Result<Registration, CallbackUrlRefusal | WebhookRefusal> {
  const url = checkCallbackUrl(request.url, policy);
  if (!url.ok) return url;
  const events = chosenEvents(request.events);
  if (!events.ok) return events;
  const alive = known.filter(({ ended }) => ended === undefined);
  const same = alive.find((endpoint) => endpoint.url === url.value);
  if (same) {
    const isRepeat = areEqual(same.events, events.value) && at - same.createdAt < REPEATED_WITHIN_MS;
    return isRepeat ? ok({ step: "repeat", endpoint: same }) : refuse("webhook_already_registered");
  }
  if (alive.length >= MOST_WEBHOOKS) return refuse("too_many_webhooks", { limit: String(MOST_WEBHOOKS) });
  return ok({ step: "open", url: url.value, events: events.value });
}

/** Each once, in the order of the list. */
export function chosenEvents(requested: readonly string[]): Result<readonly WebhookEvent[], WebhookRefusal> {
  const unknown = requested.find((event) => !isWebhookEvent(event));
  if (unknown !== undefined) {
    return refuse("webhook_event_unknown", { event: unknown });
  }
  if (requested.length === 0) return refuse("webhook_events_missing");
  return ok(WEBHOOK_EVENTS.filter((event) => requested.includes(event)));
}

export function findWebhook(
  id: string,
  known: readonly WebhookEndpoint[],
): Result<WebhookEndpoint, WebhookRefusal> {
  const endpoint = known.find((one) => one.id === id);
  return endpoint ? ok(endpoint) : refuse("webhook_not_found");
}

/** The same for changes that need an active endpoint. */
export function findLiveWebhook(
  id: string,
  known: readonly WebhookEndpoint[],
): Result<WebhookEndpoint, WebhookRefusal> {
  const found = findWebhook(id, known);
  return found.ok && found.value.ended ? refuse("webhook_ended") : found;
}

/** Newly subscribed sources; their events count from now on. */
export function newSources(
  before: readonly WebhookEvent[],
  after: readonly WebhookEvent[],
): readonly WebhookSource[] {
  const known = sourcesOf(before);
  return [...sourcesOf(after)].filter((source) => !known.has(source));
}

export function areEqual(one: readonly WebhookEvent[], other: readonly WebhookEvent[]): boolean {
  return one.length === other.length && one.every((event, index) => event === other[index]);
}
