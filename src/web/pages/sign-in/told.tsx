import type { ReactNode } from "react";
import styles from "./sign-in.module.css";

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
