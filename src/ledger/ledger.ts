import { equalInConstantTime } from "../domain/connection/api-key.ts";
import type { CivilDate } from "../domain/shared/civil-date.ts";
import type { Outcome } from "../usecases/decide-group.ts";
import { citedBy, externalIdOf, type Instruction } from "../usecases/instruction.ts";
import type { CancelOutcome, GateRefusal, IssueOutcome, ReadOutcome, Spent } from "../usecases/outcomes.ts";
import type { Gate, LedgerStore } from "../usecases/ports.ts";
import { BookKeeper, Unavailable } from "./book-keeper.ts";
import type { Caller, CancellationRequest, ConnectionCalls, PreparedInvoice } from "./calls.ts";
import { type GroupQueue, groupQueue, QUEUE_BOUNDS, type QueueBounds } from "./group-queue.ts";
import { tokenBucket } from "./rate-limit.ts";
import { type SettleDeps, settle } from "./settle.ts";

export interface LedgerDeps extends Omit<SettleDeps, "keeper"> {
  readonly store: LedgerStore;
  readonly withDeadline: <T>(call: Promise<T>) => Promise<T>;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  readonly bounds?: QueueBounds;
  /** Requests a minute of a connection that has no limit of its own; 0 for none. */
  readonly defaultRateLimit: number;
}

/** What an owner's verb came to. */
export type VerbOutcome =
  | { readonly outcome: "done" }
  | Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }>;

type Entry =
  | { readonly kind: "call"; readonly caller: Caller; readonly instruction: Instruction; admitted: boolean }
  | { readonly kind: "verb"; readonly act: () => Promise<VerbOutcome> };

type Answer = Outcome & Spent;

const RETRY_AFTER_SECONDS = 2;

/**
 * The books of one connection: it serialises numbering and idempotency. Plain and portable, so that two of them
 * can be set against one database; the Durable Object is a shell around it.
 */
export class Ledger implements ConnectionCalls {
  readonly #deps: LedgerDeps;
  readonly #keeper: BookKeeper;
  readonly #settleDeps: SettleDeps;
  readonly #queue: GroupQueue<Entry, Answer | VerbOutcome>;
  readonly #bucket = tokenBucket();

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
    this.#keeper = new BookKeeper(deps);
    this.#settleDeps = { ...deps, keeper: this.#keeper };
    this.#queue = groupQueue<Entry, Answer | VerbOutcome>({
      bounds: deps.bounds ?? QUEUE_BOUNDS,
      now: deps.now,
      after: deps.after,
      serve: (group) => this.#serve(group),
      isAlone: (entry) => entry.kind === "verb",
      turnedAway: (why) => ({ ...unavailable(`queue_${why}`), d1Trips: 0 }),
      broken: (error) => this.#broken(error),
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
    const before = this.#keeper.trips;
    const spent = () => ({ d1Trips: this.#keeper.trips - before });
    try {
      const { gate } = this.#keeper;
      const refused = gate && this.#refusedAt(gate, caller);
      if (refused) return { ...refused, d1Trips: 0 };
      const invoices = gate
        ? (await this.#keeper.find([externalId])).invoices
        : await this.#keeper.loadForRead([externalId]);
      const refusedCold = gate ? undefined : this.#refusedAt(this.#keeper.gate, caller);
      if (refusedCold) return { ...refusedCold, ...spent() };
      const [invoice] = invoices;
      if (!invoice) return { outcome: "unknown", ...spent() };
      return { outcome: "found", invoice: invoice.view, ...spent() };
    } catch (error) {
      return { ...unavailable(error instanceof Unavailable ? error.reason : "d1"), ...spent() };
    }
  }

  /** Grants a key: it counts once D1 has it. */
  openKey(key: { readonly id: string; readonly hash: string }): Promise<VerbOutcome> {
    const { store, now } = this.#deps;
    return this.#change((fence) => store.addKey({ ...key, at: now() }, fence));
  }

  /** Takes a key away: it stops counting before D1 is told, and stays so should that fail. */
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
    const { gate } = this.#keeper;
    const refused = gate && this.#refusedAt(gate, caller);
    if (refused) return narrow({ ...refused, d1Trips: 0 });
    const answer = await this.#queue.put(
      { kind: "call", caller, instruction, admitted: gate !== undefined },
      sizeBytes,
    );
    return narrow(asAnswer(answer));
  }

  async #serve(group: readonly Entry[]): Promise<readonly (Answer | VerbOutcome)[]> {
    const [first] = group;
    if (first?.kind === "verb") return [await first.act()];
    const before = this.#keeper.trips;
    const calls = group.flatMap((entry) => (entry.kind === "call" ? [entry] : []));
    const instructions = calls.map((call) => call.instruction);
    const ids = instructions.flatMap((instruction) => [externalIdOf(instruction), ...citedBy(instruction)]);
    const opening = this.#keeper.books ? undefined : await this.#keeper.load([...new Set(ids)]);
    const refusals = calls.map((call) =>
      call.admitted ? undefined : this.#refusedAt(this.#keeper.gate, call.caller),
    );
    const admitted = instructions.filter((_, index) => refusals[index] === undefined);
    const settled = admitted.length > 0 ? await settle(admitted, opening, this.#settleDeps) : [];
    const d1Trips = this.#keeper.trips - before;
    let next = 0;
    return refusals.map((refusal) => {
      const outcome = refusal ?? settled[next++] ?? { outcome: "failed", cause: "answered_in_part" };
      return { ...outcome, d1Trips };
    });
  }

  async #change(
    write: Parameters<BookKeeper["change"]>[0],
    taken?: Parameters<BookKeeper["change"]>[1],
  ): Promise<VerbOutcome> {
    const act = async (): Promise<VerbOutcome> => {
      for (let tries = 0; tries < 5; tries++) {
        if (tries > 0) await this.#deps.jitter();
        if ((await this.#keeper.change(write, taken)) === "committed") return { outcome: "done" };
      }
      return unavailable("contended");
    };
    const answer = await this.#queue.put({ kind: "verb", act }, 0);
    return asVerbOutcome(answer);
  }

  #refusedAt(gate: Gate | undefined, caller: Caller): GateRefusal | undefined {
    if (!gate) return unavailable("gate");
    const known = gate.keyHashes.map((hash) => equalInConstantTime(hash, caller.keyHash));
    if (!known.includes(true)) return { outcome: "unauthorized" };
    const admission = this.#bucket.take(gate.rateLimit ?? this.#deps.defaultRateLimit, this.#deps.now());
    if (admission.admitted) return undefined;
    return { outcome: "rate_limited", retryAfterSeconds: admission.retryAfterSeconds };
  }

  #broken(error: unknown): GateRefusal & Spent {
    if (error instanceof Unavailable) return { ...unavailable(error.reason), d1Trips: 0 };
    const name = error instanceof Error ? error.name : "unknown";
    this.#deps.alarm("ledger_broken", { error: name });
    return { outcome: "failed", cause: name, d1Trips: 0 };
  }
}

function unavailable(cause: string): Extract<GateRefusal, { readonly outcome: "unavailable" }> {
  return { outcome: "unavailable", retryAfterSeconds: RETRY_AFTER_SECONDS, cause };
}

/** What a request weighs in the queue: about its size in the database. */
function sizeOf(request: PreparedInvoice | CancellationRequest): number {
  return JSON.stringify(request).length;
}

/** The queue answers each entry in kind: a call with an outcome of its own instruction, a verb with its own. */
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
