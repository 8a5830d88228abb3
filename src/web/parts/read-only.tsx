import { createContext, type ReactNode, useContext } from "react";
import { useWords } from "../words/words.tsx";
import styles from "./parts.module.css";

const ReadOnlyContext = createContext(false);

interface ReadOnlyProps {
  readonly isReadOnly: boolean;
  readonly children: ReactNode;
}

/**
 * A form that the person may read and not change: its fields are names and values at full contrast, because
 * a disabled field is hard to read and cannot be reached.
 */
export function ReadOnly({ isReadOnly, children }: ReadOnlyProps) {
  const say = useWords();
  if (!isReadOnly) return children;
  return (
    <ReadOnlyContext value>
      <p className={`${styles.readOnly} muted small`}>{say("readonly.note")}</p>
      {children}
    </ReadOnlyContext>
  );
}

export function useReadOnly(): boolean {
  return useContext(ReadOnlyContext);
}

interface PairProps {
  readonly label: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A field's name and value; an empty one has a dash. */
export function Pair({ label, className = "", children }: PairProps) {
  return (
    <dl className={`${styles.pair} ${className}`}>
      <dt>{label}</dt>
      <dd>{children || "—"}</dd>
    </dl>
  );
}
