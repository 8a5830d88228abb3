import type { CivilDate } from "../domain/shared/civil-date.ts";
import type { Outcome } from "../usecases/decide-group.ts";
import type { Instruction } from "../usecases/instruction.ts";
import type { CancelOutcome, GateRefusal, IssueOutcome, ReadOutcome, Spent } from "../usecases/outcomes.ts";
import type { LedgerStore } from "../usecases/ports.ts";
import { BookKeeper, type Taking, type Tally } from "./book-keeper.ts";
import type { Call } from "./call.ts";
import type { Caller, CancellationRequest, ConnectionCalls, PreparedInvoice } from "./calls.ts";
import { type DoorDeps, doorFor } from "./door.ts";
import { type GroupQueue, groupQueue, QUEUE_BOUNDS, type QueueBounds } from "./group-queue.ts";
import { tokenBucket } from "./rate-limit.ts";
import { type SettleDeps, settle } from "./settle.ts";
import { Unavailable, unavailable } from "./unavailable.ts";

export interface LedgerDeps extends Omit<SettleDeps, "keeper">, Omit<DoorDeps, "bucket"> {
  readonly store: LedgerStore;
  readonly withDeadline: <T>(call: Promise<T>) => Promise<T>;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  readonly bounds?: QueueBounds;
}

/** What an owner's verb came to. */
export type VerbOutcome =
  | { readonly outcome: "done" }
  | Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }>;

type Entry =
  | ({ readonly kind: "call" } & Call)
  | { readonly kind: "verb"; readonly act: () => Promise<VerbOutcome> };

type Answer = Outcome & Spent;

const VERB_ATTEMPTS = 5;

/**
 * The books of one connection: it serialises numbering and idempotency. Plain and portable, so that two of
 * them can be set against one database; the Durable Object is a shell around it.
 */
export class Ledger implements ConnectionCalls {
  readonly #deps: LedgerDeps;
  readonly #keeper: BookKeeper;
  readonly #settleDeps: SettleDeps;
  readonly #queue: GroupQueue<Entry, Answer | VerbOutcome>;
  readonly #doorDeps: DoorDeps;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
    this.#keeper = new BookKeeper(deps);
    this.#settleDeps = { ...deps, keeper: this.#keeper };
    this.#doorDeps = { ...deps, bucket: tokenBucket() };
    this.#queue = groupQueue<Entry, Answer | VerbOutcome>({
      bounds: deps.bounds ?? QUEUE_BOUNDS,
      after: deps.after,
      serve: (group) => this.#serve(group),
      isAlone: (entry) => entry.kind === "verb",
      turnedAway: (why) => ({ ...unavailable(`queue_${why}`), d1Trips: 0 }),
      broken: (error) => ({ ...this.#broken(error), d1Trips: 0 }),
    });
  }

  async issueInvoice(caller: Caller, invoice: PreparedInvoice): Promise<IssueOutcome & Spent> {
    const instruction: Instruction = { kind: "issue", invoice, requestId: caller.requestId };
    return this.#ask(caller, instruction, sizeOf(invoice), asIssueOutcome);
  }

  async cancelInvoice(caller: Caller, cancellation: CancellationRequest): Promise<CancelOutcome & Spent> {
    const instruction: Instruction = { kind: "cancel", ...cancellation, requestId: caller.requestId };
    return this.#ask(caller, instruction, sizeOf(cancellation), asCancelOutcome);
  }

  /** Reads pass beside the queue: they number nothing. */
  async readInvoice(caller: Caller, externalId: string): Promise<ReadOutcome & Spent> {
    const tally: Tally = { trips: 0 };
    const outcome = await this.#read(caller, externalId, tally);
    return { ...outcome, d1Trips: tally.trips };
  }

  /** Grants a key: it counts once D1 has it. */
  openKey(key: { readonly id: string; readonly hash: string }): Promise<VerbOutcome> {
    const { store, now } = this.#deps;
    return this.#change((fence) => store.addKey({ ...key, at: now() }, fence));
  }

  /** Takes a key away: it stops counting at once, before D1 is told. */
  revokeKey(hash: string): Promise<VerbOutcome> {
    const { store, now } = this.#deps;
    return this.#change(
      (fence) => store.revokeKey(hash, now(), fence),
      (gate) => ({ ...gate, keyHashes: gate.keyHashes.filter((known) => known !== hash) }),
    );
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

  async #ask<T>(
    caller: Caller,
    instruction: Instruction,
    sizeBytes: number,
    narrow: (answer: Answer) => T,
  ): Promise<T> {
    const refusedBy = doorFor(caller, this.#doorDeps);
    const { gate } = this.#keeper;
    const refusal = gate && refusedBy(gate);
    if (refusal) return narrow({ ...refusal, d1Trips: 0 });
    return narrow(asAnswer(await this.#queue.put({ kind: "call", instruction, refusedBy }, sizeBytes)));
  }

  async #read(caller: Caller, externalId: string, tally: Tally): Promise<ReadOutcome> {
    const refusedBy = doorFor(caller, this.#doorDeps);
    const { gate } = this.#keeper;
    try {
      const refusal = gate && refusedBy(gate);
      if (refusal) return refusal;
      const reading = await this.#keeper.read(externalId, tally);
      const refusedNow = refusedBy(reading.gate);
      if (refusedNow) return refusedNow;
      const [invoice] = reading.invoices;
      return invoice ? { outcome: "found", invoice: invoice.view } : { outcome: "unknown" };
    } catch (error) {
      return this.#broken(error);
    }
  }

  async #serve(group: readonly Entry[]): Promise<readonly (Answer | VerbOutcome)[]> {
    const [first] = group;
    if (first?.kind === "verb") return [await first.act()];
    const { served } = this.#keeper;
    const before = served.trips;
    const outcomes = await this.#settle(group.flatMap((entry) => (entry.kind === "call" ? [entry] : [])));
    return outcomes.map((outcome) => ({ ...outcome, d1Trips: served.trips - before }));
  }

  async #settle(calls: readonly Call[]): Promise<readonly Outcome[]> {
    try {
      return await settle(calls, this.#settleDeps);
    } catch (error) {
      const outcome = this.#broken(error);
      return calls.map(() => outcome);
    }
  }

  /** What it takes away is gone for every call from here on, even while the verb waits its turn. */
  async #change(write: Parameters<BookKeeper["change"]>[0], taking?: Taking): Promise<VerbOutcome> {
    const act = async (): Promise<VerbOutcome> => {
      for (let tries = 0; tries < VERB_ATTEMPTS; tries++) {
        if (tries > 0) await this.#deps.jitter();
        if ((await this.#keeper.change(write)) === "committed") return { outcome: "done" };
      }
      return unavailable("contended");
    };
    const settled = taking ? this.#keeper.take(taking) : () => {};
    const answer = await this.#queue.put({ kind: "verb", act }, 0);
    settled();
    return asVerbOutcome(answer);
  }

  #broken(error: unknown): Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }> {
    if (error instanceof Unavailable) return error.outcome;
    const cause = error instanceof Error ? error.name : "unknown";
    this.#deps.alarm("ledger_broken", { error: cause });
    return { outcome: "failed", cause };
  }
}

const encoder = new TextEncoder();

/** What a request weighs in the queue: about its size in the database, which counts UTF-8. */
function sizeOf(request: PreparedInvoice | CancellationRequest): number {
  return encoder.encode(JSON.stringify(request)).length;
}

/** The queue answers each entry in kind: a call with an outcome of its instruction, a verb with its own. */
function asAnswer(answer: Answer | VerbOutcome): Answer {
  return answer as Answer;
}

function asIssueOutcome(answer: Answer): IssueOutcome & Spent {
  return answer as IssueOutcome & Spent;
}

function asCancelOutcome(answer: Answer): CancelOutcome & Spent {
  return answer as CancelOutcome & Spent;
}

function asVerbOutcome(answer: Answer | VerbOutcome): VerbOutcome {
  return answer as VerbOutcome;
}
