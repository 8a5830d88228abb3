import type { CivilDate } from "../domain/shared/civil-date.ts";
import type { Language } from "../words/words.ts";

const FORMATS = { es: formatIn("es"), en: formatIn("en-GB") } as const;

/** 27 de noviembre de 2026. */
export function longDate(date: CivilDate, language: Language): string {
  return FORMATS[language].format(Date.parse(date));
}

function formatIn(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}
