/** A job ends when its run has used its budget; the next run does the rest, and no ledger waits for ever. */
import { expect, test } from "vitest";
import { newBudget, rotated } from "../../../src/work/budget.ts";
import { sweep } from "../../../src/work/sweep.ts";

function aBudget() {
  const at = { now: 0, queries: 0 };
  return {
    at,
    budget: newBudget(
      () => at.now,
      () => at.queries,
    ),
  };
}

test("fifty items, and not one more", () => {
  const { budget } = aBudget();
  expect(Array.from({ length: 52 }, () => budget.take()).filter(Boolean)).toHaveLength(50);
});

test("no item that could ask beyond 200 queries", () => {
  const { at, budget } = aBudget();
  at.queries = 190;
  expect(budget.take(10)).toBe(true);
  at.queries = 191;
  expect(budget.take(10)).toBe(false);
  expect(budget.isOver()).toBe(false);
  at.queries = 200;
  expect(budget.isOver()).toBe(true);
});

test("nothing is begun after five seconds", () => {
  const { at, budget } = aBudget();
  at.now = 4_999;
  expect(budget.take()).toBe(true);
  at.now = 5_000;
  expect(budget.take()).toBe(false);
  expect(budget.spent()).toEqual({ took_ms: 5_000, d1_queries: 0 });
});

test("each minute another ledger is the first", () => {
  expect([0, 60_000, 120_000, 180_000].map((now) => rotated(["a", "b", "c"], now).join(""))).toEqual([
    "abc",
    "bca",
    "cab",
    "abc",
  ]);
  expect(rotated([], 60_000)).toEqual([]);
});

test("a sweep wakes fifty of many, reports the known rest, and the other ledger is first the next minute", async () => {
  const many = (ledger: string) => ({
    ledger,
    connectionsWithDueWork: async ({ limit }: { readonly limit: number }) =>
      Array.from({ length: 80 }, (_, n) => `${ledger} ${n}`).slice(0, limit),
  });
  const woken: string[] = [];
  const runAt = (now: number) =>
    sweep({
      ledgers: [many("000"), many("001")],
      wake: async (id) => void woken.push(id.slice(0, 3)),
      now: () => now,
      budget: newBudget(() => now),
      log: () => {},
      faultOf: () => ({ cause: "unknown" }),
    });
  expect(await runAt(0)).toBe(52);
  expect(new Set(woken.splice(0))).toEqual(new Set(["000"]));
  await runAt(60_000);
  expect(woken).toHaveLength(50);
  expect(new Set(woken)).toEqual(new Set(["001"]));
});
