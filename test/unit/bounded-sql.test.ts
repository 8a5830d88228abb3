/** D1 takes 100,000 bytes and 100 parameters a statement; ours stop before, wherever they come from. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { boundedBinding, boundedSql } from "../../src/db/database.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { insertRatesSql } from "../../src/ops/import-rates.ts";
import { remoteDatabase } from "../../src/ops/remote-database.ts";

const TEN = Array.from({ length: 10 }, () => "?").join(", ");

describe("a statement", () => {
  test.each<[string, string, number]>([
    ["of 90,000 bytes", "x".repeat(90_000), 0],
    ["of 90,000 bytes in fewer characters", "€".repeat(30_000), 0],
    ["of 90 parameters", "SELECT ?", 90],
  ])("%s is taken", (_, sql, parameters) => {
    expect(boundedSql(sql, parameters)).toBe(sql);
  });

  test.each<[string, string, number]>([
    ["of 90,001 bytes", "x".repeat(90_001), 0],
    ["of 90,001 bytes in fewer characters", `${"€".repeat(30_000)}x`, 0],
    ["of 91 parameters", "SELECT ?", 91],
  ])("%s is refused, and not quoted", (_, sql, parameters) => {
    expect(() => boundedSql(sql, parameters)).toThrow("invariant broken: a statement is one that D1 takes");
  });
});

describe("a binding measures", () => {
  const prepared = { bind: () => prepared };
  const binding = boundedBinding({ prepare: () => prepared, batch: async () => [] } as never);

  test("a prepared statement", () => {
    expect(() => binding.prepare("x".repeat(90_001))).toThrow("one that D1 takes");
  });

  test("the bound values", () => {
    expect(binding.prepare(TEN).bind(...Array.from({ length: 90 }, () => 1))).toBe(prepared);
    expect(() => binding.prepare(TEN).bind(...Array.from({ length: 91 }, () => 1))).toThrow("D1 takes");
  });
});

test("a statement for wrangler has its values in its text, and is measured with them", async () => {
  const database = remoteDatabase(async () => "[]");
  const statement = database.prepare("SELECT ?").bind("x".repeat(90_001));
  await expect(statement.all()).rejects.toThrow("one that D1 takes");
});

test("a file of all rates of 25 years is one of bounded statements", () => {
  const rates = Array.from({ length: 10_000 }, () => ({
    day: civilDate("2026-11-27"),
    currency: "USD" as const,
    rate: decimal("1234.567890"),
  }));
  const statements = insertRatesSql(rates as never)
    .trimEnd()
    .split(";\n");
  expect(statements.length).toBeGreaterThan(1);
  for (const sql of statements) expect(sql.length).toBeLessThanOrEqual(90_000);
});

/** Statements of a constant text, each with its values bound. */
const CONSTANT_TEXTS = ["src/ops/restore/ledger-changes.ts", "src/ops/restore/put-back-erasures.ts"];
const CONSTANT_QUESTIONS = ["src/db/ledgers.ts", "src/wiring-both.ts"];
/** Columns of one table and their places. */
const OF_A_TABLE = ["src/ops/restore/put-back-books.ts"];
/** The migrations, for the local files of `npm start` alone. */
const LOCAL = ["src/ops/local-databases.ts"];
const MEASURING = ["src/db/database.ts", "src/db/login/statements.ts"];

test("nothing else prepares statements, opens a database or lets wrangler run text of its own", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((name) => join("src", name))
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith(join("src", "web")));
  const having = (pattern: RegExp) =>
    sources.filter((name) => pattern.test(readFileSync(name, "utf8"))).toSorted();
  const measured = [
    ...CONSTANT_TEXTS,
    ...CONSTANT_QUESTIONS,
    ...OF_A_TABLE,
    ...LOCAL,
    ...MEASURING,
  ].toSorted();
  expect(having(/\.prepare\(/)).toEqual(measured);
  expect(having(/\bdrizzle\(/)).toEqual(["src/db/database.ts"]);
  expect(having(/"--command"|"--file"/)).toEqual([
    "src/ops/import-rates.ts",
    "src/ops/remote-database.ts",
    "src/ops/restore/restore.ts",
  ]);
});
