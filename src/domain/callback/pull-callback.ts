import { isSyncReady, type Setup } from "../connection/setup.ts";
import type { Instant } from "../shared/instant.ts";
import {
  beginAttempt,
  type Delivery,
  isDue,
  type MadeAttempt,
  type Moment,
  newDelivery,
  settleAttempt,
  stopDelivery,
} from "./delivery.ts";
import { bodyOf, type OutgoingMessage, type SigningSecrets } from "./message.ts";
import { type CallbackUrlPolicy, checkCallbackUrl, withStoreIds } from "./url.ts";

/** The shop's callback address for pulling orders, and the state of its last call. */
export interface PullCallback {
  /** As `checkCallbackUrl` gave it. */
  readonly url: string;
  readonly secrets: SigningSecrets;
  /** The last delivery; undefined before the first request. */
  readonly delivery: Delivery | undefined;
}

export interface HeldCallback {
  readonly setup: Setup;
  /** Undefined where none is registered, or no more. */
  readonly callback: PullCallback | undefined;
}

export interface Asking {
  /** As it will be once this is stored: step 2 asks with the selection that it makes. */
  readonly setup: Setup;
  /** The id of the delivery that this begins (`newMessageId`). */
  readonly id: string;
  readonly at: Instant;
}

/**
 * A new address keeps the secrets, because the shop is the same. It is called at once after step 2, so that
 * it gets the earlier request too. The same address again changes nothing.
 */
export function registered(
  current: PullCallback | undefined,
  { url, secret }: { readonly url: string; readonly secret: string },
  asking: Asking,
): PullCallback {
  if (current?.url === url) return current;
  return withNewDelivery(
    { url, secrets: current?.secrets ?? { current: secret }, delivery: undefined },
    asking,
  );
}

/** Begins a new delivery that is due now and replaces a pending one. Before step 2 nothing begins. */
export function withNewDelivery(callback: PullCallback, { setup, id, at }: Asking): PullCallback {
  return isSyncReady(setup) ? { ...callback, delivery: newDelivery(id, at) } : callback;
}

/** The next step of a due callback. */
export type Begun =
  | { readonly step: "none" }
  | { readonly step: "stopped" }
  | { readonly step: "call"; readonly message: OutgoingMessage; readonly number: number };

/**
 * Begins an attempt if one is due. The address is checked again, because the allowed addresses may have
 * changed.
 */
export function beginCall(
  { setup, callback }: HeldCallback,
  { policy, ...moment }: Moment & { readonly policy: CallbackUrlPolicy },
): { readonly callback: PullCallback | undefined; readonly begun: Begun } {
  const current = callback?.delivery;
  if (!callback || !current || !isDue(current, moment.at)) return { callback, begun: { step: "none" } };
  if (!checkCallbackUrl(callback.url, policy).ok) {
    return {
      callback: { ...callback, delivery: stopDelivery(current, moment.at) },
      begun: { step: "stopped" },
    };
  }
  const begun = beginAttempt(current, moment);
  const message = pullMessage({ callback, storeIds: setup.storeIds, delivery: begun, at: moment.at });
  return {
    callback: { ...callback, delivery: begun },
    begun: { step: "call", message, number: begun.attempts },
  };
}

/** A newer registration, request or removal wins; this result is discarded. */
export function settleCall(
  callback: PullCallback | undefined,
  attempt: MadeAttempt,
  moment: Moment,
): PullCallback | undefined {
  if (!callback?.delivery) return callback;
  const settled = settleAttempt(callback.delivery, attempt, moment);
  return settled === callback.delivery ? callback : { ...callback, delivery: settled };
}

/** When the shop is called next; undefined when nothing is on its way. */
export function nextCallAt(callback: PullCallback | undefined): Instant | undefined {
  return callback?.delivery?.dueAt;
}

/**
 * The selection is in the address, as the interface defines, and in the body, because only the body is
 * signed. Null: the selection is not managed here and the address omits it.
 */
function pullMessage(pull: {
  readonly callback: PullCallback;
  readonly storeIds: string | null;
  readonly delivery: Delivery;
  readonly at: Instant;
}): OutgoingMessage {
  const { callback, storeIds, at } = pull;
  const { id, askedAt } = pull.delivery;
  return {
    id,
    url: storeIds === null ? callback.url : withStoreIds(callback.url, storeIds),
    body: bodyOf("pull.requested", askedAt, { store_ids: storeIds }),
    secrets: callback.secrets,
    at,
  };
}
