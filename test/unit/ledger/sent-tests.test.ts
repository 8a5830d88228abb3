import { expect, test } from "vitest";
import { TESTS } from "../../../src/domain/limits.ts";
import { type SentTestsNote, sentTests } from "../../../src/ledger/core/limits.ts";

const NOON = Date.parse("2026-11-28T12:00:00Z");
const DAY_MS = 86_400_000;

function keeper(note?: SentTestsNote) {
  const written: SentTestsNote[] = [];
  return {
    written,
    read: async () => written.at(-1) ?? note,
    write: (next: SentTestsNote) => written.push(next),
  };
}

test("a connection sends so many bytes of tests, and learns when the next ones fit", () => {
  const tests = sentTests();
  expect(tests.take(TESTS.bytes - 1_000, NOON)).toEqual({ admitted: true });
  expect(tests.take(1_000, NOON)).toEqual({ admitted: true });
  const day = TESTS.bytesPerDay;
  expect(tests.take(day, NOON)).toEqual({ admitted: false, retryAfterSeconds: DAY_MS / 1_000 });
  expect(tests.take(day, NOON + DAY_MS - 1_000)).toMatchObject({ admitted: false });
  expect(tests.take(day, NOON + DAY_MS)).toEqual({ admitted: true });
});

test("a refused call counts nothing, and a clock that was set back frees nothing", () => {
  const tests = sentTests();
  tests.take(TESTS.bytes - 10, NOON);
  expect(tests.take(11, NOON)).toMatchObject({ admitted: false });
  expect(tests.take(11, NOON - DAY_MS)).toMatchObject({ admitted: false });
  expect(tests.take(10, NOON)).toEqual({ admitted: true });
});

test("a new instance continues from the note of the one before", async () => {
  const kept = keeper();
  sentTests(kept).take(TESTS.bytes, NOON);
  const next = sentTests(kept);
  await next.reading();
  expect(next.reading()).toBeUndefined();
  expect(next.take(1_000, NOON)).toMatchObject({ admitted: false });
});

test("an unreadable note stops no call", async () => {
  const next = sentTests({ read: () => Promise.reject(new Error("gone")), write: () => undefined });
  await next.reading();
  expect(next.take(1_000, NOON)).toEqual({ admitted: true });
});
