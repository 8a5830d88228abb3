import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from "react";
import { IntlProvider, useIntl } from "react-intl";
import { currentLanguage } from "../app/language.ts";
import { type Area, type Say, type WordId, type Words, wordsOf } from "./areas.ts";
import { common } from "./es/common.ts";
import { withCounts, withWrittenCounts } from "./numbers.ts";

export type { Say, WordId } from "./areas.ts";

/** The words loaded so far: each page adds to it, and none removes any. */
let held: Words | undefined = currentLanguage() === "es" ? common : undefined;
const watchers = new Set<() => void>();

function hold(words: Words): void {
  held = { ...held, ...words };
  for (const notify of watchers) notify();
}

function watch(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}

/** Before a page of these areas is shown. */
export async function loadWords(areas: readonly Area[]): Promise<void> {
  const words = await wordsOf(["common", ...areas], currentLanguage());
  // Only new words render open pages again.
  if (!Object.keys(words).every(isWord)) hold(words);
}

/** Whether a loaded word exists for a name that the API sends. */
export function isWord(id: string): id is WordId {
  return held !== undefined && Object.hasOwn(held, id);
}

export function WordsProvider({ children }: { readonly children: ReactNode }) {
  const language = currentLanguage();
  const words = useSyncExternalStore(watch, () => held);
  useEffect(() => {
    document.documentElement.lang = language;
    // If English fails to load, Spanish reports the failure.
    loadWords([]).catch(() => hold(common));
  }, [language]);
  if (!words) return null;
  return (
    <IntlProvider locale={language === "es" ? "es-ES" : "en-GB"} messages={words}>
      {children}
    </IntlProvider>
  );
}

/** The words of the console: `say("save")`, `say("overview.held", { n: 3 })`. */
export function useWords(): Say {
  const intl = useIntl();
  return useMemo(() => {
    const formatters = withCounts(intl.formatters);
    return (id, values) =>
      intl.formatMessage({ id }, withWrittenCounts(intl.messages[id], values), { formatters });
  }, [intl]);
}
