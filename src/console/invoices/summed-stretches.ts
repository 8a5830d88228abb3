import { civilDate, daysAfter } from "../../domain/shared/civil-date.ts";
import type { InvoiceFilter } from "./list-invoices.ts";

/** Sums of one grain, from the first to the last period, both included. */
export interface Stretch {
  readonly grain: "day" | "month";
  readonly first: string;
  readonly last: string;
}

/** Every period lies between these texts. */
const [EARLIEST, LATEST] = ["", "~"] as const;
/** Ends every month as a text. */
const LAST_DAY = "31";

/**
 * The sums that make up a range of days: whole months, and days where it begins or ends within a month. So
 * many rows are read however long the range is: at most two months of days, and its months.
 */
export function stretchesOf({
  month,
  firstDay,
  lastDay,
}: Pick<InvoiceFilter, "month" | "firstDay" | "lastDay">): readonly Stretch[] {
  const first = [firstDay ?? [], month === undefined ? [] : `${month}-01`].flat().toSorted().at(-1);
  const [last] = [lastDay ?? [], month === undefined ? [] : `${month}-${LAST_DAY}`].flat().toSorted();
  if (first !== undefined && last !== undefined && first > last) return [NOTHING];
  const [firstMonth, lastMonth] = [first?.slice(0, 7) ?? EARLIEST, last?.slice(0, 7) ?? LATEST];
  const beginsWithin = first !== undefined && !first.endsWith("-01");
  const endsWithin = last !== undefined && !isLastDay(last);
  if (firstMonth === lastMonth && (beginsWithin || endsWithin)) {
    return [{ grain: "day", first: first ?? EARLIEST, last: last ?? LATEST }];
  }
  return [
    ...(beginsWithin ? [{ grain: "day" as const, first, last: `${firstMonth}-${LAST_DAY}` }] : []),
    {
      grain: "month",
      // A text between this month and the next one.
      first: beginsWithin ? `${firstMonth}~` : firstMonth,
      last: endsWithin ? previousMonth(lastMonth) : lastMonth,
    },
    ...(endsWithin ? [{ grain: "day" as const, first: `${lastMonth}-01`, last }] : []),
  ];
}

/** Of no period. */
const NOTHING: Stretch = { grain: "month", first: LATEST, last: EARLIEST };

function isLastDay(day: string): boolean {
  return day.endsWith(LAST_DAY) || !daysAfter(civilDate(day), 1).startsWith(day.slice(0, 7));
}

function previousMonth(month: string): string {
  return daysAfter(civilDate(`${month}-01`), -1).slice(0, 7);
}
