import { describe, expect, test } from "vitest";
import {
  type LaneOrder,
  oneAfterAnother,
  openLane,
  QUEUE_BOUNDS,
  Queue,
} from "../../../src/ledger/core/queue.ts";

const FAILED = { outcome: "failed", cause: "Error", d1Trips: 0 } as const;

function aQueue(failed: (error: unknown) => typeof FAILED = () => FAILED): Queue {
  return new Queue({
    bounds: QUEUE_BOUNDS,
    after: () => () => {},
    turnedAway: (why) => ({ outcome: "unavailable", retryAfterSeconds: 2, cause: why, d1Trips: 0 }),
    failed,
  });
}

/** A lane that notes its groups; a group is served when the test lets it. */
function noting(queue: Queue, name: string, log: string[], gate: Promise<unknown>, order: LaneOrder = {}) {
  return openLane<string, string>(queue, {
    ...order,
    async serve(group) {
      log.push(`${name}:${group.join("+")}`);
      await gate;
      return group.map((item) => `${name} ${item}`);
    },
  });
}

describe("the order of calls", () => {
  test("groups hold one lane, oldest first, and nothing passes a call that runs alone", async () => {
    const queue = aQueue();
    const log: string[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const [a, b] = [noting(queue, "a", log, gate), noting(queue, "b", log, gate)];
    const alone = noting(queue, "alone", log, gate, { runsAlone: true });
    const replies = [
      ...[a("1", 1), a("2", 1), b("3", 1), a("4", 1), alone("5", 1), alone("6", 1), a("7", 1), b("8", 1)],
    ];
    open();
    expect(await Promise.all(replies)).toEqual([
      ...["a 1", "a 2", "b 3", "a 4", "alone 5", "alone 6", "a 7", "b 8"],
    ]);
    expect(log).toEqual(["a:1", "a:2+4", "b:3", "alone:5", "alone:6", "a:7", "b:8"]);
  });
});

describe("calls that yield", () => {
  test("each is a group of its own, after the callers that came later, and passes no call that runs alone", async () => {
    const queue = aQueue();
    const log: string[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const a = noting(queue, "a", log, gate);
    const alone = noting(queue, "alone", log, gate, { runsAlone: true });
    const yielding = noting(queue, "yielding", log, gate, { yields: true });
    const replies = [a("1", 1), yielding("2", 1), yielding("3", 1), a("4", 1), alone("5", 1), a("6", 1)];
    open();
    await Promise.all(replies);
    expect(log).toEqual(["a:1", "a:4", "alone:5", "a:6", "yielding:2", "yielding:3"]);
  });

  test("four groups of callers pass one, and no more", async () => {
    const queue = aQueue();
    const log: string[] = [];
    const yielding = noting(queue, "yielding", log, Promise.resolve(), { yields: true });
    let left = 12;
    const replies: Promise<unknown>[] = [];
    // A caller that calls again before its group is over, so that one always waits.
    const busy = openLane<string, string>(queue, {
      async serve(group) {
        log.push("busy");
        left -= 1;
        if (left > 0) replies.push(busy("next", 1));
        return group;
      },
    });
    replies.push(busy("first", 1), yielding("1", 1), yielding("2", 1));
    for (let next = 0; next < replies.length; next += 1) await replies[next];
    expect(log.slice(0, 11)).toEqual([
      ...["busy", "busy", "busy", "busy", "busy", "yielding:1"],
      ...["busy", "busy", "busy", "busy", "yielding:2"],
    ]);
    expect(log.filter((line) => line === "busy")).toHaveLength(12);
  });
});

test("acts run one after another, whatever becomes of each", async () => {
  const next = oneAfterAnother();
  const log: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const act = (name: string, end: () => Promise<string>) =>
    next(() => {
      log.push(name);
      return end();
    });
  const first = act("first", () => gate.then(() => "done"));
  const second = act("second", () => Promise.reject(new Error("broken")));
  const third = act("third", async () => "done too");
  await Promise.resolve();
  expect(log).toEqual(["first"]);
  open();
  expect(await first).toBe("done");
  await expect(second).rejects.toThrow("broken");
  expect(await third).toBe("done too");
  expect(log).toEqual(["first", "second", "third"]);
});

describe("a group that fails while it is served", () => {
  const good = (queue: Queue) =>
    openLane<string, string>(queue, { serve: async (group) => group.map((item) => `served ${item}`) });

  test.each<[string, () => Promise<readonly string[]>]>([
    [
      "throws at once",
      () => {
        throw new Error("at once");
      },
    ],
    ["rejects", () => Promise.reject(new Error("later"))],
    ["a reply without a receiver", async () => []],
  ])("a group that %s is refused, and the next call is served", async (_, serve) => {
    const queue = aQueue();
    const bad = openLane<string, string>(queue, { serve });
    const next = good(queue);
    const replies = [bad("1", 1), next("2", 1)];
    expect(await Promise.all(replies)).toEqual([FAILED, "served 2"]);
    expect(await next("3", 1)).toBe("served 3");
  });

  test("calls that got a reply keep it when the rest of their group fails", async () => {
    const queue = aQueue();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const first = openLane<string, string>(queue, {
      async serve() {
        await gate;
        return ["served"];
      },
    });
    const replies = [first("1", 1), first("2", 1), first("3", 1)];
    open();
    expect(await Promise.all(replies)).toEqual(["served", "served", FAILED]);
  });

  test("it is refused and the queue continues when reporting the fault fails too", async () => {
    const queue = aQueue(() => {
      throw new Error("the alarm is broken");
    });
    const bad = openLane<string, string>(queue, { serve: () => Promise.reject(new Error("later")) });
    expect(await bad("1", 1)).toEqual({ outcome: "failed", cause: "unknown", d1Trips: 0 });
    expect(await good(queue)("2", 1)).toBe("served 2");
  });
});
