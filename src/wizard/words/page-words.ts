import { useMemo } from "react";
import { createIntl, createIntlCache, useIntl } from "react-intl";

/** Words that come with the page that needs them, not with the first load: each key in both languages. */
export interface PageWords<Id extends string> {
  readonly es: Readonly<Record<Id, string>>;
  readonly en: Readonly<Record<Id, string>>;
}

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
