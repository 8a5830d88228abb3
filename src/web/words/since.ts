import { date, dayOfMonth, time } from "./format.ts";
import type { Say } from "./words.tsx";

/** «las 11:36» of today, «el 26 de noviembre a las 11:36» of another day. */
export function sinceText(since: string, timeZone: string, say: Say): string {
  const at = time(since, timeZone);
  const hour = { article: at.startsWith("01:") ? "la" : "las", time: at };
  const isToday = date(since, timeZone) === date(new Date().toISOString(), timeZone);
  return isToday
    ? say("unsent.since.today", hour)
    : say("unsent.since.day", { ...hour, day: dayOfMonth(since, timeZone) });
}
