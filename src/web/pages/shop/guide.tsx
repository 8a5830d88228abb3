import { useId } from "react";
import styles from "./shop.module.css";

interface GuideProps {
  readonly title: string;
  readonly steps: readonly string[];
}

/** The clicks in the shop, beside the fields that they are for. */
export function Guide({ title, steps }: GuideProps) {
  const id = useId();
  return (
    <section className={styles.guide} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}
