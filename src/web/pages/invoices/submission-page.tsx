import { Button, Card } from "@mantine/core";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { PageHead, Section } from "../../parts/page-head.tsx";
import parts from "../../parts/parts.module.css";
import { useSave } from "../../parts/save.ts";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { count, shortMoment } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { Batches } from "./batches.tsx";
import { ExportForm } from "./export-dialog.tsx";
import { type Chain, type Submission, useChoices, useSubmission } from "./invoice-queries.ts";
import styles from "./invoices.module.css";
import { ToCorrect, ToResend } from "./to-correct.tsx";
import { VerifyCard } from "./verify-card.tsx";

/** The submission of the company's records to the AEAT, and the check of its chains. */
export function SubmissionPage() {
  const say = useWords();
  const { account } = useCompany();
  const submission = useSubmission(account.id);
  return (
    <>
      <PageHead title={say("submission.title")} />
      {submission.isPending && <Loading rows={6} />}
      {submission.isError && <ErrorCard error={submission.error} retry={() => void submission.refetch()} />}
      {submission.data && <Standing submission={submission.data} />}
    </>
  );
}

function Standing({ submission }: { readonly submission: Submission }) {
  const say = useWords();
  const { account } = useCompany();
  const choices = useChoices(account.id);
  const { toCorrect, toResend } = submission;
  // Chains without any record are not shown.
  const chains = submission.chains.filter(
    ({ unsent, lastAnswerAt, failures }) => unsent > 0 || lastAnswerAt || failures > 0,
  );
  if (chains.length === 0) {
    return (
      <Card p={0}>
        <Empty text={say("submission.no_chain")} />
      </Card>
    );
  }
  return (
    <div className="stack">
      <Queue chains={chains} />
      <ToResend waiting={toResend} />
      <ToCorrect declined={toCorrect} />
      <Batches chains={chains} />
      <VerifyCard chains={chains} />
      {choices.data && (
        <Section title={say("export.title")}>
          <ExportForm choices={choices.data} />
        </Section>
      )}
    </div>
  );
}

/** Each chain with its waiting records; cases that need the owner are listed below. */
function Queue({ chains }: { readonly chains: readonly Chain[] }) {
  const say = useWords();
  const { account } = useCompany();
  const at = (moment: string) => shortMoment(moment, account.timeZone);
  return (
    <Section title={say("submission.queue")} flush>
      <div className={parts.folds}>
        <table className={parts.table}>
          <caption className="hidden">{say("submission.queue")}</caption>
          <thead>
            <tr>
              <th scope="col">{say("submission.verify.connection")}</th>
              <th scope="col" data-num>
                {say("submission.unsent")}
              </th>
              <th scope="col">{say("submission.oldest")}</th>
              <th scope="col">{say("submission.last")}</th>
              <th scope="col">{say("submission.next")}</th>
            </tr>
          </thead>
          <tbody>
            {chains.map((chain) => (
              <tr key={chain.installationId}>
                <td>
                  {chain.connection.name}
                  <span className={parts.second}>{chainText(chain, say)}</span>
                </td>
                <td className="num">{count(chain.unsent)}</td>
                <td className={styles.fixed}>{chain.unsentSince ? at(chain.unsentSince) : "—"}</td>
                <td className={styles.fixed}>
                  {chain.lastAnswerAt ? at(chain.lastAnswerAt) : say("submission.never")}
                </td>
                <td>{nextText(chain, at, say)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={parts.list}>
        {chains.map((chain) => (
          <li key={chain.installationId}>
            <div className={parts.line}>
              <strong>{chain.connection.name}</strong>
              <span className={parts.fixed}>
                {say("submission.unsent")}: {count(chain.unsent)}
              </span>
            </div>
            <span className="muted small">
              {say("submission.last")}:{" "}
              {chain.lastAnswerAt ? at(chain.lastAnswerAt) : say("submission.never")}
            </span>
            {chain.unsent > 0 && (
              <span className="muted small">
                {say("submission.next")}: {nextText(chain, at, say)}
              </span>
            )}
          </li>
        ))}
      </ul>
      <div className={styles.incidents}>
        {chains.every(({ unsent }) => unsent === 0) && <p className="muted">{say("submission.empty")}</p>}
        {chains.map((chain) => (
          <Incident key={chain.installationId} chain={chain} />
        ))}
      </div>
    </Section>
  );
}

/** The installation, as the AEAT knows it. */
function chainText({ installationNumber, isClosed }: Chain, say: Say): string {
  const closed = isClosed ? [say("submission.closed")] : [];
  return [say("submission.installation", { number: installationNumber }), ...closed].join(" · ");
}

function nextText({ underWay, nextAttemptAt }: Chain, at: (moment: string) => string, say: Say): string {
  if (underWay) return say("submission.next.under_way", { n: underWay.to - underWay.from + 1 });
  if (!nextAttemptAt) return "—";
  const isNow = Date.parse(nextAttemptAt) <= Date.now() + 1_000;
  return isNow ? say("submission.next.now") : at(nextAttemptAt);
}

/** Why records wait, where it is more than their time. */
function Incident({ chain }: { readonly chain: Chain }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const { stopped, incidentSince, failures, representationPending, connection } = chain;
  const param = { account: account.id, connection: connection.id };
  const resume = useSave({
    send: () =>
      answer(api.accounts[":account"].connections[":connection"].submission.resume.$post({ param })),
    refresh: [
      ["submission", account.id],
      ["notice", account.id],
    ],
  });
  const told = [
    ...(representationPending && chain.unsent > 0 ? [say("submission.representation")] : []),
    ...(stopped ? [say(`submission.stopped.${stopped.reason}`, { text: stopped.text ?? "" })] : []),
    ...(incidentSince && !stopped
      ? [say("submission.incident", { moment: shortMoment(incidentSince, account.timeZone), n: failures })]
      : []),
  ];
  if (told.length === 0) return null;
  return (
    <div className={`${styles.notice} row`}>
      <span>{told.join(" ")}</span>
      {stopped && !isReadOnly && (
        <Button
          variant="default"
          size="xs"
          className="end"
          loading={resume.isPending}
          onClick={() => resume.mutate({})}
        >
          {say("submission.resume")}
        </Button>
      )}
    </div>
  );
}
