import type { Bilingual, Language } from "../../words/words.ts";
import { fill } from "../presentation/texts.ts";
import { WORDS } from "../presentation/words.ts";
import { ViewerFrame } from "./viewer-page.tsx";

interface StatusProps {
  readonly language: Language;
}

/** Unknown, expired or switched off: one page, so that it does not reveal the cause. */
export function GonePage({ language }: StatusProps) {
  return <StatusPage language={language} title={WORDS.goneTitle} body={WORDS.goneBody} />;
}

/** A temporary failure: the page says so. */
export function UnavailablePage({ language }: StatusProps) {
  return <StatusPage language={language} title={WORDS.unavailableTitle} body={WORDS.unavailableBody} />;
}

/** Too many views of one link, or from one network. */
export function BrakedPage({ language }: StatusProps) {
  return <StatusPage language={language} title={WORDS.brakedTitle} body={WORDS.brakedBody} />;
}

interface SentenceProps extends StatusProps {
  readonly title: Bilingual;
  readonly body: Bilingual;
}

/** The shop is unknown here: only the sentence, no link. */
function StatusPage({ language, title, body }: SentenceProps) {
  return (
    <ViewerFrame language={language} title={fill(title, language)}>
      <main class="status">
        <h1>{fill(title, language)}</h1>
        <p>{fill(body, language)}</p>
      </main>
    </ViewerFrame>
  );
}
