import type { OutgoingMessage } from "../../domain/callback/message.ts";
import type { CallResult } from "../../domain/callback/outcome.ts";
import type { HeldCallback, PullCallback } from "../../domain/callback/pull-callback.ts";

/** Posts a message to a customer's server. Every outcome there is a value; it never throws for one. */
export type SendMessage = (message: OutgoingMessage) => Promise<CallResult>;

export interface CallbackChange<Told> {
  /** The same object as before where there is nothing to store; undefined removes it. */
  readonly callback: PullCallback | undefined;
  readonly told: Told;
}

/** The pull callback of one connection, as its object keeps it. */
export interface CallbackBook {
  /**
   * Runs in the connection's queue: reads the callback and stores its change in one fenced batch. After a
   * conflict the change is computed again. Throws unless the write is confirmed.
   */
  change<Told>(by: (held: HeldCallback) => CallbackChange<Told>): Promise<Told>;
}
