import type { GateRefusal, TripCount } from "./outcomes.ts";

/** The reply to a refused call, or to a call of a group that failed. */
export type QueueRefusal = Extract<GateRefusal, { readonly outcome: "unavailable" | "failed" }> & TripCount;

export interface QueueBounds {
  readonly waiting: number;
  readonly waitingBytes: number;
  readonly waitMs: number;
  readonly group: number;
  readonly groupBytes: number;
}

/** Beyond these bounds the queue turns a call away before anything is sent. */
export const QUEUE_BOUNDS: QueueBounds = {
  waiting: 256,
  waitingBytes: 8_000_000,
  waitMs: 8_000,
  group: 64,
  groupBytes: 1_500_000,
};

export interface QueueDeps {
  readonly bounds: QueueBounds;
  /** Calls back after a time, unless stopped. */
  readonly after: (delayMs: number, callback: () => void) => () => void;
  readonly turnedAway: (why: "full" | "late") => QueueRefusal;
  /** The reply to each call of a group if serving it threw an error. */
  readonly failed: (error: unknown) => QueueRefusal;
}

/** A call as the queue sees it; its lane knows the item and the type of the reply. */
interface Ticket {
  readonly lane: Lane;
  readonly sizeBytes: number;
  readonly refuse: (refusal: QueueRefusal) => void;
  readonly stopWatch: () => void;
}

interface Lane extends Required<LaneOrder> {
  /** Replies to each ticket of the group. */
  readonly serve: (group: readonly Ticket[]) => Promise<void>;
}

/** How the items of a lane stand to those of others. */
export interface LaneOrder {
  /** Each item is a group of its own, and no later call passes it. */
  readonly runsAlone?: boolean;
  /** Each item is a group of its own, and a few groups of later calls may pass it. */
  readonly yields?: boolean;
}

export interface LaneServing<Item, Reply> extends LaneOrder {
  /** Serves a group whole; one reply per item, in their order. The queue serves one group at a time. */
  readonly serve: (group: readonly Item[]) => Promise<readonly Reply[]>;
}

/** Groups of others between two calls that yield: a group has up to 64 calls, so callers lose little. */
const MOST_PASSING = 4;

export type PutInLane<Item, Reply> = (item: Item, sizeBytes: number) => Promise<Reply | QueueRefusal>;

/**
 * Awaiting D1 lets the next call into the object, so the object alone does not serialise. This queue serves
 * one group at a time, oldest first, while the next group gathers. A group has calls of one lane.
 */
export class Queue {
  readonly deps: QueueDeps;
  #waiting: Ticket[] = [];
  #waitingBytes = 0;
  #isServing = false;
  /** Groups served since a call that yields was, while one waited. */
  #passing = 0;

  constructor(deps: QueueDeps) {
    this.deps = deps;
  }

  /** Undefined when the queue is full. */
  join(lane: Lane, sizeBytes: number, refuse: Ticket["refuse"]): Ticket | undefined {
    const { bounds, after } = this.deps;
    const isFull = this.#waiting.length >= bounds.waiting;
    if (isFull || this.#waitingBytes + sizeBytes > bounds.waitingBytes) return undefined;
    // A call that finds the queue idle is served at once.
    const stopWatch = this.#isServing ? after(bounds.waitMs, () => this.#giveUp(ticket)) : () => {};
    const ticket: Ticket = { lane, sizeBytes, refuse, stopWatch };
    this.#waiting.push(ticket);
    this.#waitingBytes += sizeBytes;
    return ticket;
  }

  /** Never rejects: `#serve` turns what a lane throws into replies. */
  async serveAll(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    try {
      for (let group = this.#take(); group.length > 0; group = this.#take()) await this.#serve(group);
    } finally {
      this.#isServing = false;
    }
  }

  #take(): readonly Ticket[] {
    const first = this.#first();
    if (!first) return [];
    const { bounds } = this.deps;
    const { runsAlone, yields } = first.lane;
    const group = new Set([first]);
    let sizeBytes = first.sizeBytes;
    for (const next of runsAlone || yields ? [] : this.#waiting) {
      // No call overtakes a call that runs alone: it may change who is admitted.
      if (group.size >= bounds.group || next.lane.runsAlone) break;
      if (next === first || next.lane !== first.lane) continue;
      if (sizeBytes + next.sizeBytes > bounds.groupBytes) break;
      sizeBytes += next.sizeBytes;
      group.add(next);
    }
    this.#waiting = this.#waiting.filter((ticket) => !group.has(ticket));
    this.#waitingBytes -= sizeBytes;
    for (const ticket of group) ticket.stopWatch();
    return [...group];
  }

  /** The oldest call; if that one yields, the oldest that does not, a few times in a row. */
  #first(): Ticket | undefined {
    const [oldest] = this.#waiting;
    if (!this.#waiting.some(({ lane }) => lane.yields)) {
      this.#passing = 0;
      return oldest;
    }
    const first = this.#passing < MOST_PASSING ? this.#waiting.find(({ lane }) => !lane.yields) : oldest;
    this.#passing = first && !first.lane.yields ? this.#passing + 1 : 0;
    return first ?? oldest;
  }

  async #serve(group: readonly Ticket[]): Promise<void> {
    const [first] = group;
    try {
      await first?.lane.serve(group);
    } catch (error) {
      const refusal = this.#refusalFor(error);
      for (const { refuse } of group) refuse(refusal);
    }
  }

  /** Replies must go out even if reporting the fault fails too. */
  #refusalFor(error: unknown): QueueRefusal {
    try {
      return this.deps.failed(error);
    } catch {
      return { outcome: "failed", cause: "unknown", d1Trips: 0 };
    }
  }

  #giveUp(ticket: Ticket): void {
    if (!this.#waiting.includes(ticket)) return;
    this.#waiting = this.#waiting.filter((other) => other !== ticket);
    this.#waitingBytes -= ticket.sizeBytes;
    ticket.refuse(this.deps.turnedAway("late"));
  }
}

/** One kind of calls of a queue; the function queues a call and returns its reply. */
export function openLane<Item, Reply>(
  queue: Queue,
  { serve, runsAlone = false, yields = false }: LaneServing<Item, Reply>,
): PutInLane<Item, Reply> {
  const calls = new WeakMap<Ticket, { readonly item: Item; readonly reply: (reply: Reply) => void }>();
  const lane: Lane = {
    ...{ runsAlone, yields },
    async serve(group) {
      const served = group.flatMap((ticket) => calls.get(ticket) ?? []);
      const replies = await serve(served.map(({ item }) => item));
      for (const [index, reply] of replies.entries()) served[index]?.reply(reply);
      if (replies.length < served.length) throw new Error("a group was answered in part");
    },
  };
  return (item, sizeBytes) =>
    new Promise((resolve) => {
      const ticket = queue.join(lane, sizeBytes, resolve);
      if (!ticket) return resolve(queue.deps.turnedAway("full"));
      calls.set(ticket, { item, reply: resolve });
      void queue.serveAll();
    });
}

/** Each begins when the one before it has ended, however that ended. */
export function oneAfterAnother(): <Out>(act: () => Promise<Out>) => Promise<Out> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const ended = last.then(act, act);
    last = ended;
    return ended;
  };
}
