import type { ReactNode } from "react";
import styles from "./parts.module.css";

interface AmountTableProps {
  readonly caption: string;
  /** True if the heading above is the same. */
  readonly isTitled?: boolean;
  /** The head of the rows, then the heads of the figures. */
  readonly heads: readonly [string, ...string[]];
  readonly rows: ReactNode;
  readonly foot?: ReactNode;
}

/** Figures under their heads, in a card that brings the padding. */
export function AmountTable({ caption, isTitled = false, heads, rows, foot }: AmountTableProps) {
  const [first, ...figures] = heads;
  return (
    <table className={`${styles.table} ${styles.tight}`}>
      <caption className={isTitled ? "hidden" : styles.caption}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {figures.map((head) => (
            <th key={head} scope="col" data-num>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{rows}</tbody>
      {foot && <tfoot>{foot}</tfoot>}
    </table>
  );
}
