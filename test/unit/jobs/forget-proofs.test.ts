/** What is forgotten of proofs: unused texts and documents that were read have a share of each run. */
import { expect, test } from "vitest";
import { newBudget } from "../../../src/work/budget.ts";
import { forgetProofs } from "../../../src/work/retention/forget.ts";

function scene({ documents, unused }: { documents: number; unused: number }, fails = false) {
  const left = { documents, unused };
  const run = () =>
    forgetProofs({
      register: {
        endedTexts: async (_, limit) =>
          Array.from({ length: Math.min(limit, left.documents) }, (__, n) => ({
            nonce: `n${n}`,
            accountId: "a",
          })),
        async settleText() {
          left.documents -= 1;
        },
        async forgetUnused(_, limit) {
          if (fails) throw new Error("no answer");
          const gone = Math.min(limit, left.unused);
          left.unused -= gone;
          return gone;
        },
      },
      documents: { forgetProof: async () => {} },
      now: () => 0,
      budget: newBudget(() => 0),
      log: () => {},
      faultOf: () => ({ cause: "test" }),
    });
  return { left, run };
}

test("a flood of documents keeps no unused text", async () => {
  const { left, run } = scene({ documents: 1_000, unused: 300 });
  expect(await run()).toBeGreaterThan(0);
  expect(left.unused).toBe(0);
  expect(left.documents).toBeLessThan(1_000);
});

test("a flood of unused texts keeps no document", async () => {
  const { left, run } = scene({ documents: 30, unused: 1_000_000 });
  expect(await run()).toBe(1);
  expect(left.documents).toBe(0);
  expect(left.unused).toBe(1_000_000 - 10 * 200);
});

test("texts that cannot be forgotten keep no document", async () => {
  const { left, run } = scene({ documents: 3, unused: 3 }, true);
  expect(await run()).toBe(1);
  expect(left.documents).toBe(0);
});

test("nothing is left where nothing is", async () => {
  expect(await scene({ documents: 0, unused: 0 }).run()).toBe(0);
});
