import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { ReferenceRate } from "../../../src/domain/exchange/reference-rate.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  compareRates,
  insertRatesSql,
  storedRatesFrom,
  storedRatesSql,
} from "../../../src/ops/import-rates.ts";
import { sourceFiles } from "../../support/rules/sources.ts";

const RATES = [
  aRate("2026-03-05", "USD", "1.1618"),
  aRate("2026-03-04", "JPY", "183.02"),
  aRate("2026-03-04", "USD", "1.1649"),
];

function aRate(day: string, currency: string, rate: string): ReferenceRate {
  return { day: civilDate(day), currency, rate: decimal(rate) };
}

/** The real table, with what `wrangler d1 execute --json` would answer. */
function database() {
  const [migration] = sourceFiles("migrations/ledger/*_shop.sql");
  const table = /CREATE TABLE `exchange_rate` \([^;]*;/.exec(migration?.text ?? "")?.[0] ?? "";
  const db = new DatabaseSync(":memory:");
  db.exec(table);
  const answerTo = (sql: string) => JSON.stringify([{ results: db.prepare(sql).all(), success: true }]);
  return { execute: (sql: string) => db.exec(sql), answerTo };
}

test("the inserted rows are read", () => {
  const { execute, answerTo } = database();
  execute(insertRatesSql(RATES));
  const stored = storedRatesFrom(answerTo(storedRatesSql(RATES)));
  expect(stored).toHaveLength(3);
  expect(stored).toEqual(expect.arrayContaining(RATES));
});

test("other days are not read", () => {
  const { execute, answerTo } = database();
  execute(insertRatesSql([...RATES, aRate("2026-03-03", "USD", "1.1606")]));
  expect(storedRatesFrom(answerTo(storedRatesSql(RATES)))).toHaveLength(3);
});

test("nothing stored is nothing read", () => {
  expect(storedRatesFrom(database().answerTo(storedRatesSql(RATES)))).toEqual([]);
});

test("a rate that came in between stays", () => {
  const { execute, answerTo } = database();
  execute(insertRatesSql([aRate("2026-03-05", "USD", "1.2")]));
  execute(insertRatesSql(RATES));
  expect(storedRatesFrom(answerTo(storedRatesSql(RATES)))).toContainEqual(aRate("2026-03-05", "USD", "1.2"));
});

test("no statement outgrows what D1 takes", () => {
  const statements = insertRatesSql(
    Array.from({ length: 25_000 }, () => aRate("2026-03-05", "USD", "1.123456")),
  )
    .trimEnd()
    .split("\n");
  expect(statements).toHaveLength(25);
  expect(Math.max(...statements.map((one) => one.length))).toBeLessThan(100_000);
});

test("compared: new, known, and another value", () => {
  const stored = [aRate("2026-03-05", "USD", "1.2"), aRate("2026-03-04", "JPY", "183.02")];
  expect(compareRates(RATES, stored)).toEqual({
    fresh: [aRate("2026-03-04", "USD", "1.1649")],
    conflicts: [{ day: "2026-03-05", currency: "USD", stored: "1.2", offered: "1.1618" }],
  });
});
