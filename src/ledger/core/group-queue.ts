/** What waits: how large it is, and how its caller hears. */
interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly sizeBytes: number;
  readonly answer: (answer: Answer) => void;
  readonly stopWatch: () => void;
}

export interface QueueBounds {
  readonly waiting: number;
  readonly waitingBytes: number;
  readonly waitMs: number;
  readonly group: number;
  readonly groupBytes: number;
}

/** Design section 1: beyond these, a call is turned away before anything is sent. */
export const QUEUE_BOUNDS: QueueBounds = {
  waiting: 256,
  waitingBytes: 8_000_000,
  waitMs: 8_000,
  group: 64,
  groupBytes: 1_500_000,
};

export interface QueueDeps<Item, Answer> {
  readonly bounds: QueueBounds;
  /** Calls back after a time, unless stopped. */
  readonly after: (delayMs: number, callback: () => void) => () => void;
  /** Only items of one kind share a group. */
  readonly kindOf: (item: Item) => string;
  /** Serves a group whole; one answer per item, in their order. Never called while a group is served. */
  readonly serve: (group: readonly Item[]) => Promise<readonly Answer[]>;
  /** Whether an item must be served by itself. */
  readonly isAlone: (item: Item) => boolean;
  readonly turnedAway: (why: "full" | "late") => Answer;
  readonly broken: (error: unknown) => Answer;
}

export interface GroupQueue<Item, Answer> {
  put(item: Item, sizeBytes: number): Promise<Answer>;
}

/**
 * Awaiting D1 lets the next call into the object, so that it does not serialise by itself: this queue does.
 * While one group is served the next one gathers.
 */
export function groupQueue<Item, Answer>(deps: QueueDeps<Item, Answer>): GroupQueue<Item, Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let waitingBytes = 0;
  let isServing = false;

  function take(): Waiting<Item, Answer>[] {
    const [first] = waiting;
    if (!first) return [];
    const group = new Set([first]);
    let sizeBytes = first.sizeBytes;
    for (const next of deps.isAlone(first.item) ? [] : waiting.slice(1)) {
      // Nothing passes one that must be served alone, which may be a change of the gate.
      if (group.size >= deps.bounds.group || deps.isAlone(next.item)) break;
      if (deps.kindOf(next.item) !== deps.kindOf(first.item)) continue;
      if (sizeBytes + next.sizeBytes > deps.bounds.groupBytes) break;
      sizeBytes += next.sizeBytes;
      group.add(next);
    }
    waiting = waiting.filter((entry) => !group.has(entry));
    waitingBytes -= sizeBytes;
    for (const entry of group) entry.stopWatch();
    return [...group];
  }

  async function serveAll(): Promise<void> {
    if (isServing) return;
    isServing = true;
    for (let group = take(); group.length > 0; group = take()) {
      const answers = await answersTo(group.map((entry) => entry.item));
      for (const [index, entry] of group.entries()) {
        entry.answer(answers[index] ?? deps.broken(new Error("a group was answered in part")));
      }
    }
    isServing = false;
  }

  async function answersTo(items: readonly Item[]): Promise<readonly Answer[]> {
    try {
      return await deps.serve(items);
    } catch (error) {
      return items.map(() => deps.broken(error));
    }
  }

  function giveUp(entry: Waiting<Item, Answer>): void {
    if (!waiting.includes(entry)) return;
    waiting = waiting.filter((other) => other !== entry);
    waitingBytes -= entry.sizeBytes;
    entry.answer(deps.turnedAway("late"));
  }

  return {
    put(item, sizeBytes) {
      if (waiting.length >= deps.bounds.waiting || waitingBytes + sizeBytes > deps.bounds.waitingBytes) {
        return Promise.resolve(deps.turnedAway("full"));
      }
      return new Promise((answer) => {
        const entry: Waiting<Item, Answer> = {
          item,
          sizeBytes,
          answer,
          stopWatch: deps.after(deps.bounds.waitMs, () => giveUp(entry)),
        };
        waiting.push(entry);
        waitingBytes += sizeBytes;
        // Never rejects: answersTo catches what serving throws.
        void serveAll();
      });
    },
  };
}
