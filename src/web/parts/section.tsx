import { Card } from "@mantine/core";
import { type ReactNode, useId } from "react";
import styles from "./parts.module.css";

interface SectionProps {
  readonly title: string;
  /** Small, at the right of the title. */
  readonly aside?: ReactNode;
  /** The content brings its own padding, as tables do. */
  readonly flush?: boolean;
  /** Stays on paper where a page prints one of its texts alone. */
  readonly isPrinted?: boolean;
  readonly children: ReactNode;
}

/** A card with its h2. */
export function Section({ title, aside, flush = false, isPrinted = false, children }: SectionProps) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} {...(isPrinted ? { "data-print": true } : {})}>
      <div className={styles.cardHead}>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <div>{aside}</div>}
      </div>
      <div className={flush ? undefined : styles.cardBody}>{children}</div>
    </Card>
  );
}
