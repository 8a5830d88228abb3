import type { CallOutcome, DeliveryStatus } from "../../domain/callback/delivery.ts";
import type { SigningSecrets } from "../../domain/callback/message.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { WebhookDelivery } from "../../domain/webhook/delivery.ts";
import type { EndedWebhook, WebhookEnd } from "../../domain/webhook/endpoint.ts";
import type { ToldEvent, WebhookEvent } from "../../domain/webhook/event.ts";
import type { Heads, Listener, Page, PageRead, Passage } from "../../domain/webhook/page.ts";

/** An endpoint with its cursors. */
export interface StandingWebhook extends Listener {
  readonly url: string;
  readonly ended?: EndedWebhook;
  /** When its next attempt is due; undefined when nothing is on its way. */
  readonly nextDueAt?: Instant;
  /** When the oldest of its deliveries was made. */
  readonly oldestAt?: Instant;
}

export interface WebhookStatus {
  /** Frozen accounts get no calls. */
  readonly frozen: boolean;
  /** Including ended ones, while they are kept. */
  readonly webhooks: readonly StandingWebhook[];
  readonly heads: Heads;
}

/** One attempt, written before it is made. */
export interface BegunAttempt {
  readonly before: WebhookDelivery;
  readonly begun: WebhookDelivery;
}

export interface Begun {
  /** The ids that this instance may send; another instance has the others. */
  readonly ids: readonly string[];
  /** Undefined where the endpoint has ended meanwhile. */
  readonly target?: { readonly url: string; readonly secrets: SigningSecrets };
}

/** The end of an endpoint that its own answer brought. */
export interface EndOfWebhook {
  readonly endpointId: string;
  readonly because: WebhookEnd;
  readonly at: Instant;
}

/** An endpoint as its owner sees it, without secrets. */
export interface WebhookListing {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** Two secrets are alive. */
  readonly rotating: boolean;
  readonly createdAt: Instant;
  readonly ended?: EndedWebhook;
}

export interface WebhookLogEntry {
  readonly id: string;
  readonly event: ToldEvent;
  readonly subject: string;
  readonly status: DeliveryStatus;
  /** Attempts begun. */
  readonly attempts: number;
  readonly askedAt: Instant;
  readonly lastAt?: Instant;
  readonly lastOutcome?: CallOutcome;
  /** When it is tried next. */
  readonly nextAt?: Instant;
}

/** The entry that a page ends with; the next page follows it. */
export interface LogPlace {
  readonly askedAt: Instant;
  readonly row: number;
}

export interface LogQuery {
  readonly endpointId: string;
  readonly after?: LogPlace;
  readonly limit: number;
}

export interface LogPage {
  /** Newest first. */
  readonly entries: readonly WebhookLogEntry[];
  /** Undefined on the last page. */
  readonly next?: LogPlace;
}

/**
 * Webhooks of one connection, outside the books and their fence: they never delay issuing. Concurrent
 * instances are settled row by row. Every method is one D1 round trip.
 */
export interface WebhookStore {
  readStanding(): Promise<WebhookStatus>;
  readPages(pages: readonly Page[]): Promise<readonly PageRead[]>;
  /** Each passage is written as a whole; one with an outdated cursor writes nothing. */
  pass(passages: readonly Passage[]): Promise<void>;
  /** The oldest due ones. */
  readDue(asked: DueQuery): Promise<readonly WebhookDelivery[]>;
  begin(endpointId: string, attempts: readonly BegunAttempt[]): Promise<Begun>;
  /** A result that is too late for its attempt changes nothing. */
  settle(settled: readonly WebhookDelivery[], end?: EndOfWebhook): Promise<void>;
  end(end: EndOfWebhook): Promise<void>;
  /** Ends deliveries of endpoints that have ended; how many they were. */
  stop(at: Instant, limit: number): Promise<number>;
  /** Forgets finished deliveries made before then, and endpoints that ended before then; how many. */
  forget(before: Instant, limit: number): Promise<number>;
  list(): Promise<readonly WebhookListing[]>;
  listDeliveries(asked: LogQuery): Promise<LogPage>;
}

export interface DueQuery {
  readonly endpointId: string;
  readonly at: Instant;
  readonly limit: number;
}
