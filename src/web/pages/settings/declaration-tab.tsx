import { useQuery } from "@tanstack/react-query";
import { answer, api } from "../../api/client.ts";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Section } from "../../parts/section.tsx";
import { longDate } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import styles from "./settings.module.css";

/** The producer's statement about the running system; in Spanish, as the law demands. */
export function DeclarationTab() {
  const say = useWords();
  const declaration = useQuery({
    queryKey: ["declaration"],
    queryFn: () => answer(api.declaration.$get()),
    staleTime: 600_000,
  });
  if (declaration.isPending) return <Loading />;
  if (declaration.isLoadingError) {
    return <ErrorCard error={declaration.error} retry={() => void declaration.refetch()} />;
  }
  const { title, name, version, date, clauses } = declaration.data;
  return (
    <Section
      title={say("nav.declaration")}
      aside={say("declaration.version", { name, version, date: longDate(date) })}
      isPrinted
    >
      <div className={`stack ${styles.legal}`} lang="es">
        <h3 className={styles.sub}>{title}</h3>
        <ol>
          {clauses.map(({ letter, label, text }) => (
            <li key={letter}>
              <b>
                {letter}) {label}
              </b>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </Section>
  );
}
