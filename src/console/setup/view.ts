import type { Context } from "hono";
import type { ConsentTextFacts, ConsentTextVersion } from "../../domain/connection/consent.ts";
import { yearOf } from "../../domain/shared/civil-date.ts";
import { localTime } from "../../domain/shared/instant.ts";
import type { Language } from "../../words/words.ts";
import type { ConsoleEnv } from "../deps.ts";
import { longDate } from "../issuer-day.ts";
import { refuse } from "../refuse.ts";
import { isNumberedStem, seriesOfStem, stemsInUse, stemsShown } from "../sales/series-view.ts";
import type { SetupRead } from "./queries.ts";
import { type ConsentFacts, consentTextV1 } from "./texts/consent-v1.ts";
import { consentTextV2 } from "./texts/consent-v2.ts";
import { type HashedText, type LegalText, withHash } from "./texts/legal-text.ts";

/** The path's connection as setup reads it. */
export async function readSetup(c: Context<ConsoleEnv>): Promise<SetupRead> {
  const read = await c.var.reads.setup.readSetup(c.var.account.accountId, c.var.connection.id);
  return read ?? refuse(c, "not_found");
}

/** Today in the issuer's zone. */
export function todayOf(c: Context<ConsoleEnv>, { issuer }: SetupRead) {
  return localTime(c.var.deps.now(), issuer.timeZone).date;
}

/** This year's series of the connection's stems with their next numbers, and those that its pages name. */
export function seriesOf(c: Context<ConsoleEnv>, read: SetupRead) {
  const year = yearOf(todayOf(c, read));
  const numbering = { ...read, year: String(year) };
  const series = stemsInUse(read).map(({ stem, isOfOrders }) => ({
    stem,
    isOfOrders,
    isNumbered: isNumberedStem(stem, numbering),
    numbers: seriesOfStem(stem, numbering),
  }));
  const named = new Set(stemsShown(read, numbering).map(({ stem }) => stem));
  return { year, series, shown: series.filter(({ stem }) => named.has(stem)) };
}

/** Series codes as the consent text lists them: `PED-1-2026`, `PED-1S-2026`, ... */
export function seriesNames(c: Context<ConsoleEnv>, read: SetupRead): string[] {
  return seriesOf(c, read).series.flatMap(({ numbers }) => numbers.map(({ code }) => code));
}

/** Every version that anyone ever agreed to. */
const TEXTS: Readonly<Record<ConsentTextVersion, (facts: ConsentFacts, language: Language) => LegalText>> = {
  "1": consentTextV1,
  "2": consentTextV2,
};

/** A version of the text with its facts filled in: equal facts give equal words and an equal hash. */
export function consentText(
  version: ConsentTextVersion,
  { cutoffDate, ...facts }: ConsentTextFacts & { readonly series: readonly string[] },
  language: Language,
): HashedText {
  return withHash(TEXTS[version]({ ...facts, cutoffDate: longDate(cutoffDate, language) }, language));
}
