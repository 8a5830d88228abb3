/** Statements that are written once serve every caller with its own values, and keep nobody's. */
import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { databaseOn } from "../../../src/db/database.ts";
import { json, keptReads, place, shapedReads } from "../../../src/db/kept-reads.ts";
import { tagRule } from "../../../src/db/schema/orders.ts";
import { memoryDatabase } from "../../support/worlds/sqlite-d1.ts";

interface Rule {
  readonly connectionId: string;
  readonly tag: string;
}

/** A database with tag rules, and the texts that were prepared on it. */
async function withRules(...rules: readonly Rule[]) {
  const { d1 } = memoryDatabase();
  await d1.prepare("CREATE TABLE tag_rule (connection_id TEXT, tag TEXT, action TEXT)").run();
  for (const { connectionId, tag } of rules) {
    await d1.prepare("INSERT INTO tag_rule VALUES (?, ?, 'hold')").bind(connectionId, tag).run();
  }
  return databaseOn(d1);
}

const rulesOf = keptReads(
  (db) =>
    [
      db
        .select({ tag: tagRule.tag, action: tagRule.action })
        .from(tagRule)
        .where(eq(tagRule.connectionId, place("connectionId")))
        .orderBy(tagRule.tag)
        .limit(place("limit")),
      db.select({ count: sql<number>`count(*)`.as("count") }).from(tagRule),
    ] as const,
);

const namedRules = shapedReads(
  (db, shape: "all" | "named") =>
    [
      db
        .select({ tag: tagRule.tag })
        .from(tagRule)
        .where(
          and(
            eq(tagRule.connectionId, place("connectionId")),
            ...(shape === "named"
              ? [sql`${tagRule.tag} IN (SELECT value FROM json_each(${place("tags")}))`]
              : []),
          ),
        )
        .orderBy(tagRule.tag),
    ] as const,
);

describe("one text, other values", () => {
  test("each caller reads its own rows, on its own database", async () => {
    const one = await withRules(
      ...["b", "a", "c"].map((tag) => ({ connectionId: "cn_1", tag })),
      ...[{ connectionId: "cn_2", tag: "d" }],
    );
    const other = await withRules({ connectionId: "cn_1", tag: "elsewhere" });
    expect(await one.batch(rulesOf(one, { connectionId: "cn_1", limit: 2 }))).toStrictEqual([
      [
        { tag: "a", action: "hold" },
        { tag: "b", action: "hold" },
      ],
      [{ count: 4 }],
    ]);
    expect(await one.batch(rulesOf(one, { connectionId: "cn_2", limit: 2 }))).toStrictEqual([
      [{ tag: "d", action: "hold" }],
      [{ count: 4 }],
    ]);
    expect(await other.batch(rulesOf(other, { connectionId: "cn_1", limit: 2 }))).toStrictEqual([
      [{ tag: "elsewhere", action: "hold" }],
      [{ count: 1 }],
    ]);
  });

  test("two that were made before either is sent keep their own values", async () => {
    const db = await withRules({ connectionId: "cn_1", tag: "a" }, { connectionId: "cn_2", tag: "b" });
    const [first] = rulesOf(db, { connectionId: "cn_1", limit: 9 });
    const [second] = rulesOf(db, { connectionId: "cn_2", limit: 9 });
    expect(await db.batch([second, first])).toStrictEqual([
      [{ tag: "b", action: "hold" }],
      [{ tag: "a", action: "hold" }],
    ]);
  });

  test("one alone can be awaited", async () => {
    const db = await withRules({ connectionId: "cn_1", tag: "a" });
    expect(await rulesOf(db, { connectionId: "cn_1", limit: 1 })[0]).toStrictEqual([
      { tag: "a", action: "hold" },
    ]);
  });

  test("each shape has its own text", async () => {
    const db = await withRules(...["a", "b"].map((tag) => ({ connectionId: "cn_1", tag })));
    const given = { connectionId: "cn_1", tags: json(["b", "c"]) };
    expect(await namedRules(db, "all", given)[0]).toStrictEqual([{ tag: "a" }, { tag: "b" }]);
    expect(await namedRules(db, "named", given)[0]).toStrictEqual([{ tag: "b" }]);
    expect(await namedRules(db, "all", given)[0]).toStrictEqual([{ tag: "a" }, { tag: "b" }]);
  });
});

describe("faults of their author", () => {
  test.each([
    ["a text", "cn_1"],
    ["a number", 1],
  ])("%s of the first caller is refused when the statement is written", async (_, value) => {
    const db = await withRules();
    const captured = keptReads(
      (unbound) => [unbound.select({ tag: tagRule.tag }).from(tagRule).where(sql`1 = ${value}`)] as const,
    );
    expect(() => captured(db, {})).toThrow("a kept statement holds no value");
  });

  test("a place without a value throws instead of reading with none", async () => {
    const db = await withRules({ connectionId: "cn_1", tag: "a" });
    await expect(db.batch(rulesOf(db, { connectionId: "cn_1" }))).rejects.toThrow("limit");
  });
});
