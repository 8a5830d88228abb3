/** The sums of a range of days are those of its whole months and of the days at its ends. */
import { expect, test } from "vitest";
import { stretchesOf } from "../../../src/console/invoices/summed-stretches.ts";
import { civilDate, daysAfter } from "../../../src/domain/shared/civil-date.ts";

const FIRST = civilDate("2023-11-20");
const DAYS = 900;
const days = Array.from({ length: DAYS }, (_, index) => daysAfter(FIRST, index));

/** The days whose sums are read, by what lies between the texts of each stretch. */
function summed(filter: Parameters<typeof stretchesOf>[0]): readonly string[] {
  return stretchesOf(filter).flatMap(({ grain, first, last }) =>
    days.filter((day) => {
      const period = grain === "day" ? day : day.slice(0, 7);
      return period >= first && period <= last;
    }),
  );
}

function expected({ month, firstDay, lastDay }: Parameters<typeof stretchesOf>[0]): readonly string[] {
  return days.filter(
    (day) =>
      (month === undefined || day.startsWith(month)) &&
      (firstDay === undefined || day >= firstDay) &&
      (lastDay === undefined || day <= lastDay),
  );
}

const ENDS = ["2024-01-01", "2024-01-15", "2024-01-31", "2024-02-01", "2024-02-28", "2024-02-29"];
const BOUNDS = [undefined, ...[...ENDS, "2024-12-31", "2025-02-28", "2025-04-30"].map(civilDate)];

test("each day of any range is summed once, and no other day", () => {
  for (const firstDay of BOUNDS) {
    for (const lastDay of BOUNDS) {
      for (const month of [undefined, "2024-01", "2024-02", "2030-01"]) {
        const filter = {
          ...(month === undefined ? {} : { month }),
          ...(firstDay === undefined ? {} : { firstDay }),
          ...(lastDay === undefined ? {} : { lastDay }),
        };
        expect([filter, summed(filter).toSorted()]).toEqual([filter, expected(filter)]);
      }
    }
  }
});

test("days are read of two months at most, and of none where months are whole", () => {
  const read = (firstDay: string, lastDay: string) =>
    stretchesOf({ firstDay: civilDate(firstDay), lastDay: civilDate(lastDay) }).map(
      ({ grain, first, last }) => `${grain} ${first} ${last}`,
    );
  expect(read("2024-01-01", "2024-12-31")).toEqual(["month 2024-01 2024-12"]);
  expect(read("2024-01-02", "2026-02-27")).toEqual([
    "day 2024-01-02 2024-01-31",
    "month 2024-01~ 2026-01",
    "day 2026-02-01 2026-02-27",
  ]);
  expect(read("2024-03-02", "2024-03-31")).toEqual(["day 2024-03-02 2024-03-31"]);
});
