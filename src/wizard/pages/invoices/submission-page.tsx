import { Button, Card } from "@mantine/core";
import { Link } from "react-router";
import { answer, api } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Empty } from "../../parts/empty.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Loading } from "../../parts/loading.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import parts from "../../parts/parts.module.css";
import { useSave } from "../../parts/save.ts";
import { Section } from "../../parts/section.tsx";
import { recordTone, StateMark } from "../../parts/state-mark.tsx";
import { count, shortMoment } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { Batches } from "./batches.tsx";
import { ExportForm } from "./export-dialog.tsx";
import { type Chain, type Submission, useChoices, useSubmission } from "./invoice-queries.ts";
import styles from "./invoices.module.css";
import { VerifyCard } from "./verify-card.tsx";

/** How the company's records reach the AEAT, and whether the chain holds. */
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
  const { chains, toCorrect } = submission;
  if (chains.length === 0) {
    return (
      <Card p={0}>
        <Empty text={say("submission.no_chain")} />
      </Card>
    );
  }
  return (
    <div className="stack">
      {chains.map((chain) => (
        <ChainCard key={chain.installationId} chain={chain} />
      ))}
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

function ChainCard({ chain }: { readonly chain: Chain }) {
  const say = useWords();
  const { account } = useCompany();
  const at = (moment: string) => shortMoment(moment, account.timeZone);
  const { unsent, unsentSince, lastAnswerAt, connection, installationNumber } = chain;
  const aside = [
    say("submission.installation", { number: installationNumber }),
    ...(chain.isClosed ? [say("submission.closed")] : []),
    ...(chain.environment === "test" ? [say("submission.test")] : []),
  ];
  return (
    <Section title={connection.name} aside={aside.join(" · ")}>
      <div className="stack" style={{ gap: 12 }}>
        <dl className={styles.chain}>
          <div>
            <dt>{say("submission.unsent")}</dt>
            <dd>{unsent === 0 ? say("submission.none") : count(unsent)}</dd>
          </div>
          <div>
            <dt>{say("submission.oldest")}</dt>
            <dd>{unsentSince ? at(unsentSince) : "—"}</dd>
          </div>
          <div>
            <dt>{say("submission.last")}</dt>
            <dd>{lastAnswerAt ? at(lastAnswerAt) : say("submission.never")}</dd>
          </div>
          <div>
            <dt>{say("submission.next")}</dt>
            <dd>{nextText(chain, at, say)}</dd>
          </div>
        </dl>
        <Incident chain={chain} />
      </div>
    </Section>
  );
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

function ToCorrect({ declined }: { readonly declined: Submission["toCorrect"] }) {
  const say = useWords();
  const { account } = useCompany();
  if (declined.length === 0) return null;
  return (
    <Section title={say("submission.correct")} aside={count(declined.length)} flush>
      <ul className={styles.attention}>
        {declined.map(({ id, fullNumber, state, code, text }) => (
          <li key={id} style={{ gridTemplateColumns: "minmax(0, 1fr) auto" }}>
            <div className={parts.list} style={{ display: "block" }}>
              <Link to={paths.invoice(account.id, id)}>{fullNumber}</Link>
              <p className="muted small">
                {say("invoice.says.code", { code: code ?? "—", text: text ?? "" })}
              </p>
            </div>
            <StateMark tone={recordTone(state)}>{say(`record.${state}`)}</StateMark>
          </li>
        ))}
      </ul>
    </Section>
  );
}
