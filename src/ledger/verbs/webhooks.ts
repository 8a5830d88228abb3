import { and, eq, sql } from "drizzle-orm";
import type { WriteOf } from "../../db/ledger-state.ts";
import { webhookDelivery, webhookEndpoint } from "../../db/schema/submission.ts";
import {
  endEndpoint,
  headOf,
  insertDeliveries,
  isAliveEndpoint,
  sendFromNowOn,
} from "../../db/webhooks/webhook-writes.ts";
import {
  newMessageId,
  newSigningSecret,
  rotated,
  type SigningSecrets,
  withoutPrevious,
} from "../../domain/callback/message.ts";
import { newId } from "../../domain/connection/ids.ts";
import { FORM_VERSIONS } from "../../domain/connection/owner-verbs.ts";
import { refuse } from "../../domain/invoice/refusal.ts";
import { webhookDelivery as deliveryOf, type WebhookDelivery } from "../../domain/webhook/delivery.ts";
import {
  areEqual,
  chosenEvents,
  findLiveWebhook,
  findWebhook,
  newSources,
  registerWebhook,
  type WebhookEndpoint,
} from "../../domain/webhook/endpoint.ts";
import type { WebhookEvent, WebhookSource } from "../../domain/webhook/event.ts";
import { eventOfTest } from "../../domain/webhook/published-event.ts";
import {
  type FromForm,
  type OwnerScope,
  ownerReading,
  refused,
  UNCHANGED,
  URL_FIELDS,
  verb,
  verbReading,
  write,
} from "./verb.ts";

interface Named {
  readonly id: string;
}

const EVENT_FIELDS = { webhook_events_missing: "events", webhook_event_unknown: "events" } as const;

/** Its secret is shown once, because the receiver must know it. Earlier events are not sent. */
export const register_webhook = verb<
  { readonly url: string; readonly events: readonly string[] },
  { readonly endpoint: WebhookEndpoint }
>({
  area: "webhooks",
  wakesObject: true,
  fieldOf: { ...URL_FIELDS, ...EVENT_FIELDS, webhook_already_registered: "url" },
  decide(request, { reading, callbackPolicy, random, ledger, now }) {
    const registration = registerWebhook(request, reading.webhooks, { policy: callbackPolicy(), at: now });
    if (!registration.ok) return refused(registration.error);
    if (registration.value.step === "repeat")
      return { decision: "unchanged", ...shownOf(registration.value.endpoint) };
    const { url, events } = registration.value;
    const secrets = { current: newSigningSecret(random) };
    const endpoint = { id: newId("wh", ledger, random), url, secrets, events, createdAt: now };
    const facts = { webhook: endpoint.id, host: new URL(url).host, events: events.join(",") };
    return { ...write({ endpoint }, facts), ...shownOf(endpoint) };
  },
  write(db, { accountId, connectionId }, { endpoint }) {
    const { id, url, secrets, events: chosen, createdAt } = endpoint;
    const events = JSON.stringify(chosen);
    const row = { id, accountId, connectionId, url, secret: secrets.current, events, createdAt };
    return [
      db.insert(webhookEndpoint).values({ ...row, heldSeq: headOf(connectionId) }),
      ...sendFromNowOn(db, connectionId, id, ["issued", "changed"]),
    ];
  },
});

interface ChosenEvents extends Named {
  readonly events: readonly WebhookEvent[];
  /** Sources that send events from now on. */
  readonly added: readonly WebhookSource[];
}

export const choose_webhook_events = verb<
  FromForm & Named & { readonly events: readonly string[] },
  ChosenEvents
>({
  area: "webhooks",
  wakesObject: true,
  fieldOf: EVENT_FIELDS,
  formVersion({ id }, { reading }) {
    const endpoint = reading.webhooks.find((one) => one.id === id);
    return endpoint && FORM_VERSIONS.events(endpoint.events);
  },
  decide({ id, events: named }, { reading }) {
    const found = findLiveWebhook(id, reading.webhooks);
    if (!found.ok) return refused(found.error);
    const events = chosenEvents(named);
    if (!events.ok) return refused(events.error);
    const before = found.value.events;
    if (areEqual(before, events.value)) return UNCHANGED;
    const change = { id, events: events.value, added: newSources(before, events.value) };
    return write(change, { webhook: id, events: events.value.join(",") });
  },
  write: (db, { connectionId }, { id, events, added }) => [
    db
      .update(webhookEndpoint)
      .set({ events: JSON.stringify(events) })
      .where(isAliveEndpoint(connectionId, id)),
    ...sendFromNowOn(db, connectionId, id, added),
  ],
});

interface KeptSecrets extends Named {
  readonly secrets: SigningSecrets;
}

const keepSecrets: WriteOf<KeptSecrets> = (db, { connectionId }, { id, secrets }) => {
  const { current: secret, previous: previousSecret = null } = secrets;
  return [
    db.update(webhookEndpoint).set({ secret, previousSecret }).where(isAliveEndpoint(connectionId, id)),
  ];
};

/**
 * Shows the new secret; the old one stays valid until its owner ends it. While both are valid a repeat
 * changes nothing: a third secret would end one that may be in use.
 */
export const rotate_webhook_secret = verb<Named, KeptSecrets>({
  area: "webhooks",
  wakesObject: false,
  decide({ id }, { reading, random }) {
    const found = findLiveWebhook(id, reading.webhooks);
    if (!found.ok) return refused(found.error);
    if (found.value.secrets.previous !== undefined) {
      return { decision: "unchanged", ...shownOf(found.value) };
    }
    const secrets = rotated(found.value.secrets, newSigningSecret(random));
    return { ...write({ id, secrets }, { webhook: id }), ...shownOf({ id, secrets }) };
  },
  write: keepSecrets,
});

export const end_webhook_overlap = verb<Named, KeptSecrets>({
  area: "webhooks",
  wakesObject: false,
  decide({ id }, { reading }) {
    const found = findLiveWebhook(id, reading.webhooks);
    if (!found.ok) return refused(found.error);
    const { secrets } = found.value;
    if (secrets.previous === undefined) return UNCHANGED;
    return write({ id, secrets: withoutPrevious(secrets) }, { webhook: id });
  },
  write: keepSecrets,
});

export const remove_webhook = verb<Named, Named>({
  area: "webhooks",
  wakesObject: true,
  decide({ id }, { reading }) {
    const found = findWebhook(id, reading.webhooks);
    if (!found.ok) return refused(found.error);
    return found.value.ended ? UNCHANGED : write({ id }, { webhook: id });
  },
  write: (db, { connectionId }, { id }, { at }) => [
    endEndpoint(db, connectionId, { endpointId: id, because: "removed", at }),
  ],
});

interface TestSent {
  readonly endpointId: string;
  readonly delivery: WebhookDelivery;
}

/** While a test waits for its first attempt, a second request adds none. */
export const test_webhook = verbReading<Named, TestSent, OwnerScope>(
  ownerReading(({ id }) => ({ waitingTestOf: id })),
  {
    area: "webhooks",
    wakesObject: true,
    decide({ id }, { reading, connectionId, random, now: at }) {
      const found = findLiveWebhook(id, reading.webhooks);
      if (!found.ok) return refused(found.error);
      if (reading.delivery) return { decision: "unchanged", shown: { delivery_id: reading.delivery.id } };
      const deliveryId = newMessageId(random);
      const event = eventOfTest(connectionId, { endpointId: id, deliveryId, at });
      const delivery = deliveryOf(event, { id: deliveryId, at });
      const sent = write({ endpointId: id, delivery }, { webhook: id, delivery: deliveryId });
      return { ...sent, shown: { delivery_id: deliveryId } };
    },
    write: (db, { connectionId }, { endpointId, delivery }) =>
      insertDeliveries(db, { endpointId, connectionId, deliveries: [delivery] }, sql`true`),
  },
);

interface Resent {
  readonly deliveryId: string;
}

/** The same message under the same id, even after a failed attempt: the receiver knows it by the id. */
export const resend_webhook_delivery = verbReading<Resent, Resent, OwnerScope>(
  ownerReading(({ deliveryId }) => ({ id: deliveryId })),
  {
    area: "webhooks",
    wakesObject: true,
    decide({ deliveryId }, { reading, now }) {
      const { delivery } = reading;
      if (!delivery) return refused(refuse("webhook_delivery_not_found").error);
      const found = findLiveWebhook(delivery.endpointId, reading.webhooks);
      if (!found.ok) return refused(found.error);
      // Already due: it is as good as sent.
      if (delivery.dueAt !== undefined && delivery.dueAt <= now) return UNCHANGED;
      return write({ deliveryId }, { webhook: found.value.id, delivery: deliveryId });
    },
    write(db, { connectionId }, { deliveryId }, { at }) {
      const isThis = and(eq(webhookDelivery.id, deliveryId), eq(webhookDelivery.connectionId, connectionId));
      return [db.update(webhookDelivery).set({ dueAt: at }).where(isThis)];
    },
  },
);

function shownOf({ id, secrets }: Pick<WebhookEndpoint, "id" | "secrets">) {
  return { shown: { webhook_id: id }, secret: secrets.current };
}
