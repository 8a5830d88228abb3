import { useEffect, useRef } from "react";
import { useWords } from "../words/words.tsx";
import styles from "./parts.module.css";

export interface FormProblem {
  /** Id of the field. */
  readonly field: string;
  readonly message: string;
}

/** All problems of a long form, each linked to its field; it takes the focus when it appears. */
export function FormSummary({ problems }: { readonly problems: readonly FormProblem[] }) {
  const say = useWords();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problems.length > 0) place.current?.focus();
  }, [problems]);
  if (problems.length === 0) return null;
  const isOfFields = problems.some(({ field }) => field !== "");
  return (
    <div className={styles.summary} role="alert" tabIndex={-1} ref={place}>
      {isOfFields && <strong>{say("form.summary", { n: problems.length })}</strong>}
      <ul>
        {problems.map(({ field, message }) => (
          <li key={`${field}${message}`}>{field ? <a href={`#${field}`}>{message}</a> : message}</li>
        ))}
      </ul>
    </div>
  );
}
