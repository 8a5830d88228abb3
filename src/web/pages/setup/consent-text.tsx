import { Anchor } from "@mantine/core";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { answer } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Section } from "../../parts/section.tsx";
import { date } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { LegalText } from "./legal-text.tsx";
import { type ConnectionPlace, ofConnection, type Setup } from "./setup.ts";
import styles from "./wizard.module.css";

interface Text {
  readonly consentId: string;
  readonly version: string;
  readonly sha256: string;
  readonly intro: string;
  readonly clauses: readonly { readonly title: string; readonly body: string }[];
}

export const CONSENT_TEXT = "consent-text";

/** The text for these facts: it changes with the date and with the series. */
export function useConsentText(place: ConnectionPlace, setup: Setup, cutoff: string): UseQueryResult<Text> {
  const series = setup.series.map(({ stem }) => stem).join(",");
  return useQuery({
    queryKey: [CONSENT_TEXT, place.account, place.connection, cutoff, series],
    queryFn: () =>
      answer(ofConnection["consent-text"].$get({ param: place, query: { cutoff_date: cutoff } })),
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whole, never in a box that scrolls. */
export function ConsentText({ setup, text }: { readonly setup: Setup; readonly text: UseQueryResult<Text> }) {
  const say = useWords();
  const version = { version: setup.textVersion, date: date(setup.today) };
  return (
    <Section title={say("step3.accept")} aside={say("step3.accept.version", version)} isPrinted>
      <span id="consent_text" tabIndex={-1} />
      {text.isPending && <Loading rows={8} />}
      {text.isError && <ErrorCard error={text.error} retry={() => void text.refetch()} />}
      {text.data && <LegalText intro={text.data.intro} clauses={text.data.clauses} />}
      <div className={styles.links}>
        <Anchor component="button" type="button" size="sm" onClick={() => window.print()}>
          {say("step3.accept.pdf")}
        </Anchor>
        <a href={paths.declaration} target="_blank" rel="noreferrer">
          {say("step3.accept.declaration")}
        </a>
      </div>
    </Section>
  );
}
