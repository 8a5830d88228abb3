export const LANGUAGES = ["en", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

/** One text in the two languages of the service. */
export interface Bilingual {
  readonly en: string;
  readonly es: string;
}

export const DEFAULT_LANGUAGE: Language = "en";

/** The language preferred by quality value, in any region; `otherwise` if the caller asks for neither. */
export function preferredLanguage(
  acceptLanguage: string | undefined,
  otherwise: Language = DEFAULT_LANGUAGE,
): Language {
  let best: { language: Language; quality: number } | undefined;
  for (const range of (acceptLanguage ?? "").split(",").slice(0, 50)) {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const language = languageOf(tag);
    const quality = qualityOf(parameters);
    if (language && quality > (best?.quality ?? 0)) best = { language, quality };
  }
  return best?.language ?? otherwise;
}

function languageOf(tag: string): Language | undefined {
  const primary = tag.split("-")[0];
  return primary === "en" || primary === "es" ? primary : undefined;
}

function qualityOf(parameters: readonly string[]): number {
  const stated = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = stated === undefined ? 1 : Number(stated.slice(2));
  return quality >= 0 && quality <= 1 ? quality : 0;
}
