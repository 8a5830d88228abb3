import type { AdmissionFacts } from "../../db/ledger-state.ts";
import type { LedgerStore } from "../../db/ledger-store.ts";
import { type TripCounter, Unavailable, unavailable } from "../../db/store-calls.ts";
import type { RejectedStore } from "../../db/submission/submission-status.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { invariant } from "../../domain/shared/result.ts";
import type { MakeFacturae } from "../../platform/facturae-file.ts";
import { namedFault } from "../../platform/log.ts";
import { AlarmClock } from "../../work/alarm-clock.ts";
import type { DueWorkDeps } from "../../work/due-work.ts";
import type { ShopDeps } from "../deliveries/shop-deps.ts";
import type { DecidedInstruction } from "../issue/decide-group.ts";
import type { Instruction } from "../issue/instruction.ts";
import { type IssuingDeps, invoiceSettler } from "../issue/settle-invoices.ts";
import type { DecidedOrder, OrderInstruction } from "../orders/order-outcomes.ts";
import { orderSettler, withReadAhead } from "../orders/settle-orders.ts";
import { type ShopOutcome, type ShopReport, shopSettler } from "../shop/record-shop.ts";
import type { AdmissionDeps } from "./admission.ts";
import type { HighWaterDeps } from "./high-water.ts";
import { LedgerCache } from "./ledger-cache.ts";
import { type SentTestsKeeper, sentTests, tokenBucket } from "./limits.ts";
import type { GateRefusal, TripCount } from "./outcomes.ts";
import {
  type LaneOrder,
  oneAfterAnother,
  openLane,
  QUEUE_BOUNDS,
  Queue,
  type QueueBounds,
  type QueueRefusal,
} from "./queue.ts";
import { type QueuedCall, type Settler, settle, type Tries } from "./settle.ts";

export interface LedgerDeps
  extends Omit<IssuingDeps, "cache">,
    Omit<AdmissionDeps, "bucket" | "sentTests">,
    Omit<DueWorkDeps, "release" | "answer" | "findDue" | "book" | "doShop" | "readMailed">,
    HighWaterDeps {
  readonly connectionId: string;
  readonly store: LedgerStore;
  readonly declined: RejectedStore;
  readonly shops: ShopDeps;
  readonly facturae: MakeFacturae;
  readonly withDeadline: <T>(call: Promise<T>) => Promise<T>;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  /** Sets the alarm of the object, unless it is set for earlier. */
  readonly wakeAt: (at: Instant) => Promise<void>;
  readonly bounds?: QueueBounds;
  /** Without it the note is kept in memory only. */
  readonly sentTests?: SentTestsKeeper;
}

const LOOK_AGAIN_MS = 60_000;

/** A call that is answered by a read, without a place in the queue. */
export interface OutsideQueue<Reading extends { readonly admission: AdmissionFacts }, Out extends object> {
  readonly refusedBy: (facts: AdmissionFacts) => Out | undefined;
  readonly read: (trips: TripCounter) => Promise<Reading>;
  readonly outcome: (reading: Reading) => Out;
}

type Failure = Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }>;
type Settled<Out> = (Out | GateRefusal) & TripCount;
type Settling<Item, Out> = (call: QueuedCall<Item, Out>, sizeBytes: number) => Promise<Settled<Out>>;

/**
 * The object's memory and its queue, which serialises numbering and idempotency of one connection. It needs
 * no Durable Object, so a test can run two of them against one database.
 */
export class LedgerCore {
  readonly deps: LedgerDeps & IssuingDeps;
  readonly cache: LedgerCache;
  readonly clock: AlarmClock;
  readonly admission: AdmissionDeps;
  readonly settleInvoice: Settling<Instruction, DecidedInstruction>;
  readonly settleOrder: Settling<OrderInstruction, DecidedOrder>;
  /** For an order that no caller waits for: callers go first, and wait for its batch only. */
  readonly settleUnawaitedOrder: Settling<OrderInstruction, DecidedOrder>;
  readonly settleReport: Settling<ShopReport, ShopOutcome>;
  #lookedAt: Instant = 0;
  readonly #runAlone: (act: () => Promise<void>, sizeBytes: number) => Promise<"done" | QueueRefusal>;

  constructor(deps: LedgerDeps) {
    this.clock = new AlarmClock(deps);
    this.cache = new LedgerCache({ ...deps, clock: this.clock });
    this.deps = { ...deps, cache: this.cache };
    this.admission = { ...deps, bucket: tokenBucket(), sentTests: sentTests(deps.sentTests) };
    const queue = new Queue({
      bounds: deps.bounds ?? QUEUE_BOUNDS,
      after: deps.after,
      turnedAway: (why) => ({ ...unavailable(`queue_${why}`), d1Trips: 0 }),
      failed: (error) => ({ ...this.#broken(error), d1Trips: 0 }),
    });
    this.settleInvoice = this.#settling(queue, invoiceSettler(this.deps));
    this.settleOrder = this.#settling(queue, orderSettler(this.deps));
    const settleYielding = this.#settling(queue, orderSettler(this.deps), { yields: true });
    const next = oneAfterAnother();
    // A decision of another order in between would make the second read necessary.
    this.settleUnawaitedOrder = ({ item, refusedBy }, sizeBytes) =>
      next(async () => settleYielding({ item: await withReadAhead(item, this.deps), refusedBy }, sizeBytes));
    this.settleReport = this.#settling(queue, shopSettler(this.deps));
    this.#runAlone = openLane(queue, {
      runsAlone: true,
      async serve(acts: readonly (() => Promise<void>)[]) {
        for (const act of acts) await act();
        return acts.map(() => "done" as const);
      },
    });
  }

  /** Waits in the queue, then runs alone. */
  async runExclusive<T extends object>(act: () => Promise<T>): Promise<T | QueueRefusal> {
    const results: T[] = [];
    const reply = await this.#runAlone(async () => {
      results.push(await act());
    }, 0);
    if (reply !== "done") return reply;
    const [result] = results;
    invariant(result, "what was done has a result");
    return result;
  }

  /** A read numbers nothing, so it need not wait in the queue. */
  async outsideQueue<Reading extends { readonly admission: AdmissionFacts }, Out extends object>({
    refusedBy,
    read,
    outcome,
  }: OutsideQueue<Reading, Out>): Promise<(Out | GateRefusal) & TripCount> {
    const trips: TripCounter = { trips: 0 };
    const answered = await this.guarded(async () => {
      const { admission } = this.cache;
      const refusal = admission && refusedBy(admission);
      if (refusal) return refusal;
      const reading = await read(trips);
      return refusedBy(reading.admission) ?? outcome(reading);
    });
    return { ...answered, d1Trips: trips.trips };
  }

  /** Turns an exception into an outcome. */
  async guarded<Out>(read: () => Promise<Out>): Promise<Out | Failure> {
    try {
      return await read();
    } catch (error) {
      return this.#broken(error);
    }
  }

  /** Opens a separate lane for one kind of calls. */
  #settling<Item, Out extends object, Tried extends Tries>(
    queue: Queue,
    settler: Settler<Item, Out, Tried>,
    order: LaneOrder = {},
  ): Settling<Item, Out> {
    const put = openLane<QueuedCall<Item, Out>, Settled<Out>>(queue, {
      ...order,
      serve: (calls) => this.#settle(calls, settler),
    });
    return async (call, sizeBytes) => {
      const reading = this.admission.sentTests.reading();
      if (reading) await reading;
      const { admission } = this.cache;
      const refusal = admission && call.refusedBy(admission);
      if (refusal && admission.sendsTests) this.#lookAgain();
      return refusal ? { ...refusal, d1Trips: 0 } : put(call, sizeBytes);
    };
  }

  /** Forgets the facts once a minute at most, so that the next call sees a newly verified company. */
  #lookAgain(): void {
    const now = this.deps.now();
    if (now - this.#lookedAt < LOOK_AGAIN_MS) return;
    this.#lookedAt = now;
    void this.runExclusive(async () => {
      this.cache.forgetAdmission();
      return {};
    });
  }

  async #settle<Item, Out extends object, Tried extends Tries>(
    calls: readonly QueuedCall<Item, Out>[],
    settler: Settler<Item, Out, Tried>,
  ): Promise<readonly Settled<Out>[]> {
    const { served } = this.cache;
    const before = served.trips;
    const settled = await this.#settleOrFail(calls, settler);
    return settled.map((outcome) => ({ ...outcome, d1Trips: served.trips - before }));
  }

  async #settleOrFail<Item, Out, Tried extends Tries>(
    calls: readonly QueuedCall<Item, Out>[],
    settler: Settler<Item, Out, Tried>,
  ): Promise<readonly (Out | GateRefusal)[]> {
    try {
      return await settle(calls, settler, this.deps);
    } catch (error) {
      const outcome = this.#broken(error);
      return calls.map(() => outcome);
    }
  }

  #broken(error: unknown): Failure {
    if (error instanceof Unavailable) return error.outcome;
    const fault = namedFault(error);
    this.deps.alertOperator("ledger_broken", fault);
    return { outcome: "failed", cause: fault.error };
  }
}

/** The weight of a request in the queue: about its size in the database, which counts UTF-8 bytes. */
export function sizeOf(request: object): number {
  return new TextEncoder().encode(JSON.stringify(request)).length;
}
