import { expect, test } from "vitest";
import { beginningOf, monthIn } from "../../../src/console/issuer-day.ts";

const iso = (at: number) => new Date(at).toISOString();

test.each([
  ["in winter", "2026-11", "Europe/Madrid", "2026-10-31T23:00:00.000Z", "2026-11-30T23:00:00.000Z"],
  ["in summer", "2026-07", "Atlantic/Canary", "2026-06-30T23:00:00.000Z", "2026-07-31T23:00:00.000Z"],
  [
    "where the clock changes",
    "2026-10",
    "Europe/Madrid",
    "2026-09-30T22:00:00.000Z",
    "2026-10-31T23:00:00.000Z",
  ],
  ["the last there is", "2999-12", "Europe/Madrid", "2999-11-30T23:00:00.000Z", "2999-12-31T23:00:00.000Z"],
] as const)("a month %s", (_, month, zone, from, to) => {
  const { from: begins, to: ends } = monthIn(month, zone);
  expect([iso(begins), iso(ends)]).toEqual([from, to]);
});

test.each(["1900-01-01", "1900-12-31", "1921-06-01", "3000-01-01"])("%s begins at some moment", (day) => {
  for (const zone of ["Europe/Madrid", "Atlantic/Canary"] as const) {
    expect(Math.abs(beginningOf(day, zone) - Date.parse(day))).toBeLessThanOrEqual(2 * 3_600_000);
  }
});
