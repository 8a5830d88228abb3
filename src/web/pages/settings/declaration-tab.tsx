import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { answer, api } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { PageHead, Section } from "../../parts/page-head.tsx";
import { ErrorCard, Loading } from "../../parts/states.tsx";
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

/** The statement of compliance, independent of a company. */
export function DeclarationPage() {
  const say = useWords();
  return (
    <main className={styles.alone}>
      <PageHead title={say("nav.declaration")}>
        <Button component={Link} to={paths.home} variant="default">
          {say("error.home")}
        </Button>
      </PageHead>
      <DeclarationTab />
    </main>
  );
}
