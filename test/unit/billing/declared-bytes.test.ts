import { describe, expect, test } from "vitest";
import type { OwnerReading } from "../../../src/db/ledger-state.ts";
import { DECLARED_BYTES } from "../../../src/domain/limits.ts";
import { remove_tag_rule, set_tag_rule } from "../../../src/ledger/verbs/sales.ts";
import type { VerbReads, VerbScope } from "../../../src/ledger/verbs/verb.ts";

describe("what an owner declares of one connection", () => {
  const tags = (many: number) =>
    Array.from({ length: many }, (_, n) => ({ tag: `${n}`.padEnd(221, "x"), action: "ignore" as const }));
  const most = Math.floor(DECLARED_BYTES / 250);
  // The rules look at nothing else of a reading.
  const readsOf = (many: number) =>
    ({
      owner: async () => ({ profiles: [], sales: {}, tagRules: tags(many) }) as unknown as OwnerReading,
    }) as unknown as VerbReads;
  const scope = {} as VerbScope;
  const set = (tag: string) => (many: number) =>
    set_tag_rule.run({ rule: { tag, action: "hold" } }, scope, readsOf(many));

  test.each([
    ["one more that fits is kept", set("nueva"), most - 1, "write"],
    ["one more that does not fit is refused", set("nueva".padEnd(221, "x")), most + 2, "too_much_declared"],
    ["an existing one is changed", set("0".padEnd(221, "x")), most + 2, "write"],
    [
      "one is taken away",
      (many: number) => remove_tag_rule.run({ tag: "0".padEnd(221, "x") }, scope, readsOf(many)),
      most + 2,
      "write",
    ],
  ])("%s", async (_, decide, many, expected) => {
    const decided = await decide(many);
    expect(decided.decision === "refuse" ? decided.refusal.code : decided.decision).toBe(expected);
  });
});
