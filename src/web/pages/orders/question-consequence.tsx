import { count, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import type { QuestionPreview } from "./question-calls.ts";
import own from "./questions.module.css";

interface ConsequenceProps {
  readonly preview: QuestionPreview;
  /** Among the fields of one order, without lines of its own. */
  readonly isPlain?: boolean;
}

/** The invoices that the answer would issue, and the number of orders that would go on waiting. */
export function Consequence({ preview, isPlain = false }: ConsequenceProps) {
  const say = useWords();
  const { consequence, isMore, items } = preview;
  if (!consequence) {
    if (isPlain) return null;
    return (
      <p className={`${own.consequence} muted`} aria-live="polite">
        {say("review.q.answer_first")}
      </p>
    );
  }
  const { issued, totals, waiting } = consequence;
  const total = totals.map((sum) => money(sum.total, sum.currency)).join(" + ");
  return (
    <p className={isPlain ? own.plain : own.consequence} aria-live="polite">
      <b>{say("review.consequence", { out: issued, left: waiting, total })}</b>{" "}
      {isMore && say("review.q.at_least", { n: count(items.length) })}
    </p>
  );
}
