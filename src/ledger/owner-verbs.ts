import type { RandomBytes } from "../domain/connection/ids.ts";
import type { SetupRefusal } from "../domain/connection/setup.ts";
import type { CivilDate } from "../domain/shared/civil-date.ts";
import type { Instant } from "../domain/shared/instant.ts";
import { assertNever } from "../domain/shared/result.ts";
import { type CompleteSetupRequest, decideSetup } from "../usecases/complete-setup.ts";
import type { GateRefusal } from "../usecases/outcomes.ts";
import type { CommitResult, Fence, LedgerStore } from "../usecases/ports.ts";
import type { BookKeeper, Taking } from "./book-keeper.ts";
import { Unavailable, unavailable } from "./unavailable.ts";

/** What an owner's verb came to. */
export type VerbOutcome =
  | { readonly outcome: "done" }
  | Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }>;

export type CompleteSetupOutcome =
  | VerbOutcome
  | { readonly outcome: "refused"; readonly refusal: SetupRefusal };

export interface VerbDeps {
  readonly keeper: BookKeeper;
  readonly store: LedgerStore;
  readonly now: () => Instant;
  readonly random: RandomBytes;
  readonly ledger: string;
  readonly jitter: () => Promise<void>;
  /** Waits for its turn in the queue of the connection, and is then served alone. */
  readonly inTurn: <Outcome extends object>(act: () => Promise<Outcome>) => Promise<Outcome | VerbOutcome>;
}

const VERB_ATTEMPTS = 5;

type Write = (fence: Fence) => Promise<CommitResult>;

/** What the owner of a connection does to it: fenced writes in the queue of its calls. */
export class OwnerVerbs {
  readonly #deps: VerbDeps;

  constructor(deps: VerbDeps) {
    this.#deps = deps;
  }

  /** Grants a key: it counts once D1 has it. */
  openKey(key: { readonly id: string; readonly hash: string }): Promise<VerbOutcome> {
    const { store, now } = this.#deps;
    return this.#change((fence) => store.addKey({ ...key, at: now() }, fence));
  }

  /** Takes a key away: it stops counting at once, before D1 is told, even while the verb waits its turn. */
  async revokeKey(hash: string): Promise<VerbOutcome> {
    const { keeper, store, now } = this.#deps;
    const taking: Taking = (gate) => ({
      ...gate,
      keyHashes: gate.keyHashes.filter((known) => known !== hash),
    });
    const settled = keeper.take(taking);
    const outcome = await this.#change((fence) => store.revokeKey(hash, now(), fence));
    settled();
    return outcome;
  }

  /** The owner's consent to issue through this connection, with the text that they read. */
  giveConsent(consent: {
    readonly id: string;
    readonly grantedBy: string;
    readonly textVersion: string;
    readonly cutoffDate: CivilDate;
  }): Promise<VerbOutcome> {
    const { store, now } = this.#deps;
    return this.#change((fence) => store.addConsent({ ...consent, grantedAt: now() }, fence));
  }

  /** Step 2 of the guided setup: orders are accepted once D1 has it. */
  completeSetup(request: CompleteSetupRequest): Promise<CompleteSetupOutcome> {
    const { inTurn } = this.#deps;
    return inTurn(() => this.#untilSettled(() => this.#tryToComplete(request)));
  }

  /** Undefined when something else came first. */
  async #tryToComplete(request: CompleteSetupRequest): Promise<CompleteSetupOutcome | undefined> {
    const { keeper, store } = this.#deps;
    // The heads first: whatever the shop tells after them breaks the fence.
    if (!keeper.books) await keeper.load([]);
    const shop = await keeper.readShop();
    if (!shop) throw new Unavailable("unknown_connection");
    const decided = decideSetup(request, shop, this.#deps);
    switch (decided.decision) {
      case "refuse":
        return { outcome: "refused", refusal: decided.refusal };
      case "unchanged":
        // Another instance may have done it, and this one still remember how it was before.
        keeper.forgetGate();
        return { outcome: "done" };
      case "select":
        return this.#write((fence) => store.selectStores(decided.selection, fence));
      default:
        return assertNever(decided);
    }
  }

  #change(write: Write): Promise<VerbOutcome> {
    return this.#deps.inTurn(() => this.#untilSettled(() => this.#write(write)));
  }

  async #write(write: Write): Promise<VerbOutcome | undefined> {
    const result = await this.#deps.keeper.change(write);
    return result === "committed" ? { outcome: "done" } : undefined;
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
