import type { Outcome } from "../usecases/decide-group.ts";
import type { Instruction } from "../usecases/instruction.ts";
import type { CancelOutcome, GateRefusal, IssueOutcome, ReadOutcome, Spent } from "../usecases/outcomes.ts";
import type { Gate, LedgerStore } from "../usecases/ports.ts";
import { asksOnly, type ShopOutcome, type ShopReport } from "../usecases/record-shop.ts";
import { BookKeeper } from "./book-keeper.ts";
import type { Call } from "./call.ts";
import type { Caller, CancellationRequest, ConnectionCalls, PreparedInvoice } from "./calls.ts";
import { type DoorDeps, doorFor, shopDoorFor } from "./door.ts";
import { type GroupQueue, groupQueue, QUEUE_BOUNDS, type QueueBounds } from "./group-queue.ts";
import type { InvoiceReading, StandingReading } from "./loaded.ts";
import { OwnerVerbs } from "./owner-verbs.ts";
import { tokenBucket } from "./rate-limit.ts";
import { readBeside } from "./read-beside.ts";
import { type Course, settle, type Tries } from "./settle.ts";
import { type IssuingDeps, issuingCourse } from "./settle-invoices.ts";
import { shopCourse } from "./settle-shop.ts";
import type { Tally } from "./store-calls.ts";
import { Unavailable, unavailable } from "./unavailable.ts";

export interface LedgerDeps extends Omit<IssuingDeps, "keeper">, Omit<DoorDeps, "bucket"> {
  readonly store: LedgerStore;
  readonly withDeadline: <T>(call: Promise<T>) => Promise<T>;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  readonly bounds?: QueueBounds;
}

type Issuing = { readonly kind: "issuing" } & Call<Instruction, Outcome>;
type Telling = { readonly kind: "shop" } & Call<ShopReport, ShopOutcome>;
type Verb = { readonly kind: "verb"; readonly act: () => Promise<object> };
type Entry = Issuing | Telling | Verb;

/** Of each entry in kind: the queue cannot say which. */
type Answer = object;

/**
 * The books of one connection: it serialises numbering and idempotency. Plain and portable, so that two of
 * them can be set against one database; the Durable Object is a shell around it.
 */
export class Ledger implements ConnectionCalls {
  readonly owner: OwnerVerbs;
  readonly #deps: LedgerDeps;
  readonly #keeper: BookKeeper;
  readonly #queue: GroupQueue<Entry, Answer>;
  readonly #doorDeps: DoorDeps;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
    this.#keeper = new BookKeeper(deps);
    this.#doorDeps = { ...deps, bucket: tokenBucket() };
    this.#queue = groupQueue<Entry, Answer>({
      bounds: deps.bounds ?? QUEUE_BOUNDS,
      after: deps.after,
      serve: (group) => this.#serve(group),
      kindOf: (entry) => entry.kind,
      isAlone: (entry) => entry.kind === "verb",
      turnedAway: (why) => ({ ...unavailable(`queue_${why}`), d1Trips: 0 }),
      broken: (error) => ({ ...this.#broken(error), d1Trips: 0 }),
    });
    const inTurn = async <T extends object>(act: () => Promise<T>) =>
      answerOf<T>(await this.#queue.put({ kind: "verb", act }, 0));
    this.owner = new OwnerVerbs({ ...deps, keeper: this.#keeper, inTurn });
  }

  async issueInvoice(caller: Caller, invoice: PreparedInvoice): Promise<IssueOutcome & Spent> {
    const instruction: Instruction = { kind: "issue", invoice, requestId: caller.requestId };
    return this.#ask(this.#issuing(caller, instruction), sizeOf(invoice));
  }

  async cancelInvoice(caller: Caller, cancellation: CancellationRequest): Promise<CancelOutcome & Spent> {
    const instruction: Instruction = { kind: "cancel", ...cancellation, requestId: caller.requestId };
    return this.#ask(this.#issuing(caller, instruction), sizeOf(cancellation));
  }

  async readInvoice(caller: Caller, externalId: string): Promise<ReadOutcome & Spent> {
    return this.#beside<InvoiceReading, ReadOutcome>(
      doorFor(caller, this.#doorDeps),
      (tally) => this.#keeper.read(externalId, tally),
      ({ invoices: [invoice] }) =>
        invoice ? { outcome: "found", invoice: invoice.view } : { outcome: "unknown" },
    );
  }

  async reportShop(caller: Caller, report: ShopReport): Promise<ShopOutcome & Spent> {
    const refusedBy = shopDoorFor(caller, report.resource, this.#doorDeps);
    if (!asksOnly(report)) return this.#ask({ kind: "shop", item: report, refusedBy }, sizeOf(report));
    return this.#beside<StandingReading, ShopOutcome>(
      refusedBy,
      (tally) => this.#keeper.readStanding(tally),
      ({ standing }) =>
        standing
          ? { outcome: "recorded", created: 0, updated: 0, standing }
          : unavailable("unknown_connection"),
    );
  }

  #issuing(caller: Caller, item: Instruction): Issuing {
    return { kind: "issuing", item, refusedBy: doorFor(caller, this.#doorDeps) };
  }

  async #ask<T>(entry: Issuing | Telling, sizeBytes: number): Promise<T & Spent> {
    const { gate } = this.#keeper;
    const refusal = gate && entry.refusedBy(gate);
    if (refusal) return answerOf<T & Spent>({ ...refusal, d1Trips: 0 });
    return answerOf<T & Spent>(await this.#queue.put(entry, sizeBytes));
  }

  /** Reads pass beside the queue: they number nothing. */
  async #beside<Reading extends { readonly gate: Gate }, Out extends object>(
    refusedBy: (gate: Gate) => Out | undefined,
    read: (tally: Tally) => Promise<Reading>,
    tell: (reading: Reading) => Out,
  ): Promise<(Out | GateRefusal) & Spent> {
    const tally: Tally = { trips: 0 };
    const outcome = await this.#guarded(() =>
      readBeside(this.#keeper.gate, refusedBy, () => read(tally), tell),
    );
    return { ...outcome, d1Trips: tally.trips };
  }

  async #guarded<Out>(read: () => Promise<Out>): Promise<Out | GateRefusal> {
    try {
      return await read();
    } catch (error) {
      return this.#broken(error);
    }
  }

  async #serve(group: readonly Entry[]): Promise<readonly Answer[]> {
    const [first] = group;
    if (first?.kind === "verb") return [await first.act()];
    const { served } = this.#keeper;
    const before = served.trips;
    const settled = await this.#settleKind(group);
    return settled.map((outcome) => ({ ...outcome, d1Trips: served.trips - before }));
  }

  /** A group is of one kind. */
  #settleKind(group: readonly Entry[]): Promise<readonly Answer[]> {
    const deps = { ...this.#deps, keeper: this.#keeper };
    const issuing = group.flatMap((entry) => (entry.kind === "issuing" ? [entry] : []));
    if (issuing.length > 0) return this.#settle(issuing, issuingCourse(deps));
    const telling = group.flatMap((entry) => (entry.kind === "shop" ? [entry] : []));
    return this.#settle(telling, shopCourse(deps));
  }

  async #settle<Item, Out extends object, Tried extends Tries>(
    calls: readonly Call<Item, Out>[],
    course: Course<Item, Out, Tried>,
  ): Promise<readonly (Out | GateRefusal)[]> {
    try {
      return await settle(calls, course, { ...this.#deps, keeper: this.#keeper });
    } catch (error) {
      const outcome = this.#broken(error);
      return calls.map(() => outcome);
    }
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
function sizeOf(request: object): number {
  return encoder.encode(JSON.stringify(request)).length;
}

/** The queue answers each entry in kind: a call with an outcome of its own, a verb likewise. */
function answerOf<T>(answer: Answer): T {
  return answer as T;
}
