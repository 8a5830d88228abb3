import { Card } from "@mantine/core";
import { type ReactNode, useEffect, useId } from "react";
import { Link } from "react-router";
import styles from "./parts.module.css";

interface PageHeadProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** The previous page, and the position in it. */
  readonly from?: { readonly to: string; readonly name: string };
  readonly place?: ReactNode;
  /** A single button stands beside the title on a phone too. */
  readonly isOneAct?: boolean;
  readonly children?: ReactNode;
}

/** The only h1 of a page, with the actions on the whole page. */
export function PageHead({ title, lead, from, place, isOneAct = false, children }: PageHeadProps) {
  useTitle(title);
  return (
    <header className={styles.head}>
      <div>
        {from && (
          <nav className={styles.crumb} aria-label={from.name}>
            <Link to={from.to}>{from.name}</Link>
            {place && <span aria-hidden>›</span>}
            {place}
          </nav>
        )}
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p>{lead}</p>}
      </div>
      {children && (
        <div className={styles.acts} data-one={isOneAct || undefined}>
          {children}
        </div>
      )}
    </header>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Cuadre`;
  }, [title]);
}

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
