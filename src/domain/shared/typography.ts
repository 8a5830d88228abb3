/** Figures and dates as people read them, in both languages. */
type Language = "en" | "es";

interface Bilingual {
  readonly en: string;
  readonly es: string;
}

const MINUS = "\u2212";
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** 1.234,56 in Spanish, 1,234.56 in English: digits are only moved, never computed with. */
export function numberText(source: string, language: Language): string {
  const [thousands, point] = language === "es" ? [".", ","] : [",", "."];
  const [integer = "", fraction] = source.replace("-", "").split(".");
  const grouped = integer.replace(/\B(?=(\d{3})+$)/g, thousands);
  return `${source.startsWith("-") ? MINUS : ""}${grouped}${fraction === undefined ? "" : point + fraction}`;
}

export function dateText(date: string, language: Language): string {
  const [year = "", month = "", day = ""] = date.split("-");
  if (language === "es") return `${day}/${month}/${year}`;
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}`;
}

/** A value for a sentence: a text, or a form for each language. */
type Value = string | ((language: Language) => string);
export type Values = Readonly<Record<string, Value>>;

const PLACE = /\{(\w+)\}/g;

export function fill(template: Bilingual, language: Language, values: Values = {}): string {
  return template[language].replace(PLACE, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return place;
    return typeof value === "string" ? value : value(language);
  });
}
