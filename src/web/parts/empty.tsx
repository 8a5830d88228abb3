import type { ReactNode } from "react";
import styles from "./parts.module.css";

/** One sentence on what will be here, and one thing to do. */
export function Empty({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p>{text}</p>
      {children}
    </div>
  );
}
