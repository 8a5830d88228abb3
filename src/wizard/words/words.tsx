import { type ReactNode, useEffect, useMemo, useState } from "react";
import { IntlProvider, useIntl } from "react-intl";
import { currentLanguage, type Language } from "../app/language.ts";
import { es } from "./es/index.ts";

export type WordId = keyof typeof es;
export type Words = Readonly<Record<WordId, string>>;
type Values = Readonly<Record<string, string | number>>;

/** Spanish comes with the page; English is loaded where it was chosen. */
export function WordsProvider({ children }: { readonly children: ReactNode }) {
  const language = currentLanguage();
  const words = useWordsOf(language);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  if (!words) return null;
  return (
    <IntlProvider locale={language === "es" ? "es-ES" : "en-GB"} messages={words}>
      {children}
    </IntlProvider>
  );
}

function useWordsOf(language: Language): Words | undefined {
  const [english, setEnglish] = useState<Words>();
  useEffect(() => {
    if (language === "en") void import("./en/index.ts").then(({ en }) => setEnglish(en));
  }, [language]);
  return language === "es" ? es : english;
}

export type Say = (id: WordId, values?: Values) => string;

/** The words of the console: `say("save")`, `say("overview.held", { n: 3 })`. */
export function useWords(): Say {
  const intl = useIntl();
  return useMemo(() => (id, values) => intl.formatMessage({ id }, values), [intl]);
}
