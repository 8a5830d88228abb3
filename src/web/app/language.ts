export const LANGUAGES = ["es", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

const KEPT_UNDER = "cuadre.language";

/** Spanish, unless the person chose English here. */
export function currentLanguage(): Language {
  return localStorage.getItem(KEPT_UNDER) === "en" ? "en" : "es";
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(KEPT_UNDER, language);
}
