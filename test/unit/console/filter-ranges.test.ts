/** The ranges that lists offer by name: whole months, quarters and years, seen from a day of the company. */
import { expect, test } from "vitest";
import { daysOf, RANGES, rangeOf } from "../../../src/web/parts/filters/ranges.ts";

test.each([
  ["this_month", "2026-11-30", "2026-11-01", "2026-11-30"],
  ["this_month", "2028-02-01", "2028-02-01", "2028-02-29"],
  ["last_month", "2027-01-15", "2026-12-01", "2026-12-31"],
  ["last_month", "2026-03-31", "2026-02-01", "2026-02-28"],
  ["this_quarter", "2026-11-30", "2026-10-01", "2026-12-31"],
  ["this_quarter", "2026-01-01", "2026-01-01", "2026-03-31"],
  ["last_quarter", "2026-02-10", "2025-10-01", "2025-12-31"],
  ["last_quarter", "2026-06-30", "2026-01-01", "2026-03-31"],
  ["this_year", "2026-06-30", "2026-01-01", "2026-12-31"],
] as const)("%s on %s is from %s to %s", (range, today, from, to) => {
  expect(daysOf(range, today)).toEqual({ from, to });
});

test("days have the name of their range, and others have none", () => {
  for (const range of RANGES) expect(rangeOf(daysOf(range, "2026-11-30"), "2026-11-30")).toBe(range);
  expect(rangeOf({ from: "2026-11-02", to: "2026-11-30" }, "2026-11-30")).toBeUndefined();
  expect(rangeOf({ from: "", to: "" }, "2026-11-30")).toBeUndefined();
});
