import { useQuery } from "@tanstack/react-query";
import { answer, api } from "../../api/client.ts";
import { ErrorCard } from "../../parts/error-card.tsx";
import { shortMoment } from "../../words/format.ts";
import { isWord, useWords } from "../../words/words.tsx";
import styles from "../sign-in/sign-in.module.css";

/** Recent events of this person's sign-in methods. */
export function OwnActivity() {
  const say = useWords();
  const page = useQuery({
    queryKey: ["own-activity"],
    queryFn: () => answer(api.me.activity.$get({ query: {} })),
  });
  const items = page.data?.items ?? [];
  return (
    <section className={styles.form} aria-labelledby="own-activity">
      <h2 id="own-activity">{say("security.activity")}</h2>
      {page.isError && <ErrorCard error={page.error} retry={() => void page.refetch()} />}
      {page.data && items.length === 0 && <p>{say("security.activity.none")}</p>}
      <ul className={styles.keys}>
        {items.map(({ event, at, count, device }) => {
          const word = `security.event.${event}`;
          return (
            <li key={`${at} ${event}`}>
              <span>
                {isWord(word) ? say(word) : event}
                <span className="muted small">
                  {[shortMoment(at), device, count > 1 ? say("security.activity.times", { n: count }) : null]
                    .filter((part) => part !== null)
                    .map((part) => ` · ${part}`)
                    .join("")}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
