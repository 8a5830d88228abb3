import { useCompany } from "../../app/session.tsx";
import { useSave } from "../../parts/save.ts";
import { money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import own from "./orders.module.css";
import { type AnswerBody, ORDERS, type OrderPlace, type Outcome, sendMany } from "./queries.ts";

/** One answer for many orders. */
export function useMany(onDone: () => void) {
  const { account } = useCompany();
  return useSave({
    send: (given: { readonly orders: readonly OrderPlace[]; readonly answer: AnswerBody }) =>
      sendMany(account.id, given.orders, given.answer),
    refresh: [[account.id, ORDERS]],
    onSaved: onDone,
  });
}

/** The number of finished orders, and the refusals of the others. */
export function ManyOutcome({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const say = useWords();
  if (outcomes.length === 0) return null;
  const isSolved = ({ outcome, state }: Outcome) => outcome === "done" && state !== "held";
  const solved = outcomes.filter(isSolved);
  const left = outcomes.filter((outcome) => !isSolved(outcome));
  return (
    <div className={own.outcome} role="status">
      <p>{say("review.many.outcome", { done: solved.length, left: left.length })}</p>
      <ul>
        {[...left, ...solved].map((outcome) => (
          <li key={`${outcome.connectionId} ${outcome.orderId}`}>
            {say("review.many.one", { order: outcome.orderId, message: messageOf(outcome) })}
          </li>
        ))}
      </ul>
    </div>
  );

  function messageOf({ message, fullNumber, total, currency }: Outcome): string {
    if (message !== "") return message;
    return fullNumber === ""
      ? "✓"
      : say("review.many.issued", { number: fullNumber, total: money(total, currency) });
  }
}
