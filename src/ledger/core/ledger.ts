import type { Gate, LedgerStore } from "../../db/ledger-state.ts";
import type { DeclinedStore } from "../../db/submission/submission-standing.ts";
import { directOrigin } from "../../domain/invoice/origin.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { AlarmClock } from "../../work/alarm-clock.ts";
import type { CallbackBook } from "../../work/callback/callback-ports.ts";
import { AT_REST, type DueWorkDeps, doDueWork } from "../../work/due-work.ts";
import { customerCalls } from "../access/customer-calls.ts";
import type { Caller, CancellationRequest, ConnectionCalls, PreparedInvoice } from "../calls.ts";
import { type RecordCalls, recordCalls } from "../corrections/record-calls.ts";
import { declinedFor } from "../corrections/resend-records.ts";
import type { Outcome } from "../issue/decide-group.ts";
import type { Instruction } from "../issue/instruction.ts";
import type { InvoicePreviewOutcome } from "../issue/preview-invoice.ts";
import { type IssuingDeps, issuingCourse } from "../issue/settle-invoices.ts";
import type { OrderInstruction, OwnerAnswering } from "../orders/order-instruction.ts";
import type {
  AnswerOutcome,
  InstructionOutcome,
  OrderOutcome,
  OrderSubmission,
  ReadOrderOutcome,
} from "../orders/order-outcomes.ts";
import { type OwnerOrderCalls, ownerOrderCalls } from "../orders/owner-order-calls.ts";
import { beginRun, releaseChunk } from "../orders/release.ts";
import { orderCourse } from "../orders/settle-orders.ts";
import { viewRead } from "../orders/view-order.ts";
import { asksOnly, type ShopOutcome, type ShopReport } from "../shop/record-shop.ts";
import { shopCourse } from "../shop/settle-shop.ts";
import { BookKeeper } from "./book-keeper.ts";
import type { Call } from "./call.ts";
import { callbackBook } from "./callback-book.ts";
import { type DoorDeps, doorFor, refusedKey, shopDoorFor } from "./door.ts";
import { type GroupQueue, groupQueue, QUEUE_BOUNDS, type QueueBounds } from "./group-queue.ts";
import type { HighWaterDeps } from "./high-water.ts";
import type { InvoiceReading, OrderReading, StandingReading } from "./loaded.ts";
import type { CancelOutcome, GateRefusal, IssueOutcome, KeyOutcome, ReadOutcome, Spent } from "./outcomes.ts";
import { OwnerVerbs } from "./owner-verbs.ts";
import { tokenBucket } from "./rate-limit.ts";
import { readBeside } from "./read-beside.ts";
import { readOrRefuse } from "./read-or-refuse.ts";
import { type Course, settle, type Tries } from "./settle.ts";
import type { Tally } from "./store-calls.ts";
import { Unavailable, unavailable, waitsForOperator } from "./unavailable.ts";
import { type WebhookLog, webhookLog } from "./webhook-log.ts";

export interface LedgerDeps
  extends Omit<IssuingDeps, "keeper">,
    Omit<DoorDeps, "bucket">,
    Omit<DueWorkDeps, "release" | "book">,
    HighWaterDeps {
  readonly connectionId: string;
  readonly store: LedgerStore;
  readonly declined: DeclinedStore;
  readonly withDeadline: <T>(call: Promise<T>) => Promise<T>;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  /** Sets the alarm of the object, unless it is set for earlier. */
  readonly wakeAt: (at: Instant) => Promise<void>;
  readonly bounds?: QueueBounds;
}

type Issuing = { readonly kind: "issuing" } & Call<Instruction, Outcome>;
type Ordering = { readonly kind: "orders" } & Call<OrderInstruction, InstructionOutcome>;
type Telling = { readonly kind: "shop" } & Call<ShopReport, ShopOutcome>;
type Verb = { readonly kind: "verb"; readonly act: () => Promise<object> };
type Entry = Issuing | Ordering | Telling | Verb;

type QueueRefusal = Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }>;

/** Of each entry in kind: the queue cannot say which. */
type Answer = object;

/**
 * The books of one connection: it serialises numbering and idempotency. Plain and portable, so that two of
 * them can be set against one database; the Durable Object is a shell around it.
 */
export class Ledger implements ConnectionCalls {
  readonly owner: OwnerVerbs;
  readonly orders: OwnerOrderCalls;
  readonly records: RecordCalls;
  readonly webhookLog: WebhookLog;
  readonly findAvailable: ConnectionCalls["findAvailable"];
  readonly admitCustomers: ConnectionCalls["admitCustomers"];
  readonly openAccess: ConnectionCalls["openAccess"];
  readonly viewInvoices: ConnectionCalls["viewInvoices"];
  readonly #deps: LedgerDeps;
  readonly #keeper: BookKeeper;
  readonly #clock: AlarmClock;
  readonly #queue: GroupQueue<Entry, Answer>;
  readonly #doorDeps: DoorDeps;
  readonly #callbacks: CallbackBook;

  constructor(deps: LedgerDeps) {
    this.#deps = deps;
    this.#clock = new AlarmClock(deps);
    this.#keeper = new BookKeeper({ ...deps, clock: this.#clock });
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
    const inTurn = <T extends object>(act: () => Promise<T>) => this.#inTurn(act);
    this.owner = new OwnerVerbs({ ...deps, keeper: this.#keeper, inTurn });
    this.webhookLog = webhookLog(deps);
    this.#callbacks = callbackBook({ ...deps, keeper: this.#keeper, owner: this.owner, inTurn });
    this.orders = ownerOrderCalls((item) =>
      this.#ask({ kind: "orders", item, refusedBy: () => undefined }, sizeOf(item)),
    );
    this.records = recordCalls({
      keeper: this.#keeper,
      declined: (invoiceId) => readOrRefuse(() => deps.declined.readDeclined(declinedFor(invoiceId)), deps),
      ask: (item) => this.#ask({ kind: "issuing", item, refusedBy: () => undefined }, sizeOf(item)),
      beside: (read, tell) => this.#beside(() => undefined, read, tell),
    });
    const customers = customerCalls({
      keeper: this.#keeper,
      door: this.#doorDeps,
      beside: (refusedBy, read, tell) => this.#beside(refusedBy, read, tell),
      guarded: (read) => this.#guarded(read),
    });
    ({
      findAvailable: this.findAvailable,
      admitCustomers: this.admitCustomers,
      openAccess: this.openAccess,
      viewInvoices: this.viewInvoices,
    } = customers);
  }

  async admit(caller: Caller): Promise<KeyOutcome & Spent> {
    return this.#beside<{ readonly gate: Gate }, KeyOutcome>(
      (gate) => refusedKey(caller, gate),
      async (tally) => ({ gate: await this.#keeper.readGate(tally) }),
      () => ({ outcome: "admitted" }),
    );
  }

  async issueInvoice(caller: Caller, invoice: PreparedInvoice): Promise<IssueOutcome & Spent> {
    const instruction: Instruction = { kind: "issue", invoice, requestId: caller.requestId };
    return this.#ask(this.#issuing(caller, instruction), sizeOf(invoice));
  }

  async previewInvoice(caller: Caller, invoice: PreparedInvoice): Promise<InvoicePreviewOutcome & Spent> {
    const instruction: Instruction = { kind: "preview", invoice, requestId: caller.requestId };
    return this.#ask(this.#issuing(caller, instruction), sizeOf(invoice));
  }

  async cancelInvoice(caller: Caller, cancellation: CancellationRequest): Promise<CancelOutcome & Spent> {
    const instruction: Instruction = { kind: "cancel", ...cancellation, requestId: caller.requestId };
    return this.#ask(this.#issuing(caller, instruction), sizeOf(cancellation));
  }

  async readInvoice(caller: Caller, externalId: string): Promise<ReadOutcome & Spent> {
    return this.#beside<InvoiceReading, ReadOutcome>(
      doorFor(caller, this.#doorDeps),
      (tally) => this.#keeper.read({ origins: [directOrigin(externalId)] }, tally),
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

  async submitOrder(caller: Caller, submission: OrderSubmission): Promise<OrderOutcome & Spent> {
    const refusedBy = shopDoorFor(caller, "order", this.#doorDeps);
    const item: OrderInstruction = { kind: "submit", submission, requestId: caller.requestId };
    return this.#ask({ kind: "orders", item, refusedBy }, sizeOf(submission));
  }

  /** What an owner does to one order: it waits its turn among the orders that come. */
  async answerOrder(answering: OwnerAnswering): Promise<AnswerOutcome & Spent> {
    const item: OrderInstruction = { kind: "answer", ...answering };
    return this.#ask({ kind: "orders", item, refusedBy: () => undefined }, sizeOf(answering));
  }

  /** The owner has an order decided again as it stands, under what is declared today. */
  async decideAgain(asking: Omit<OwnerAnswering, "answer">): Promise<AnswerOutcome & Spent> {
    const item: OrderInstruction = { kind: "again", ...asking };
    return this.#ask({ kind: "orders", item, refusedBy: () => undefined }, 0);
  }

  async readOrder(caller: Caller, idExternal: string): Promise<ReadOrderOutcome & Spent> {
    return this.#beside<OrderReading, ReadOrderOutcome>(
      shopDoorFor(caller, "order_reading", this.#doorDeps),
      (tally) => this.#keeper.readOrders({ ids: [idExternal], rates: [], statuses: [] }, tally),
      ({ found }) => viewRead(found, idExternal),
    );
  }

  /**
   * What the object's alarm calls: everything that is due. It never throws; what it could not do now it is
   * called for again. Undefined when nothing is left.
   */
  wake(): Promise<Instant | undefined> {
    return this.#clock.run(async () => {
      // The batch in flight first: what it leaves to be done is read with the rest.
      const standing = await this.#inTurn(async () => ({ books: await this.#keeper.confirm() }));
      if ("outcome" in standing && standing.outcome === "unavailable" && waitsForOperator(standing))
        return AT_REST;
      const deps = { ...this.#deps, keeper: this.#keeper };
      const run = beginRun();
      const release = () => this.#inTurn(() => releaseChunk(deps, run));
      return doDueWork({ ...this.#deps, release, book: this.#callbacks });
    });
  }

  /** Waits for its turn in the queue, and is then served alone. */
  async #inTurn<T extends object>(act: () => Promise<T>): Promise<T | QueueRefusal> {
    return answerOf<T | QueueRefusal>(await this.#queue.put({ kind: "verb", act }, 0));
  }

  #issuing(caller: Caller, item: Instruction): Issuing {
    return { kind: "issuing", item, refusedBy: doorFor(caller, this.#doorDeps) };
  }

  async #ask<T>(entry: Exclude<Entry, Verb>, sizeBytes: number): Promise<T & Spent> {
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

  async #guarded<Out>(read: () => Promise<Out>): Promise<Out | QueueRefusal> {
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
    const ordering = group.flatMap((entry) => (entry.kind === "orders" ? [entry] : []));
    if (ordering.length > 0) return this.#settle(ordering, orderCourse(deps));
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

  #broken(error: unknown): QueueRefusal {
    if (error instanceof Unavailable) return error.outcome;
    const cause = error instanceof Error ? error.name : "unknown";
    this.#deps.alarm("ledger_broken", { error: cause });
    return { outcome: "failed", cause };
  }
}

/** What a request weighs in the queue: about its size in the database, which counts UTF-8. */
function sizeOf(request: object): number {
  return new TextEncoder().encode(JSON.stringify(request)).length;
}

/** The queue answers each entry in kind: a call with an outcome of its own, a verb likewise. */
function answerOf<T>(answer: Answer): T {
  return answer as T;
}
