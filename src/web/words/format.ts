import { currentLanguage } from "../app/language.ts";

const NO_BREAK = "\u00A0";

function locale(): string {
  return currentLanguage() === "es" ? "es-ES" : "en-GB";
}

/** Formats an exact decimal text: 1.234,56 €; other currencies with their code; a true minus sign. */
export function money(amount: string, currency = "EUR"): string {
  return `${decimals(amount, decimalsOf(currency))}${NO_BREAK}${currency === "EUR" ? "€" : currency}`;
}

/** Without the currency, for a column with the currency in its head. */
export function amount(value: string, currency = "EUR"): string {
  return decimals(value, decimalsOf(currency));
}

/** 1.000 in Spanish too, which by default groups from 10.000 on. */
export function countFormat(): Intl.NumberFormat {
  return new Intl.NumberFormat(locale(), { useGrouping: "always" });
}

export function count(value: number): string {
  return countFormat().format(value);
}

/** 21 %; a text, because rates are exact. */
export function percent(rate: string): string {
  const format = new Intl.NumberFormat(locale(), { maximumFractionDigits: 4 });
  return `${format.format(asNumeric(rate))}${NO_BREAK}%`;
}

/** A part of a whole: `rounded` from 10 % on, a decimal below, and no part is nothing. */
export function share(part: number, whole: number, rounded: number): string {
  if (part <= 0 || whole <= 0) return percent("0");
  const exact = (100 * part) / whole;
  if (exact < 1) return `<${percent("1")}`;
  return percent(exact < 10 ? decimalText(exact) : String(rounded));
}

/** One decimal, of a number that is no money. */
function decimalText(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function decimals(value: string, digits: number): string {
  const format = new Intl.NumberFormat(locale(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits, 2),
    useGrouping: "always",
  });
  return format.format(asNumeric(value)).replace("-", "−");
}

function decimalsOf(currency: string): number {
  return (
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2
  );
}

/** Intl formats a decimal text exactly; its type only knows the name. */
function asNumeric(text: string): Intl.StringNumericLiteral {
  return text as Intl.StringNumericLiteral;
}

/** The name of a country by its code; the code where it is none. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames([locale()], { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** 27/11/2026, of a civil date or of a moment in the zone. */
export function date(value: string, timeZone = "Europe/Madrid"): string {
  if (currentLanguage() === "en")
    return formatted(value, timeZone, { day: "numeric", month: "short", year: "numeric" });
  return formatted(value, timeZone, { day: "2-digit", month: "2-digit", year: "numeric" });
}

/** 27 de noviembre de 2026, in sentences. */
export function longDate(value: string, timeZone = "Europe/Madrid"): string {
  return formatted(value, timeZone, { day: "numeric", month: "long", year: "numeric" });
}

/** 27 de noviembre. */
export function dayOfMonth(value: string, timeZone = "Europe/Madrid"): string {
  return formatted(value, timeZone, { day: "numeric", month: "long" });
}

/** 27 nov, 11:44, in short lists. */
export function shortMoment(value: string, timeZone = "Europe/Madrid"): string {
  const day = formatted(value, timeZone, { day: "numeric", month: "short" }).replace(".", "");
  return `${day}, ${time(value, timeZone)}`;
}

export function time(value: string, timeZone = "Europe/Madrid"): string {
  return formatted(value, timeZone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** 27/11/2026, 11:44:09, where the second counts. */
export function moment(value: string, timeZone = "Europe/Madrid"): string {
  const options = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  return `${date(value, timeZone)}, ${formatted(value, timeZone, options)}`;
}

/** `YYYY-MM-DD` of a moment in the zone. */
export function dayIn(timeZone: string, now = new Date()): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(now);
}

/** In the order of the reader's alphabet. */
export function inOrder(a: string, b: string): number {
  return a.localeCompare(b, locale());
}

function formatted(value: string, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  // A civil date is the same day in every zone.
  const isCivil = /^\d{4}-\d{2}-\d{2}$/.test(value);
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone: isCivil ? "UTC" : timeZone }).format(
    new Date(isCivil ? `${value}T00:00:00Z` : value),
  );
}

/** noviembre de 2026, of a month such as 2026-11. */
export function monthName(month: string): string {
  return formatted(`${month}-01`, "UTC", { month: "long", year: "numeric" });
}

/** Capitalised for use alone: Noviembre de 2026. */
export function monthTitle(month: string): string {
  return beginning(monthName(month));
}

/** noviembre, within a sentence. */
export function monthOnly(month: string): string {
  return formatted(`${month}-01`, "UTC", { month: "long" });
}

/** Viernes, 27 de noviembre de 2026. */
export function weekdayDate(day: string): string {
  return beginning(
    formatted(day, "UTC", { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
  );
}

function beginning(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
