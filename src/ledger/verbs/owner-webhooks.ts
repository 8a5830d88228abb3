import { newMessageId } from "../../domain/callback/message.ts";
import { newSigningSecret, rotated, withoutPrevious } from "../../domain/callback/signature.ts";
import { newId } from "../../domain/connection/ids.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { webhookDelivery } from "../../domain/webhook/delivery.ts";
import {
  areEqual,
  chosenEvents,
  findLiveWebhook,
  findWebhook,
  newSources,
  registerWebhook,
  type WebhookEndpoint,
} from "../../domain/webhook/endpoint.ts";
import { newsOfTest } from "../../domain/webhook/news.ts";
import { type OwnerDecision, type OwnerScope, refused, UNCHANGED, write } from "./owner-decision.ts";
import type { OwnerRequest } from "./owner-request.ts";

type Asked<Verb extends OwnerRequest["verb"]> = Extract<OwnerRequest, { readonly verb: Verb }>;

/** Its secret is shown once, because the receiver has to know it. What happened before is not told. */
export function openWebhook(request: Asked<"register_webhook">, scope: OwnerScope): OwnerDecision {
  const { reading, callbackPolicy: policy, random, ledger, now } = scope;
  const wish = registerWebhook(request, reading.webhooks, { policy, at: now });
  if (!wish.ok) return refused(wish.error);
  if (wish.value.step === "repeat") {
    return { decision: "unchanged", ...shownOf(wish.value.endpoint) };
  }
  const { url, events } = wish.value;
  const secrets = { current: newSigningSecret(random) };
  const endpoint: WebhookEndpoint = { id: newId("wh", ledger, random), url, secrets, events, createdAt: now };
  return {
    decision: "write",
    deed: { deed: "open_webhook", endpoint },
    facts: { webhook: endpoint.id, host: new URL(url).host, events: events.join(",") },
    ...shownOf(endpoint),
  };
}

export function chooseWebhookEvents(
  { id, events: asked }: Asked<"choose_webhook_events">,
  { reading }: OwnerScope,
): OwnerDecision {
  const found = findLiveWebhook(id, reading.webhooks);
  if (!found.ok) return refused(found.error);
  const events = chosenEvents(asked);
  if (!events.ok) return refused(events.error);
  const before = found.value.events;
  if (areEqual(before, events.value)) return UNCHANGED;
  const added = newSources(before, events.value);
  const facts = { webhook: id, events: events.value.join(",") };
  return write({ deed: "choose_webhook_events", id, events: events.value, added }, facts);
}

/** While two secrets are alive, asking again is a repeat: a third one would end one that may be in use. */
export function rotateWebhookSecret(
  { id }: Asked<"rotate_webhook_secret">,
  { reading, random }: OwnerScope,
): OwnerDecision {
  const found = findLiveWebhook(id, reading.webhooks);
  if (!found.ok) return refused(found.error);
  if (found.value.secrets.previous !== undefined) {
    return { decision: "unchanged", ...shownOf(found.value) };
  }
  const secrets = rotated(found.value.secrets, newSigningSecret(random));
  return {
    decision: "write",
    deed: { deed: "keep_webhook_secrets", id, secrets },
    facts: { webhook: id },
    ...shownOf({ id, secrets }),
  };
}

export function endWebhookOverlap(
  { id }: Asked<"end_webhook_overlap">,
  { reading }: OwnerScope,
): OwnerDecision {
  const found = findLiveWebhook(id, reading.webhooks);
  if (!found.ok) return refused(found.error);
  const { secrets } = found.value;
  if (secrets.previous === undefined) return UNCHANGED;
  return write({ deed: "keep_webhook_secrets", id, secrets: withoutPrevious(secrets) }, { webhook: id });
}

export function removeWebhook({ id }: Asked<"remove_webhook">, { reading }: OwnerScope): OwnerDecision {
  const found = findWebhook(id, reading.webhooks);
  if (!found.ok) return refused(found.error);
  return found.value.ended ? UNCHANGED : write({ deed: "end_webhook", id }, { webhook: id });
}

/** While one waits for its first attempt, asking again brings no second one. */
export function testWebhook({ id }: Asked<"test_webhook">, scope: OwnerScope): OwnerDecision {
  const { reading, connectionId, random, now: at } = scope;
  const found = findLiveWebhook(id, reading.webhooks);
  if (!found.ok) return refused(found.error);
  if (reading.delivery) return { decision: "unchanged", shown: { delivery_id: reading.delivery.id } };
  const deliveryId = newMessageId(random);
  const news = newsOfTest(connectionId, { endpointId: id, deliveryId, at });
  const delivery = webhookDelivery(news, { id: deliveryId, at });
  return {
    decision: "write",
    deed: { deed: "send_webhook", endpointId: id, delivery },
    facts: { webhook: id, delivery: deliveryId },
    shown: { delivery_id: deliveryId },
  };
}

/** The same message under the same id, whatever became of it: a receiver that has it knows it by its id. */
export function resendDelivery(
  { deliveryId }: Asked<"resend_webhook_delivery">,
  { reading, now }: OwnerScope,
): OwnerDecision {
  const { delivery } = reading;
  if (!delivery) return refused(refuse("webhook_delivery_not_found").error);
  const found = findLiveWebhook(delivery.endpointId, reading.webhooks);
  if (!found.ok) return refused(found.error);
  // Due already: it is as good as sent.
  if (delivery.dueAt !== undefined && delivery.dueAt <= now) return UNCHANGED;
  return write({ deed: "resend_webhook", deliveryId }, { webhook: found.value.id, delivery: deliveryId });
}

function shownOf({ id, secrets }: Pick<WebhookEndpoint, "id" | "secrets">) {
  return { shown: { webhook_id: id }, secret: secrets.current };
}
