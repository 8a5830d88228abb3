import type { LedgerState, WriteChange } from "../../db/ledger-state.ts";
import { keepCallback } from "../../db/owner-store.ts";
import { type StoreCallsDeps, timely, Unavailable, unavailable } from "../../db/store-calls.ts";
import type { HeldCallback } from "../../domain/callback/pull-callback.ts";
import type { CallbackUrlPolicy } from "../../domain/callback/url.ts";
import { newId, type RandomBytes } from "../../domain/connection/ids.ts";
import { COMPANY } from "../../domain/limits.ts";
import { type Instant, localTime } from "../../domain/shared/instant.ts";
import type { CallbackBook, CallbackChange } from "../../work/callback/deliver-callback.ts";
import type { ShopDeps } from "../deliveries/shop-deps.ts";
import type { VerbOutcome } from "../rpc.ts";
import { type OwnerRequest, verbOf } from "../verbs/table.ts";
import type { DecidedVerb, VerbReads } from "../verbs/verb.ts";
import type { LedgerCache, LedgerCacheDeps } from "./ledger-cache.ts";
import type { QueueRefusal } from "./queue.ts";

interface VerbDeps extends StoreCallsDeps {
  readonly cache: LedgerCache;
  readonly store: LedgerCacheDeps["store"];
  readonly now: () => Instant;
  readonly random: RandomBytes;
  readonly ledger: string;
  readonly connectionId: string;
  /** Undefined while the deployment's own hosts are unknown. */
  readonly callbackPolicy: CallbackUrlPolicy | undefined;
  readonly shops: Pick<ShopDeps, "vault" | "sandbox" | "backfills">;
  readonly jitter: () => Promise<void>;
  /** Sets the alarm of the object, unless it is set for earlier. */
  readonly wakeAt: (at: Instant) => Promise<void>;
  /** Waits in the queue of the connection, then runs alone. */
  readonly runExclusive: <Outcome extends object>(
    act: () => Promise<Outcome>,
  ) => Promise<Outcome | VerbOutcome>;
}

/**
 * Connections of one account change its settings concurrently. In every round one of them succeeds, so as
 * many tries suffice as there may be connections.
 */
const VERB_ATTEMPTS = COMPANY.connections + COMPANY.connectionsForTests;

/** An owner changes the connection: fenced writes in the queue, each with its line of the audit log. */
export class OwnerVerbs {
  readonly #deps: VerbDeps;

  constructor(deps: VerbDeps) {
    this.#deps = deps;
  }

  /** Revocations take effect before the write, grants after it. */
  async act(userId: string, request: OwnerRequest): Promise<VerbOutcome> {
    const { runExclusive, cache } = this.#deps;
    const revocation = verbOf(request).revokes?.(request);
    const settled = revocation ? cache.revoke(revocation) : () => {};
    const made = new Set<string>();
    const outcome = await runExclusive(() => this.#untilSettled(() => this.#attempt(userId, request, made)));
    settled();
    return outcome;
  }

  /** A write of the service itself: it has no line in the audit log. */
  async record(write: WriteChange): Promise<boolean> {
    const { cache, store, now } = this.#deps;
    const change = { write, at: now(), userId: "" };
    return (await cache.change((fence) => store.recordChange(change, fence))) === "committed";
  }

  /** Undefined when another write came first. `made` are the secrets of this call's earlier attempts. */
  async #attempt(userId: string, request: OwnerRequest, made: Set<string>): Promise<VerbOutcome | undefined> {
    const { cache } = this.#deps;
    // Load the heads first: any later change then breaks the fence.
    if (!cache.books) await cache.load();
    const decided = await this.#decide(request, cache.usableState());
    switch (decided.decision) {
      case "refuse":
        return { outcome: "refused", refusal: decided.refusal };
      case "unchanged":
        // An earlier batch may still be on its way, and would undo this answer: the fence keeps it out.
        return (await this.record(() => [])) ? done(withSecret(decided, made)) : undefined;
      default:
        if (decided.secret !== undefined) made.add(decided.secret);
        return this.#write(userId, request, decided);
    }
  }

  #decide(request: OwnerRequest, { settings, admission }: LedgerState): Promise<DecidedVerb> {
    const { now: clock, random, ledger, connectionId, callbackPolicy, shops } = this.#deps;
    const now = clock();
    const { date: today } = localTime(now, settings.timeZone);
    const moment = { settings, keyHashes: admission.keyHashes, now, today };
    const knownPolicy = () => {
      if (!callbackPolicy) throw new Unavailable("misconfigured");
      return callbackPolicy;
    };
    const shopPolicy = () => ({ ownHosts: knownPolicy().ownHosts, sandbox: shops.sandbox });
    const scope = { ...moment, random, ledger, connectionId, callbackPolicy: knownPolicy, shopPolicy };
    return verbOf(request).run(request, scope, this.#reads());
  }

  #reads(): VerbReads {
    const { cache, shops } = this.#deps;
    const backfills = timely(shops.backfills, this.#deps);
    return {
      vault: shops.vault,
      backfill: (selected) => backfills.countSelected(selected),
      async owner(delivery) {
        const reading = await cache.readOwner(delivery);
        if (!reading) throw new Unavailable("unknown_connection");
        return reading;
      },
      erasure: (query) => cache.readErasable(query),
      async invoice(invoiceId) {
        const { invoices } = await cache.find({ origins: [], invoiceIds: [invoiceId] });
        return invoices[0];
      },
    };
  }

  async #write(
    userId: string,
    request: OwnerRequest,
    decided: Extract<DecidedVerb, { readonly decision: "write" }>,
  ): Promise<VerbOutcome | undefined> {
    const { cache, store, now, random, ledger, connectionId, wakeAt } = this.#deps;
    const { verb } = request;
    const { wakesObject, onceBy } = verbOf(request);
    const { write, facts } = decided;
    const at = now();
    const once = onceBy?.(request);
    const id = once === undefined ? newId("al", ledger, random) : `${verb}:${connectionId}:${once}`;
    const change = { write, at, userId, audit: { id, userId, at, verb, facts } };
    // Set the alarm before the work exists: due work is never without an alarm.
    if (wakesObject) await wakeAt(at);
    const result = await cache.change((fence) => store.recordChange(change, fence));
    // A line with a given id already exists: an earlier call made the change.
    if (result === "committed" || (result === "exists" && once !== undefined)) {
      return done(withSecret(decided));
    }
    return undefined;
  }

  async #untilSettled<Outcome>(attempt: () => Promise<Outcome | undefined>): Promise<Outcome | VerbOutcome> {
    for (let tries = 0; tries < VERB_ATTEMPTS; tries++) {
      if (tries > 0) await this.#deps.jitter();
      const outcome = await attempt();
      if (outcome !== undefined) return outcome;
    }
    return unavailable("contended");
  }
}

type Showing = Pick<Extract<DecidedVerb, { readonly decision: "write" }>, "shown" | "secret">;

/** A secret is shown only to the call that made it, also if an earlier attempt of that call did. */
function withSecret({ shown, secret }: Showing, made?: ReadonlySet<string>): Showing["shown"] {
  const isShown = secret !== undefined && (made === undefined || made.has(secret));
  return isShown ? { ...shown, secret } : shown;
}

function done(shown: Readonly<Record<string, string>> | undefined): VerbOutcome {
  return { outcome: "done", ...(shown ? { shown } : {}) };
}

interface CallbackBookDeps {
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
