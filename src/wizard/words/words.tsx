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

interface OwnWordsProps<Id extends string> {
  readonly words: Readonly<Record<Language, Readonly<Record<Id, string>>>>;
  readonly children: ReactNode;
}

/** Words that only one page has: they are loaded with it, in both languages. */
export function OwnWords<Id extends string>({ words, children }: OwnWordsProps<Id>) {
  const { locale, messages } = useIntl();
  const own = words[currentLanguage()];
  const all = useMemo(() => ({ ...messages, ...own }), [messages, own]);
  return (
    <IntlProvider locale={locale} messages={all}>
      {children}
    </IntlProvider>
  );
}

export type Say<Id extends string = WordId> = (id: Id, values?: Values) => string;

/** The words of the console: `say("save")`, `say("overview.held", { n: 3 })`. */
export function useWords(): Say {
  const intl = useIntl();
  return useMemo(() => (id, values) => intl.formatMessage({ id }, values), [intl]);
}

/** Within `OwnWords`: those of the page beside those of all. */
export function useOwnWords<Id extends string>(): Say<Id | WordId> {
  const intl = useIntl();
  return useMemo(() => (id, values) => intl.formatMessage({ id }, values), [intl]);
}
