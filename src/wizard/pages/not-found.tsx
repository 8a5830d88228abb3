import { Link } from "react-router";
import { paths } from "../app/paths.ts";
import { PageHead } from "../parts/page-head.tsx";
import { useWords } from "../words/words.tsx";

export function NotFoundPage() {
  const say = useWords();
  return (
    <main style={{ padding: 32 }}>
      <PageHead title={say("error.404")} />
      <Link to={paths.home}>{say("error.home")}</Link>
    </main>
  );
}
