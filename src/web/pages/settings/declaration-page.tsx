import { Button } from "@mantine/core";
import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { useWords } from "../../words/words.tsx";
import { DeclarationTab } from "./declaration-tab.tsx";
import styles from "./settings.module.css";

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
