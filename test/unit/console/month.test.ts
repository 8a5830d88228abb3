import { expect, test } from "vitest";
import { beginningOf, daysIn, monthIn } from "../../../src/console/issuer-day.ts";

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

test("a range of days ends with its last day, and a month beside it narrows it", () => {
  const zone = "Europe/Madrid";
  const shown = (days: Parameters<typeof daysIn>[0]) => {
    const range = daysIn(days, zone);
    return range && [iso(range.from), iso(range.to)];
  };
  expect(daysIn({}, zone)).toBeUndefined();
  const november = ["2026-11-14T23:00:00.000Z", "2026-11-30T23:00:00.000Z"];
  expect(shown({ from: "2026-11-15", to: "2026-11-30" })).toEqual(november);
  expect(shown({ month: "2026-11", from: "2026-11-15" })).toEqual(november);
  expect(daysIn({ to: "2999-12-31" }, zone)?.to).toBe(monthIn("2999-12", zone).to);
  expect(daysIn({ from: "2026-11-15" }, zone)?.from).toBe(beginningOf("2026-11-15", zone));
});
