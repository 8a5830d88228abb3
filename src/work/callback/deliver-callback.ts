import type { CallOutcome, CallResult } from "../../domain/callback/delivery.ts";
import type { OutgoingMessage } from "../../domain/callback/message.ts";
import {
  type Begun,
  beginCall,
  type HeldCallback,
  nextCallAt,
  type PullCallback,
  settleCall,
} from "../../domain/callback/pull-callback.ts";
import type { CallbackUrlPolicy } from "../../domain/callback/url.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { assertNever } from "../../domain/shared/result.ts";

interface DeliverCallbackDeps {
  readonly book: CallbackBook;
  readonly send: SendMessage;
  readonly policy: CallbackUrlPolicy;
  readonly now: () => Instant;
  /** From 0 to 1. */
  readonly chance: () => number;
}

/** For the line of the log: neither address nor secret nor answer. */
interface CallbackDelivery {
  readonly outcome: CallOutcome;
  /** 0 where nothing was sent. */
  readonly attempt: number;
  /** When the next attempt is due; undefined when there will be none. */
  readonly nextAt: Instant | undefined;
}

/**
 * Makes one attempt if one is due; undefined otherwise. The attempt is stored before the call and settled
 * after it, both in the connection's queue. The call itself runs outside the queue.
 */
export async function deliverCallback(deps: DeliverCallbackDeps): Promise<CallbackDelivery | undefined> {
  const { book, now, policy } = deps;
  const moment = { at: now(), chance: deps.chance(), policy };
  const begun = await book.change<Begun>((held) => {
    const { callback, begun } = beginCall(held, moment);
    return { callback, value: begun };
  });
  switch (begun.step) {
    case "none":
      return undefined;
    case "stopped":
      return {
        outcome: { outcome: "stopped", cause: "url_not_allowed" },
        attempt: 0,
        nextAt: undefined,
      };
    case "call":
      return attempt(begun, deps);
    default:
      return assertNever(begun);
  }
}

async function attempt(
  { message, number }: Extract<Begun, { readonly step: "call" }>,
  { book, send, now, chance }: DeliverCallbackDeps,
): Promise<CallbackDelivery> {
  const result = await send(message);
  const made = { ...result, deliveryId: message.id, number };
  const moment = { at: now(), chance: chance() };
  const nextAt = await book.change(({ callback }) => {
    const settled = settleCall(callback, made, moment);
    return { callback: settled, value: nextCallAt(settled) };
  });
  return { outcome: result.outcome, attempt: number, nextAt };
}

/** Posts a message to a customer's server. Every outcome there is a value; it never throws for one. */
export type SendMessage = (message: OutgoingMessage) => Promise<CallResult>;

export interface CallbackChange<Outcome> {
  /** The same object as before where there is nothing to store; undefined removes it. */
  readonly callback: PullCallback | undefined;
  readonly value: Outcome;
}

/** The pull callback of one connection, as its object keeps it. */
export interface CallbackBook {
  /**
   * Runs in the connection's queue: reads the callback and stores its change in one fenced batch. After a
   * conflict the change is computed again. Throws unless the write is confirmed.
   */
  change<Outcome>(by: (held: HeldCallback) => CallbackChange<Outcome>): Promise<Outcome>;
}
