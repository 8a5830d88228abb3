/** The ranges that a list offers by name, as whole months, quarters and years. */
export const RANGES = ["this_month", "last_month", "this_quarter", "last_quarter", "this_year"] as const;
export type Range = (typeof RANGES)[number];

/** Civil days, `YYYY-MM-DD`; "" is no bound. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The days of a range, seen from a day of the company. */
export function daysOf(range: Range, today: string): Days {
  const [year = 0, month = 1] = today.split("-").map(Number);
  const quarter = month - ((month - 1) % 3);
  switch (range) {
    case "this_month":
      return months(year, month, 1);
    case "last_month":
      return months(year, month - 1, 1);
    case "this_quarter":
      return months(year, quarter, 3);
    case "last_quarter":
      return months(year, quarter - 3, 3);
    case "this_year":
      return months(year, 1, 12);
  }
}

/** The range that has exactly these days. */
export function rangeOf({ from, to }: Days, today: string): Range | undefined {
  return RANGES.find((range) => {
    const days = daysOf(range, today);
    return days.from === from && days.to === to;
  });
}

/** So many months from the first one; month 0 is December of the year before. */
function months(year: number, first: number, count: number): Days {
  return { from: dayText(year, first, 1), to: dayText(year, first + count, 0) };
}

function dayText(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
