import { describe, expect, test } from "vitest";
import { tokenBucket } from "../../../src/ledger/core/limits.ts";

const NOON = Date.parse("2026-11-28T12:00:00Z");
const SECOND = 1_000;

/** Takes at each instant, in seconds after noon; 0 means admitted, else the Retry-After. */
function takesAt(perMinute: number, seconds: readonly number[]): number[] {
  const bucket = tokenBucket();
  return seconds.map((second) => {
    const admission = bucket.take(perMinute, NOON + second * SECOND);
    return admission.admitted ? 0 : admission.retryAfterSeconds;
  });
}

describe("a limit", () => {
  test.each([
    ["of 0 is none", 0, [0, 0, 0, 0], [0, 0, 0, 0]],
    ["admits so many at once, and then says when the next one may come", 2, [0, 0, 0], [0, 0, 30]],
    ["reports the remaining seconds of that", 2, [0, 0, 20], [0, 0, 10]],
    ["admits that one", 2, [0, 0, 30, 30], [0, 0, 0, 30]],
    ["never answers 0 seconds", 600, [...Array(601)].map(() => 0), [...Array(600).fill(0), 1]],
    [
      "rounds up: a client that waits so long is admitted",
      7,
      [...Array(8).fill(0), 9],
      [...Array(7).fill(0), 9, 0],
    ],
    ["saves no more than one minute", 2, [0, 0, 600, 600, 600], [0, 0, 0, 0, 30]],
    ["refuses without cost", 2, [0, 0, 0, 0, 30], [0, 0, 30, 30, 0]],
    ["is not used up by a clock that was set back", 2, [300, 0, 0, 30], [0, 0, 30, 0]],
  ])("%s", (_, perMinute, seconds, answers) => {
    expect(takesAt(perMinute, seconds)).toEqual(answers);
  });

  test("that is raised counts at once", () => {
    const bucket = tokenBucket();
    bucket.take(1, NOON);
    expect(bucket.take(1, NOON).admitted).toBe(false);
    expect(bucket.take(60, NOON + SECOND).admitted).toBe(true);
  });
});
