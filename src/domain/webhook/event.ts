/** The events a caller can subscribe to. */
export const WEBHOOK_EVENTS = [
  "invoice.issued",
  "record.accepted",
  "record.accepted_with_errors",
  "record.rejected",
  "order.held",
  "order.invoiced",
  "invoice.emailed",
  "invoice.email_failed",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Sent when the owner asks for it, and never chosen. */
export const TEST_EVENT = "webhook.test";
export type DeliveredEvent = WebhookEvent | typeof TEST_EVENT;

/**
 * Sources of events: positions of a chain, final states of its records, orders that became held. Issuing
 * writes nothing extra for them. Mails have no cursor: their final states are written with their events.
 */
export const WEBHOOK_SOURCES = ["issued", "changed", "held", "mailed"] as const;
export type WebhookSource = (typeof WEBHOOK_SOURCES)[number];

const SOURCE_OF: Readonly<Record<WebhookEvent, WebhookSource>> = {
  "invoice.issued": "issued",
  "record.accepted": "changed",
  "record.accepted_with_errors": "changed",
  "record.rejected": "changed",
  "order.held": "held",
  "order.invoiced": "issued",
  "invoice.emailed": "mailed",
  "invoice.email_failed": "mailed",
};

export function isWebhookEvent(text: string): text is WebhookEvent {
  return Object.hasOwn(SOURCE_OF, text);
}

export function sourcesOf(events: readonly WebhookEvent[]): ReadonlySet<WebhookSource> {
  return new Set(events.map((event) => SOURCE_OF[event]));
}

/** The events of one source. */
export function eventsOf(source: WebhookSource): readonly WebhookEvent[] {
  return WEBHOOK_EVENTS.filter((event) => SOURCE_OF[event] === source);
}
