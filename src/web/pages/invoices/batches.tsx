import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Select } from "../../parts/fields.tsx";
import { Section } from "../../parts/page-head.tsx";
import parts from "../../parts/parts.module.css";
import { StateMark, type Tone } from "../../parts/state-mark.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { count, moment } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import type { Chain } from "./invoice-queries.ts";
import styles from "./invoices.module.css";

const SHOWN = 10;

function useBatches(account: string, { connection, installationId: installation }: Chain) {
  const route = api.accounts[":account"].connections[":connection"].submission.attempts;
  return useInfiniteQuery({
    queryKey: ["submission", account, "batches", installation],
    queryFn: ({ pageParam }) =>
      answer(
        route.$get({
          param: { account, connection: connection.id },
          query: { installation, ...(pageParam ? { cursor: pageParam } : {}) },
        }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}

type Batch = NonNullable<ReturnType<typeof useBatches>["data"]>["pages"][number]["items"][number];

/** The last messages and their results. */
export function Batches({ chains }: { readonly chains: readonly Chain[] }) {
  const say = useWords();
  const [chosen, setChosen] = useState(chains[0]?.installationId);
  const chain = chains.find(({ installationId }) => installationId === chosen) ?? chains[0];
  if (!chain) return null;
  const hasSeveral = (id: string) => chains.filter(({ connection }) => connection.id === id).length > 1;
  return (
    <Section
      title={say("submission.batches")}
      aside={
        chains.length > 1 && (
          <Select
            size="xs"
            aria-label={say("submission.verify.connection")}
            data={chains.map(({ installationId, connection, installationNumber }) => ({
              value: installationId,
              label: hasSeveral(connection.id)
                ? `${connection.name} · ${installationNumber}`
                : connection.name,
            }))}
            value={chain.installationId}
            onChange={(value) => value && setChosen(value)}
            allowDeselect={false}
          />
        )
      }
      flush
    >
      <BatchesOf chain={chain} />
    </Section>
  );
}

function BatchesOf({ chain }: { readonly chain: Chain }) {
  const say = useWords();
  const { account } = useCompany();
  const [most, setMost] = useState(SHOWN);
  const batches = useBatches(account.id, chain);
  if (batches.isPending) return <Loading />;
  if (batches.isLoadingError) return <ErrorCard error={batches.error} retry={() => void batches.refetch()} />;
  const all = batches.data.pages.flatMap(({ items }) => items);
  if (all.length === 0) return <Empty text={say("submission.batches.none")} />;
  const shown = all.slice(0, most);
  async function showMore() {
    if (most + SHOWN > all.length && batches.hasNextPage) await batches.fetchNextPage();
    setMost(most + SHOWN);
  }
  return (
    <>
      <BatchTable batches={shown} />
      {(shown.length < all.length || batches.hasNextPage) && (
        <div className={parts.dock}>
          <Button variant="default" size="xs" loading={batches.isFetchingNextPage} onClick={showMore}>
            {say("submission.more")}
          </Button>
        </div>
      )}
    </>
  );
}

const TONES: Readonly<Record<Batch["came"], Tone>> = {
  answered: "done",
  no_answer: "decide",
  refused: "declined",
  under_way: "sent",
};

function BatchTable({ batches }: { readonly batches: readonly Batch[] }) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <>
      <div className={parts.folds}>
        <table className={parts.table}>
          <caption className="hidden">{say("submission.batches")}</caption>
          <thead>
            <tr>
              <th scope="col">{say("submission.batch.when")}</th>
              <th scope="col">{say("submission.batch.records")}</th>
              <th scope="col">{say("submission.batch.came")}</th>
              <th scope="col">{say("submission.technical")}</th>
            </tr>
          </thead>
          <tbody>
            {batches.map((batch) => (
              <tr key={batch.id}>
                <td className={styles.fixed}>{moment(batch.startedAt, account.timeZone)}</td>
                <td className={styles.fixed}>{recordsText(batch, say)}</td>
                <td>
                  <Came batch={batch} />
                </td>
                <td>
                  <Technical batch={batch} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={parts.list}>
        {batches.map((batch) => (
          <li key={batch.id}>
            <div className={parts.line}>
              <span>{moment(batch.startedAt, account.timeZone)}</span>
              <span className={`muted ${parts.fixed}`}>{recordsText(batch, say)}</span>
            </div>
            <div>
              <Came batch={batch} />
            </div>
            <Technical batch={batch} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** «1 registro (3)», «2 registros (4 y 5)», «12 registros (4–15)»: positions in the chain. */
function recordsText({ from, to }: Batch, say: Say): string {
  const n = to - from + 1;
  const facts = { n, count: count(n), first: count(from), last: count(to) };
  return say(n === 2 ? "submission.batch.two" : "submission.batch.of", facts);
}

/** In the words of the batch: what the AEAT did not accept as it is comes first. */
function Came({ batch }: { readonly batch: Batch }) {
  const say = useWords();
  const { came, from, to, rejected = 0, acceptedWithErrors = 0, text } = batch;
  const total = count(to - from + 1);
  if (rejected === 0 && acceptedWithErrors === 0) {
    return (
      <>
        <StateMark tone={TONES[came]}>{say(`submission.came.${came}`)}</StateMark>
        {text && <span className={parts.second}>{text}</span>}
      </>
    );
  }
  return (
    <span className={styles.came}>
      {rejected > 0 && (
        <StateMark tone="declined">
          {say("submission.came.rejected", { n: count(rejected), total })}
        </StateMark>
      )}
      {acceptedWithErrors > 0 && (
        <StateMark tone="decide">{say("submission.came.errors", { n: count(acceptedWithErrors) })}</StateMark>
      )}
    </span>
  );
}

/** The proof of the AEAT, and whether the batch was sent as an incident; nothing without both. */
function Technical({ batch }: { readonly batch: Batch }) {
  const say = useWords();
  const { csv, incident, startedAt } = batch;
  const { account } = useCompany();
  if (!csv && !incident) return null;
  return (
    <details className={styles.technical}>
      <summary>
        {say("submission.technical")}
        <span className="hidden"> {moment(startedAt, account.timeZone)}</span>
      </summary>
      {csv && (
        <p className={styles.csv}>
          {say("submission.batch.csv")} {csv}
        </p>
      )}
      {incident && <p>{say("submission.batch.incident")}</p>}
    </details>
  );
}
