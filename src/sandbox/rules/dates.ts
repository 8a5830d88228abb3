/** Days as the service writes them, dd-mm-yyyy, and as they can be compared, yyyy-mm-dd. */

export function isDate(text: string): boolean {
  return comparable(text) !== undefined;
}

/** yyyy-mm-dd; undefined when the calendar has no such day. */
export function comparable(text: string | undefined): string | undefined {
  const [, day, month, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text ?? "") ?? [];
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? undefined : iso;
}

/** The same day so many years before or after; 29 February becomes the 28th. */
export function yearsLater(iso: string, years: number): string {
  const year = String(Number(iso.slice(0, 4)) + years).padStart(4, "0");
  const moved = `${year}${iso.slice(4)}`;
  return moved.endsWith("-02-29") && comparable(`29-02-${year}`) === undefined ? `${year}-02-28` : moved;
}

const MADRID = new Intl.DateTimeFormat("en-CA", {
  timeZone: "Europe/Madrid",
  hourCycle: "h23",
  ...{
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  },
  timeZoneName: "longOffset",
});

/** An instant as the AEAT writes it: peninsular time with its offset. */
export function madridTimestamp(milliseconds: number): string {
  const parts = MADRID.formatToParts(milliseconds);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
  const day = `${part("year")}-${part("month")}-${part("day")}`;
  const offset = part("timeZoneName").replace("GMT", "") || "+00:00";
  return `${day}T${part("hour")}:${part("minute")}:${part("second")}${offset}`;
}
