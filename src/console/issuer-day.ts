import type { Context } from "hono";
import type { CivilDate } from "../domain/shared/civil-date.ts";
import { localTime, type TimeZone } from "../domain/shared/instant.ts";
import type { Language } from "../words/words.ts";
import type { Month } from "./connections/connection-ports.ts";
import { monthOf } from "./connections/view.ts";
import type { ConsoleEnv } from "./deps.ts";
import { refuse } from "./refuse.ts";

interface IssuerDay {
  readonly zone: TimeZone;
  readonly today: CivilDate;
  readonly year: string;
  readonly month: Month;
}

/** Today in the time zone of the path's issuer. */
export async function issuerDay(c: Context<ConsoleEnv>): Promise<IssuerDay> {
  const { account, reads, deps } = c.var;
  const [issuer] = await reads.accounts.readAccounts([account.accountId]);
  if (!issuer) return refuse(c, "not_found");
  const { date: today } = localTime(deps.now(), issuer.timeZone);
  const year = today.slice(0, "YYYY".length);
  return { zone: issuer.timeZone, today, year, month: monthOf(deps.now(), issuer.timeZone) };
}

const FORMATS = { es: formatIn("es"), en: formatIn("en-GB") } as const;

/** Spanish gives "27 de noviembre de 2026". */
export function longDate(date: CivilDate, language: Language): string {
  return FORMATS[language].format(Date.parse(date));
}

function formatIn(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}
