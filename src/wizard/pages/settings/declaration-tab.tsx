import { useQuery } from "@tanstack/react-query";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Loading } from "../../parts/loading.tsx";
import { Section } from "../../parts/section.tsx";
import { longDate } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ofAccount } from "./queries.ts";
import styles from "./settings.module.css";

/** What the producer states of the system, in the version that is running; in Spanish, as the law wants it. */
export function DeclarationTab() {
  const say = useWords();
  const { account } = useCompany();
  const declaration = useQuery({
    queryKey: ["declaration"],
    queryFn: () => answer(ofAccount.company.declaration.$get({ param: { account: account.id } })),
    staleTime: 600_000,
  });
  if (declaration.isPending) return <Loading />;
  if (declaration.isError) {
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
