declare const civilDateBrand: unique symbol;

/** A day of the calendar, `YYYY-MM-DD`, without time or zone. Compares as text. */
export type CivilDate = string & { readonly [civilDateBrand]: "CivilDate" };

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Undefined unless the day exists (2026-02-30 does not) and its year is 1900 to 2999. */
export function civilDateFrom(text: string): CivilDate | undefined {
  const match = ISO_DAY.exec(text);
  if (!match) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1900 || year > 2999) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? (text as CivilDate) : undefined;
}

/** For literals in code and days that were checked before. Throws on anything else. */
export function civilDate(text: string): CivilDate {
  const date = civilDateFrom(text);
  if (date === undefined) throw new Error("not a calendar day");
  return date;
}

export function yearOf(date: CivilDate): number {
  return Number(date.slice(0, 4));
}

/** The same day `years` earlier; 29 February becomes the 28th. */
export function yearsBefore(date: CivilDate, years: number): CivilDate {
  const year = String(yearOf(date) - years).padStart(4, "0");
  return civilDateFrom(`${year}${date.slice(4)}`) ?? civilDate(`${year}-02-28`);
}

export function laterOf(a: CivilDate, b: CivilDate): CivilDate {
  return a > b ? a : b;
}

/** `dd-mm-yyyy`, the form of every date in AEAT records and in the QR URL. */
export function toAeatDate(date: CivilDate): string {
  return `${date.slice(8, 10)}-${date.slice(5, 7)}-${date.slice(0, 4)}`;
}

/** The inverse of `toAeatDate`, for dates read from a record. */
export function fromAeatDate(date: string): CivilDate {
  return civilDate(`${date.slice(6, 10)}-${date.slice(3, 5)}-${date.slice(0, 2)}`);
}

const DAY_MILLISECONDS = 86_400_000;

/** The day before. The calendar begins on 1900-01-01: nothing lies before that. */
export function previousDay(date: CivilDate): CivilDate {
  return civilDate(new Date(Date.parse(date) - DAY_MILLISECONDS).toISOString().slice(0, 10));
}

export function daysAfter(date: CivilDate, days: number): CivilDate {
  return civilDate(new Date(Date.parse(date) + days * DAY_MILLISECONDS).toISOString().slice(0, 10));
}

/** ISO 8601: 1 is Monday, 7 is Sunday. */
export function weekday(date: CivilDate): number {
  return new Date(Date.parse(date)).getUTCDay() || 7;
}
