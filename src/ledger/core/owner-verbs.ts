import type { LedgerState, LedgerStore } from "../../db/ledger-state.ts";
import type { Deed, DeliveryAsked, OwnerBatch } from "../../db/owner-state.ts";
import type { CallbackUrlPolicy } from "../../domain/callback/url.ts";
import { newId, type RandomBytes } from "../../domain/connection/ids.ts";
import { COMPANY } from "../../domain/limits.ts";
import { type Instant, localTime } from "../../domain/shared/instant.ts";
import { pageOrigin } from "../../domain/viewer/origin.ts";
import type { VerbOutcome } from "../rpc.ts";
import { decideOwnerRequest, decideUnread, isUnread } from "../verbs/decide-owner-request.ts";
import type { OwnerDecision } from "../verbs/owner-decision.ts";
import { askedBy, decideErasure } from "../verbs/owner-erasure.ts";
import type { ErasureRequest, OwnerRequest, OwnerVerb } from "../verbs/owner-request.ts";
import { settleDuplicate } from "../verbs/owner-submission.ts";
import type { LedgerCache, Taking } from "./ledger-cache.ts";
import { Unavailable, unavailable } from "./unavailable.ts";

export interface VerbDeps {
  readonly cache: LedgerCache;
  readonly store: LedgerStore;
  readonly now: () => Instant;
  readonly random: RandomBytes;
  readonly ledger: string;
  readonly connectionId: string;
  readonly callbackPolicy: CallbackUrlPolicy;
  readonly jitter: () => Promise<void>;
  /** Sets the alarm of the object, unless it is set for earlier. */
  readonly wakeAt: (at: Instant) => Promise<void>;
  /** Waits for its turn in the queue of the connection, and is then served alone. */
  readonly runExclusive: <Outcome extends object>(
    act: () => Promise<Outcome>,
  ) => Promise<Outcome | VerbOutcome>;
}

/**
 * Connections of one account change its settings under each other. In every round one of them gets through,
 * so that as many tries are enough as there may be connections.
 */
const VERB_ATTEMPTS = COMPANY.connections + COMPANY.connectionsForTests;

/** Verbs that leave nothing to be done by itself. Who begins to listen is no such: the object has to look. */
const WITHOUT_WORK: ReadonlySet<OwnerVerb> = new Set<OwnerVerb>([
  ...(["open_key", "revoke_key", "rename_connection", "withdraw_consent"] as const),
  ...(["switch_customer_access", "add_origin", "remove_origin", "refuse_origin"] as const),
  ...(["rotate_webhook_secret", "end_webhook_overlap", "settle_duplicate"] as const),
  ...(["erase_order", "erase_client", "admit_order"] as const),
]);

/** What the owner of a connection does to it: fenced writes in the queue of its calls, each with its line. */
export class OwnerVerbs {
  readonly #deps: VerbDeps;

  constructor(deps: VerbDeps) {
    this.#deps = deps;
  }

  /** What is taken away counts at once, before D1 is told; what is granted once D1 has it. */
  async act(userId: string, request: OwnerRequest): Promise<VerbOutcome> {
    const { runExclusive, cache } = this.#deps;
    const taking = takingOf(request);
    const settled = taking ? cache.take(taking) : () => {};
    const made = new Set<string>();
    const outcome = await runExclusive(() => this.#untilSettled(() => this.#attempt(userId, request, made)));
    settled();
    return outcome;
  }

  /** Undefined when something else came first. `made` are the secrets of this call's earlier attempts. */
  async #attempt(userId: string, request: OwnerRequest, made: Set<string>): Promise<VerbOutcome | undefined> {
    const { cache } = this.#deps;
    // The heads first: whatever changes after them breaks the fence.
    if (!cache.books) await cache.load();
    const decided = await this.#decide(request, cache.usableBooks());
    switch (decided.decision) {
      case "refuse":
        return { outcome: "refused", refusal: decided.refusal };
      case "unchanged":
        // Another instance may have done it, and this one still remember how it was before.
        cache.forgetGate();
        return done(withSecret(decided, made));
      default:
        if (decided.secret !== undefined) made.add(decided.secret);
        return this.#write(userId, request.verb, decided);
    }
  }

  async #decide(request: OwnerRequest, { settings, gate }: LedgerState): Promise<OwnerDecision> {
    const { cache, now, random, ledger, connectionId, callbackPolicy } = this.#deps;
    const at = now();
    const moment = { settings, now: at, today: localTime(at, settings.timeZone).date };
    if (isUnread(request)) return decideUnread(request, { ...moment, keyHashes: gate.keyHashes });
    if (request.verb === "settle_duplicate") {
      const { invoices } = await cache.find({ origins: [], invoiceIds: [request.invoiceId] });
      return settleDuplicate(request, invoices[0]);
    }
    if (isErasure(request)) return decideErasure(request, await cache.readErasable(askedBy(request)));
    const reading = await cache.readOwner(deliveryAsked(request));
    if (!reading) throw new Unavailable("unknown_connection");
    return decideOwnerRequest(request, { ...moment, reading, random, ledger, connectionId, callbackPolicy });
  }

  async #write(
    userId: string,
    verb: OwnerVerb,
    decided: Extract<OwnerDecision, { readonly decision: "write" }>,
  ): Promise<VerbOutcome | undefined> {
    const { cache, store, now, random, ledger, connectionId, wakeAt } = this.#deps;
    const { deed, facts, once } = decided;
    const at = now();
    const id = once === undefined ? newId("al", ledger, random) : `${verb}:${connectionId}:${once}`;
    const batch: OwnerBatch = { deed, at, userId, audit: { id, userId, at, verb, facts } };
    // Armed before the work exists: nothing that is due is ever without an alarm.
    if (!WITHOUT_WORK.has(verb)) await wakeAt(at);
    const result = await cache.change((fence) => store.recordDeed(batch, fence));
    // The line of a deed with an id of its own is there: it was done before.
    if (result === "committed" || (result === "exists" && once !== undefined)) {
      return done(withSecret(decided));
    }
    return undefined;
  }

  /** Without a line: what the service does itself, such as the attempt of a call. */
  async record(deed: Deed): Promise<boolean> {
    const { cache, store, now } = this.#deps;
    const batch: OwnerBatch = { deed, at: now(), userId: "" };
    return (await cache.change((fence) => store.recordDeed(batch, fence))) === "committed";
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

type Showing = Pick<Extract<OwnerDecision, { readonly decision: "write" }>, "shown" | "secret">;

/** A secret is shown to the call that made it, also where an earlier attempt of it did; to no other. */
function withSecret({ shown, secret }: Showing, made?: ReadonlySet<string>): Showing["shown"] {
  const isShown = secret !== undefined && (made === undefined || made.has(secret));
  return isShown ? { ...shown, secret } : shown;
}

/** What a verb takes away from the gate; undefined for one that takes nothing. */
function takingOf(request: OwnerRequest): Taking | undefined {
  switch (request.verb) {
    case "revoke_key":
      return (gate) => ({ ...gate, keyHashes: gate.keyHashes.filter((known) => known !== request.hash) });
    case "switch_customer_access":
      return request.enabled ? undefined : (gate) => ({ ...gate, access: { ...gate.access, isOn: false } });
    case "remove_origin": {
      const leaving = pageOrigin(request.origin) ?? request.origin;
      return (gate) => ({ ...gate, leavingOrigins: [...gate.leavingOrigins, leaving] });
    }
    case "refuse_origin": {
      const refused = pageOrigin(request.origin) ?? request.origin;
      return (gate) => ({
        ...gate,
        leavingOrigins: [...gate.leavingOrigins, refused],
        refusedOrigins: [...gate.refusedOrigins, refused],
      });
    }
    default:
      return undefined;
  }
}

function isErasure(request: OwnerRequest): request is ErasureRequest {
  const { verb } = request;
  return verb === "erase_order" || verb === "erase_client" || verb === "admit_order";
}

/** What a verb has to know of the deliveries of webhooks. */
function deliveryAsked(request: OwnerRequest): DeliveryAsked | undefined {
  switch (request.verb) {
    case "test_webhook":
      return { waitingTestOf: request.id };
    case "resend_webhook_delivery":
      return { id: request.deliveryId };
    default:
      return undefined;
  }
}

function done(shown: Readonly<Record<string, string>> | undefined): VerbOutcome {
  return { outcome: "done", ...(shown ? { shown } : {}) };
}
