import type { Language } from "../../words/words.ts";
import type { Words } from "../presentation/texts.ts";

interface LegalProps {
  readonly words: Words;
  /** That of the page: words in another are marked as such. */
  readonly language: Language;
}

/** Words that the law requires in Spanish; readers of English get the English after them in small type. */
export function Legal({ words, language }: LegalProps) {
  const { text, gloss } = words;
  return (
    <>
      {words.language === language ? (
        <Whole text={text} />
      ) : (
        <span lang={words.language}>
          <Whole text={text} />
        </span>
      )}
      {gloss === undefined ? null : (
        <small class="gloss">
          {" "}
          <Whole text={gloss} />
        </small>
      )}
    </>
  );
}

/** Another party's text: it keeps its own direction. */
export function Foreign({ text }: { readonly text: string }) {
  return <bdi>{text}</bdi>;
}

const NUMBER = /(\S*\d\S*-\S*\w)/;

/** A sentence with its invoice numbers kept on one line if they fit. */
export function Whole({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(NUMBER).map((part, index) => (index % 2 === 1 ? <span class="whole">{part}</span> : part))}
    </>
  );
}
