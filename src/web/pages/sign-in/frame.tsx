import { Card } from "@mantine/core";
import type { ReactNode } from "react";
import { PRODUCT, Sign } from "../../app/sign.tsx";
import { useTitle } from "../../parts/page-head.tsx";
import styles from "./sign-in.module.css";

interface FrameProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A card in the middle of the page, below the logo. */
export function SignInFrame({ title, lead, isWide = false, children }: FrameProps) {
  useTitle(title);
  return (
    <main className={styles.page} data-wide={isWide || undefined}>
      <div className={styles.mark}>
        <Sign size={28} />
        <span>{PRODUCT}</span>
      </div>
      <Card className={styles.card}>
        <h1>{title}</h1>
        {lead && <p className="muted">{lead}</p>}
        {children}
      </Card>
    </main>
  );
}

/** A refusal of a whole form, shown above it. */
export function Refused({ children }: { readonly children: ReactNode }) {
  if (!children) return null;
  return (
    <p className={styles.refused} role="alert">
      {children}
    </p>
  );
}

/** The message after success. */
export function Done({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.done} role="status">
      {children}
    </p>
  );
}
