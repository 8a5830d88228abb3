import type { Language } from "../../app/language.ts";

/** Turns 1.234,56 as typed into the API's exact text; other input is kept unchanged. */
export function typedAmount(typed: string, language: Language): string {
  const plain = typed.replaceAll(/[\s€]/g, "").replace("−", "-");
  const isGrouped = GROUPED[language].test(plain);
  const ungrouped = isGrouped ? plain.replaceAll(language === "es" ? "." : ",", "") : plain;
  return ungrouped.replace(",", ".");
}

const GROUPED = {
  es: /^-?\d{1,3}(\.\d{3})+(,\d+)?$/,
  en: /^-?\d{1,3}(,\d{3})+(\.\d+)?$/,
} as const;
