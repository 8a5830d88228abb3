import {
  type CallOutcome,
  type Delivery,
  type DeliveryStatus,
  newDelivery,
  standingOf,
} from "../callback/delivery.ts";
import { bodyOf } from "../callback/message.ts";
import type { Instant } from "../shared/instant.ts";
import type { ToldEvent } from "./event.ts";
import type { News } from "./news.ts";

/** A message to one endpoint, in the words of the moment: every attempt sends the same body. */
export interface WebhookDelivery extends Delivery {
  readonly event: ToldEvent;
  readonly subject: string;
  readonly body: string;
}

/** A finished one is kept for so long. */
export const KEPT_MS = 30 * 86_400_000;

export function webhookDelivery(
  { event, subject, happenedAt, data }: News,
  { id, at }: { readonly id: string; readonly at: Instant },
): WebhookDelivery {
  return { ...newDelivery(id, at), event, subject, body: bodyOf(event, happenedAt, data) };
}

/** The status shown to the owner; a delivery due again is pending, regardless of its earlier result. */
export function statusOf(delivery: Delivery): DeliveryStatus {
  const standing = standingOf(delivery);
  const hasEnded = standing === "delivered" || standing === "stopped";
  return hasEnded && delivery.dueAt !== undefined ? "waiting" : standing;
}

/** True if the receiver currently accepts no message: other deliveries need not be tried. */
export function isDown(outcome: CallOutcome): boolean {
  if (outcome.outcome !== "failed") return false;
  switch (outcome.cause) {
    case "no_connection":
    case "timeout":
    case "server_error":
      return true;
    case "client_error":
      return outcome.status === TOO_MANY_REQUESTS;
    default:
      return false;
  }
}

const TOO_MANY_REQUESTS = 429;
