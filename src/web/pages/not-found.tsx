import { Link } from "react-router";
import { paths } from "../app/paths.ts";
import { PageHead } from "../parts/page-head.tsx";
import { useWords } from "../words/words.tsx";

/** Inside a company's frame. */
export function NotFoundPage() {
  const say = useWords();
  return (
    <>
      <PageHead title={say("error.404")} />
      <Link to={paths.home}>{say("error.home")}</Link>
    </>
  );
}

/** Without a frame. */
export function NowherePage() {
  return (
    <main style={{ padding: 32 }}>
      <NotFoundPage />
    </main>
  );
}
