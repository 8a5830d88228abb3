import { describe, expect, test } from "vitest";
import {
  easterSunday,
  isTargetDay,
  lastTargetDayUpTo,
  targetDaysBetween,
} from "../../../src/domain/exchange/reference-rate.ts";
import { civilDate, previousDay, weekday } from "../../../src/domain/shared/civil-date.ts";

test.each([
  ["1954-04-18"],
  ["1981-04-19"],
  ["2000-04-23"],
  ["2008-03-23"],
  ["2011-04-24"],
  ["2019-04-21"],
  ["2024-03-31"],
  ["2025-04-20"],
  ["2026-04-05"],
  ["2027-03-28"],
  ["2028-04-16"],
  ["2038-04-25"],
  ["2049-04-18"],
  ["2076-04-19"],
])("Easter is on %s", (easter) => {
  expect(easterSunday(Number(easter.slice(0, 4)))).toBe(easter);
});

describe("the weekdays on which TARGET is closed", () => {
  test.each<[number, string[]]>([
    [2024, ["01-01", "03-29", "04-01", "05-01", "12-25", "12-26"]],
    [2025, ["01-01", "04-18", "04-21", "05-01", "12-25", "12-26"]],
    [2026, ["01-01", "04-03", "04-06", "05-01", "12-25"]],
    [2027, ["01-01", "03-26", "03-29"]],
  ])("of %i", (year, closed) => {
    const weekdays = daysOf(year).filter((day) => weekday(day) < 6);
    const found = weekdays.filter((day) => !isTargetDay(day));
    expect(found).toEqual(closed.map((day) => `${year}-${day}`));
  });
});

test("no Saturday or Sunday is open", () => {
  const weekends = daysOf(2026).filter((day) => weekday(day) > 5);
  expect(weekends).toHaveLength(104);
  expect(weekends.filter(isTargetDay)).toEqual([]);
});

test.each([
  ["an open day is its own", "2026-08-13", "2026-08-13"],
  ["a Sunday goes back to Friday", "2026-08-16", "2026-08-14"],
  ["Easter Monday goes back to Maundy Thursday", "2026-04-06", "2026-04-02"],
  ["New Year goes back into the old year", "2026-01-01", "2025-12-31"],
  ["a long Christmas goes back over all of it", "2027-12-26", "2027-12-24"],
  ["a national holiday is open", "2026-10-12", "2026-10-12"],
])("%s", (_, date, expected) => {
  expect(lastTargetDayUpTo(civilDate(date))).toBe(expected);
});

test.each([
  ["2026-08-13", "2026-08-12", 4],
  ["2026-03-01", "2026-02-28", 7],
  ["2024-03-01", "2024-02-29", 5],
  ["2100-03-01", "2100-02-28", 1],
  ["2026-01-01", "2025-12-31", 4],
  ["2026-03-30", "2026-03-29", 1],
])("%s comes after %s and is weekday %i", (date, before, expected) => {
  expect(previousDay(civilDate(date))).toBe(before);
  expect(weekday(civilDate(date))).toBe(expected);
});

test.each<[string, string, string, string[]]>([
  ["both ends count", "2026-08-13", "2026-08-14", ["2026-08-13", "2026-08-14"]],
  ["closed days do not", "2026-04-02", "2026-04-07", ["2026-04-02", "2026-04-07"]],
  ["closed ends neither", "2026-08-15", "2026-08-18", ["2026-08-17", "2026-08-18"]],
  ["none between closed days", "2026-04-03", "2026-04-06", []],
  ["none backwards", "2026-08-14", "2026-08-13", []],
])("open days between: %s", (_, first, last, expected) => {
  expect(targetDaysBetween(civilDate(first), civilDate(last))).toEqual(expected);
});

function daysOf(year: number) {
  const days = [];
  for (let day = civilDate(`${year}-12-31`); day >= `${year}-01-01`; day = previousDay(day)) days.push(day);
  return days.reverse();
}
