import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { answer, api } from "../../api/client.ts";
import { useSave } from "../../parts/save.ts";
import { ErrorCard } from "../../parts/states.tsx";
import { shortMoment } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import styles from "../sign-in/sign-in.module.css";

export const SESSIONS = ["sessions"] as const;

/** The person's sessions; each can be closed here. */
export function Sessions() {
  const say = useWords();
  const known = useQuery({ queryKey: SESSIONS, queryFn: () => answer(api.me.sessions.$get()) });
  const close = useSave({
    send: (session: string) => answer(api.me.sessions[":session"].$delete({ param: { session } })),
    refresh: [SESSIONS],
  });
  const closeOthers = useSave({
    send: () => answer(api.me.sessions.$delete()),
    refresh: [SESSIONS],
  });
  const sessions = known.data?.sessions ?? [];
  return (
    <section className={styles.form} aria-labelledby="sessions">
      <h2 id="sessions">{say("security.sessions")}</h2>
      <p className="muted">{say("security.sessions.lead")}</p>
      {known.isError && <ErrorCard error={known.error} retry={() => void known.refetch()} />}
      <ul className={styles.keys}>
        {sessions.map(({ id, device, firstSeenAt, lastSeenAt, current }) => {
          const name = device ?? say("security.sessions.unknown");
          const [first, last] = [shortMoment(firstSeenAt), shortMoment(lastSeenAt)];
          return (
            <li key={id}>
              <span>
                {name}
                <span className="muted small">
                  {" · "}
                  {say("security.sessions.seen", { first, last })}
                </span>
              </span>
              {current ? (
                <span className="small">{say("security.sessions.current")}</span>
              ) : (
                <Button
                  variant="subtle"
                  size="xs"
                  aria-label={say("security.sessions.close_of", { device: name, first })}
                  onClick={() => close.mutate(id)}
                >
                  {say("security.sessions.close")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && (
        <Button variant="default" loading={closeOthers.isPending} onClick={() => closeOthers.mutate()}>
          {say("security.sessions.close_others")}
        </Button>
      )}
    </section>
  );
}
