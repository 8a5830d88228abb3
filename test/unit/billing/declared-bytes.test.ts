import { describe, expect, test } from "vitest";
import { DECLARED_BYTES } from "../../../src/domain/limits.ts";
import { boundDeclared } from "../../../src/ledger/verbs/owner-declared.ts";

describe("what an owner declares of one connection", () => {
  const sales = {} as Parameters<typeof boundDeclared>[1]["sales"];
  const tags = (many: number) =>
    Array.from({ length: many }, (_, n) => ({ tag: `${n}`.padEnd(970, "x"), action: "hold" as const }));
  const rule = (tag: string) =>
    ({
      decision: "write",
      deed: { deed: "set_tag_rule", rule: { tag, action: "hold" } },
      facts: {},
    }) as const;
  const most = Math.floor(DECLARED_BYTES / 1_000);

  test.each([
    ["one more that fits is kept", rule("nueva"), most - 1, "write"],
    ["one more that does not fit is refused", rule("nueva".padEnd(970, "x")), most + 2, "too_much_declared"],
    ["one that stands is changed", rule("0".padEnd(970, "x")), most + 2, "write"],
    [
      "one is taken away",
      { decision: "write", deed: { deed: "remove_tag_rule", tag: "0" }, facts: {} } as const,
      most + 2,
      "write",
    ],
  ])("%s", (_, decision, many, expected) => {
    const bound = boundDeclared(decision, { profiles: [], sales, tagRules: tags(many) });
    expect(bound.decision === "refuse" ? bound.refusal.code : bound.decision).toBe(expected);
  });
});
