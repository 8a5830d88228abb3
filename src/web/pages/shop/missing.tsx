import { amount, percent } from "../../words/format.ts";
import { isWord, type Say, useWords } from "../../words/words.tsx";
import styles from "./shop.module.css";

/** A fact that the shop lacks, or that it contradicts: then with both figures. */
export interface MissingFact {
  readonly what: string;
  readonly where?: string | null | undefined;
  readonly stated?: string | null | undefined;
  readonly computed?: string | null | undefined;
}

/** The name of a fact for people; one that this page does not know is named as the service does. */
export function factName(what: string, say: Say): string {
  const id = `shop.fact.${what.slice(what.lastIndexOf(".") + 1)}`;
  return isWord(id) ? say(id) : what;
}

function figureText(figure: string, what: string, currency: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(figure)) return figure;
  return what.endsWith("tax_rate") ? percent(figure) : amount(figure, currency);
}

interface MissingListProps {
  readonly missing: readonly MissingFact[];
  /** Of the amounts. */
  readonly currency: string;
}

/** What the shop does not say, and where it says two things. */
export function MissingList({ missing, currency }: MissingListProps) {
  const say = useWords();
  return (
    <ul className={styles.missing}>
      {missing.map((fact) => (
        <li key={`${fact.what} ${fact.where} ${fact.stated}`}>
          <b>{factName(fact.what, say)}</b>
          {fact.where && <span className="code">{fact.where}</span>}
          <Figures fact={fact} currency={currency} />
        </li>
      ))}
    </ul>
  );
}

function Figures({ fact, currency }: { readonly fact: MissingFact; readonly currency: string }) {
  const say = useWords();
  const { what, stated, computed } = fact;
  if (!stated || !computed) return <span className="muted small">{say("shop.fact.unsaid")}</span>;
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{say("shop.fact.stated")}</dt>
        <dd>{figureText(stated, what, currency)}</dd>
      </div>
      <div>
        <dt>{say("shop.fact.computed")}</dt>
        <dd>{figureText(computed, what, currency)}</dd>
      </div>
    </dl>
  );
}
