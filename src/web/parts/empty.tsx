import type { ReactNode } from "react";
import styles from "./parts.module.css";

/** One sentence about the future content, and one action. */
export function Empty({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{text}</p>
      {children}
    </div>
  );
}
