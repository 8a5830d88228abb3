import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTargetDay, referenceDay } from "../../../src/domain/exchange/reference-rate.ts";
import { instantOf } from "../../../src/domain/shared/instant.ts";

describe("an open day", () => {
  test.each([
    ["in the morning: the day before", "2026-08-13T10:00:00+02:00", "2026-08-12"],
    ["a moment before publication", "2026-08-13T15:59:59.999+02:00", "2026-08-12"],
    ["at the very moment", "2026-08-13T16:00:00.000+02:00", "2026-08-12"],
    ["a moment after it", "2026-08-13T16:00:00.001+02:00", "2026-08-13"],
    ["in the afternoon: the day itself", "2026-08-13T17:00:00+02:00", "2026-08-13"],
    ["a moment before midnight", "2026-08-13T23:59:59.999+02:00", "2026-08-13"],
    ["at midnight", "2026-08-14T00:00:00+02:00", "2026-08-13"],
    ["holiday in Spain only", "2026-10-12T17:00:00+02:00", "2026-10-12"],
  ])("%s", expectReferenceDay);
});

describe("closed days", () => {
  test.each([
    ["Saturday", "2026-08-15T12:00:00+02:00", "2026-08-14"],
    ["Sunday night", "2026-08-16T23:30:00+02:00", "2026-08-14"],
    ["Monday morning", "2026-08-17T09:00:00+02:00", "2026-08-14"],
    ["Monday afternoon", "2026-08-17T16:30:00+02:00", "2026-08-17"],
    ["Maundy Thursday before publication", "2026-04-02T15:00:00+02:00", "2026-04-01"],
    ["Maundy Thursday after it", "2026-04-02T17:00:00+02:00", "2026-04-02"],
    ["Good Friday", "2026-04-03T17:00:00+02:00", "2026-04-02"],
    ["Easter Monday", "2026-04-06T18:00:00+02:00", "2026-04-02"],
    ["the Tuesday after, in the morning", "2026-04-07T10:00:00+02:00", "2026-04-02"],
    ["the Tuesday after, in the afternoon", "2026-04-07T17:00:00+02:00", "2026-04-07"],
    ["Labour Day on a Friday", "2026-05-01T17:00:00+02:00", "2026-04-30"],
    ["the Monday after Christmas", "2026-12-28T10:00:00+01:00", "2026-12-24"],
    ["New Year's Eve is open", "2025-12-31T16:30:00+01:00", "2025-12-31"],
    ["New Year", "2026-01-01T18:00:00+01:00", "2025-12-31"],
    ["2 January in the morning", "2026-01-02T09:00:00+01:00", "2025-12-31"],
    ["2 January in the afternoon", "2026-01-02T17:00:00+01:00", "2026-01-02"],
  ])("%s", expectReferenceDay);
});

describe("summer time: 16:00 in Frankfurt is 15:00Z in winter, 14:00Z in summer", () => {
  test.each([
    ["the last Friday of winter, at the moment", "2026-03-27T15:00:00Z", "2026-03-26"],
    ["the last Friday of winter, after it", "2026-03-27T15:00:00.001Z", "2026-03-27"],
    ["the Sunday on which clocks go forward", "2026-03-29T14:30:00Z", "2026-03-27"],
    ["the first Monday of summer, at the moment", "2026-03-30T14:00:00Z", "2026-03-27"],
    ["the first Monday of summer, after it", "2026-03-30T14:00:00.001Z", "2026-03-30"],
    ["the last Friday of summer, after it", "2026-10-23T14:00:00.001Z", "2026-10-23"],
    ["the hour that comes twice", "2026-10-25T01:30:00Z", "2026-10-23"],
    ["the first Monday of winter, at the moment", "2026-10-26T15:00:00Z", "2026-10-23"],
    ["the first Monday of winter, after it", "2026-10-26T15:00:00.001Z", "2026-10-26"],
  ])("%s", expectReferenceDay);
});

describe("other offsets", () => {
  test.each([
    ["the Canaries, before it", "2026-08-13T14:59:59+01:00", "2026-08-12"],
    ["the Canaries, after it", "2026-08-13T15:30:00+01:00", "2026-08-13"],
    ["New York, at the moment", "2026-08-13T10:00:00-04:00", "2026-08-12"],
    ["New York, a second after", "2026-08-13T10:00:01-04:00", "2026-08-13"],
    ["Tokyo, tomorrow already", "2026-08-14T01:00:00+09:00", "2026-08-13"],
    ["Kiritimati, this morning still", "2026-08-13T23:00:00+14:00", "2026-08-12"],
    ["Honolulu, yesterday still", "2026-08-12T23:00:00-10:00", "2026-08-12"],
  ])("%s", expectReferenceDay);
});

test("it is always an open day, never after the payment's, and later payments never go back", () => {
  const instant = fc.integer({
    min: instantOf("2002-01-03T00:00:00Z"),
    max: instantOf("2099-12-31T00:00:00Z"),
  });
  const gap = fc.integer({ min: 0, max: 10 * 86_400_000 });
  fc.assert(
    fc.property(instant, gap, (paidAt, later) => {
      const day = referenceDay(paidAt);
      expect(isTargetDay(day)).toBe(true);
      expect(instantOf(`${day}T14:00:00Z`)).toBeLessThan(paidAt);
      expect(day <= referenceDay(paidAt + later)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

function expectReferenceDay(_: string, paidAt: string, expected: string) {
  expect(referenceDay(instantOf(paidAt))).toBe(expected);
}
