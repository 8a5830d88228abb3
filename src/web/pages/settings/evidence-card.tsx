import { Button, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Hash } from "../../parts/copy-text.tsx";
import { Section } from "../../parts/page-head.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { date, longDate } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { type ConnectionPlace, ofConnection, useConnectionPlace } from "../setup/setup.ts";
import { connectionsKey } from "./queries.ts";
import styles from "./settings.module.css";

/** Read again after every change of the connection: a consent may be new or withdrawn. */
function useEvidence(place: ConnectionPlace) {
  return useQuery({
    queryKey: [...connectionsKey(place.account), place.connection, "evidence"],
    queryFn: () => answer(ofConnection.evidence.$get({ param: place })),
  });
}

type Evidence = NonNullable<ReturnType<typeof useEvidence>["data"]>;

/** A text with a consent or a signature. */
interface Kept {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly sha256: string | null;
}

/** All agreed and signed texts, of any person and date: each can be read again. */
export function EvidenceCard() {
  const say = useWords();
  const { account } = useCompany();
  const place = useConnectionPlace();
  const evidence = useEvidence(place);
  const [reading, setReading] = useState<Kept>();
  if (evidence.isPending) return <Loading />;
  if (evidence.isError) {
    return <ErrorCard error={evidence.error} retry={() => void evidence.refetch()} />;
  }
  const kept = keptIn(evidence.data, account.timeZone, say);
  return (
    <Section title={say("evidence.title")} flush>
      {kept.length === 0 ? (
        <Empty text={say("evidence.none")} />
      ) : (
        <ul className={styles.rows}>
          {kept.map((one) => (
            <li key={one.id}>
              <div className={styles.grow}>
                <b>{one.title}</b>
                <br />
                <span className="muted small">{one.text}</span>
              </div>
              <Button
                variant="default"
                size="xs"
                aria-label={`${say("evidence.read")}: ${one.title}, ${one.text}`}
                onClick={() => setReading(one)}
              >
                {say("evidence.read")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {reading && <TextDialog kept={reading} close={() => setReading(undefined)} />}
    </Section>
  );
}

function keptIn({ consents, grants }: Evidence, zone: string, say: Say): readonly Kept[] {
  const until = (withdrawnAt: string | undefined) =>
    withdrawnAt === undefined ? "" : ` ${say("evidence.withdrawn", { date: date(withdrawnAt, zone) })}`;
  return [
    ...consents.map(({ id, givenAt, givenByName, textVersion, cutoffDate, withdrawnAt, proof }) => ({
      id,
      title: say("evidence.consent", { version: textVersion }),
      text:
        say("evidence.consent.by", {
          date: longDate(givenAt, zone),
          name: givenByName ?? say("activity.former"),
          cutoff: longDate(cutoffDate),
        }) + until(withdrawnAt),
      sha256: proof?.sha256 ?? null,
    })),
    ...grants.map(({ id, signedBy, signedOn, documentSha256, withdrawnAt }) => ({
      id,
      title: say("rep.document"),
      text: say("rep.state.signed", { date: longDate(signedOn), name: signedBy }) + until(withdrawnAt),
      sha256: documentSha256,
    })),
  ];
}

function TextDialog({ kept, close }: { readonly kept: Kept; readonly close: () => void }) {
  const say = useWords();
  const place = useConnectionPlace();
  const text = useQuery({
    queryKey: ["evidence", place.account, place.connection, kept.id],
    queryFn: async () => {
      const param = { ...place, evidence: kept.id };
      return (await answer(ofConnection.evidence[":evidence"].$get({ param }))).text;
    },
  });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={kept.title}
      closeButtonProps={{ "aria-label": say("close") }}
    >
      <div className="stack">
        <p className="muted small">{kept.text}</p>
        {text.isPending && <Loading />}
        {text.isError && <ErrorCard error={text.error} retry={() => void text.refetch()} />}
        {text.isSuccess && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it too
          <div className={styles.plain} tabIndex={0}>
            {text.data ?? say("evidence.elsewhere")}
          </div>
        )}
        {kept.sha256 && (
          <p className="muted small">
            {say("evidence.hash")} <Hash value={kept.sha256} what={say("evidence.hash")} />
          </p>
        )}
      </div>
    </Modal>
  );
}
