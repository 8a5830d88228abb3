import styles from "./wizard.module.css";

interface LegalTextProps {
  readonly intro: string;
  readonly clauses: readonly { readonly title: string; readonly body: string }[];
}

export function LegalText({ intro, clauses }: LegalTextProps) {
  return (
    <div className={styles.legal}>
      <p>{intro}</p>
      <ol>
        {clauses.map(({ title, body }) => (
          <li key={title}>
            <b>{title}</b> {body}
          </li>
        ))}
      </ol>
    </div>
  );
}
