import { useMemo } from "react";
import { createIntl, createIntlCache, useIntl } from "react-intl";
import type { PageWords } from "./pages/words-of-page.ts";

export type PageSay<Id extends string> = (
  id: Id,
  values?: Readonly<Record<string, string | number>>,
) => string;

export function usePageWords<Id extends string>(words: PageWords<Id>): PageSay<Id> {
  const { locale } = useIntl();
  return useMemo(() => {
    const messages = locale.startsWith("es") ? words.es : words.en;
    const intl = createIntl({ locale, messages }, createIntlCache());
    return (id, values) => intl.formatMessage({ id }, values);
  }, [locale, words]);
}
