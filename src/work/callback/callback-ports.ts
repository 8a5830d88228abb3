import type { OutgoingMessage } from "../../domain/callback/message.ts";
import type { CallResult } from "../../domain/callback/outcome.ts";
import type { HeldCallback, PullCallback } from "../../domain/callback/pull-callback.ts";

/** Posts a message to a customer's server. Whatever happens there is a value; it never throws for it. */
export type SendMessage = (message: OutgoingMessage) => Promise<CallResult>;

export interface CallbackChange<Told> {
  /** The same object as before where there is nothing to store; undefined removes it. */
  readonly callback: PullCallback | undefined;
  readonly told: Told;
}

/** The pull callback of one connection, as its object keeps it. */
export interface CallbackBook {
  /**
   * In the turn of the connection: reads what stands, and stores what the change makes of it in one batch
   * behind the fence, before it answers. Where something came first, the change is asked anew about what
   * stands then. Throws when it is not known to be stored.
   */
  change<Told>(by: (held: HeldCallback) => CallbackChange<Told>): Promise<Told>;
}
