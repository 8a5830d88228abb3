import { keepCallback } from "../../db/owner-store.ts";
import { Unavailable } from "../../db/store-calls.ts";
import type { HeldCallback } from "../../domain/callback/pull-callback.ts";
import type { CallbackBook, CallbackChange } from "../../work/callback/deliver-callback.ts";
import type { LedgerCache } from "./ledger-cache.ts";
import type { OwnerVerbs } from "./owner-verbs.ts";
import type { QueueRefusal } from "./queue.ts";

export interface CallbackBookDeps {
  readonly cache: LedgerCache;
  readonly owner: OwnerVerbs;
  readonly jitter: () => Promise<void>;
  /** Waits in the queue, then runs alone. */
  readonly runExclusive: <Outcome extends object>(
    act: () => Promise<Outcome>,
  ) => Promise<Outcome | QueueRefusal>;
}

const ATTEMPTS = 5;

/** The pull callback as D1 has it. Each change is fenced and runs in the connection's queue. */
export function callbackBook(deps: CallbackBookDeps): CallbackBook {
  return {
    async change<Outcome>(by: (held: HeldCallback) => CallbackChange<Outcome>): Promise<Outcome> {
      const settled = await deps.runExclusive(() => changeExclusively(by, deps));
      if ("value" in settled) return settled.value;
      throw new Unavailable(settled.cause);
    },
  };
}

async function changeExclusively<Outcome>(
  by: (held: HeldCallback) => CallbackChange<Outcome>,
  { cache, owner, jitter }: CallbackBookDeps,
): Promise<{ readonly value: Outcome }> {
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    if (tries > 0) await jitter();
    // Load the heads first: any later change then breaks the fence.
    if (!cache.books) await cache.load();
    const reading = await cache.readOwner();
    if (!reading) throw new Unavailable("unknown_connection");
    const { setup, callback } = reading;
    const change = by({ setup, callback });
    if (change.callback === callback) return { value: change.value };
    if (await owner.record((db, of) => [keepCallback(db, of, change.callback)]))
      return { value: change.value };
  }
  throw new Unavailable("contended");
}
