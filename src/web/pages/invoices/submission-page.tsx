import { Button, Card } from "@mantine/core";
import { IconAlertOctagon, IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Select } from "../../parts/fields.tsx";
import { PageHead, Section } from "../../parts/page-head.tsx";
import parts from "../../parts/parts.module.css";
import { useSave } from "../../parts/save.ts";
import { Empty, ErrorCard, errorText, Loading } from "../../parts/states.tsx";
import { count, shortMoment } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { Batches } from "./batches.tsx";
import { ExportForm } from "./export-dialog.tsx";
import { type Chain, type Submission, useChoices, useSubmission } from "./invoice-queries.ts";
import styles from "./invoices.module.css";
import { ToCorrect } from "./to-correct.tsx";

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
      {submission.data && <SubmissionState submission={submission.data} />}
    </>
  );
}

function SubmissionState({ submission }: { readonly submission: Submission }) {
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
      <div className="stack">
        <Card p={0}>
          <Empty text={say("submission.no_chain")} />
        </Card>
        <ToCorrect declined={toCorrect} waiting={toResend} />
      </div>
    );
  }
  return (
    <div className="stack">
      <Queue chains={chains} />
      <ToCorrect declined={toCorrect} waiting={toResend} />
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
  const notices = [
    ...(representationPending && chain.unsent > 0 ? [say("submission.representation")] : []),
    ...(stopped ? [say(`submission.stopped.${stopped.reason}`, { text: stopped.text ?? "" })] : []),
    ...(incidentSince && !stopped
      ? [say("submission.incident", { moment: shortMoment(incidentSince, account.timeZone), n: failures })]
      : []),
  ];
  if (notices.length === 0) return null;
  return (
    <div className={`${styles.notice} row`}>
      <span>{notices.join(" ")}</span>
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

const route = api.accounts[":account"].connections[":connection"].verification.check;
type From = Parameters<typeof route.$post>[0]["json"]["from"];
type Verified = Awaited<ReturnType<typeof checkPart>>;

/** The state from the last part is sent back unchanged. */
function checkPart(param: { account: string; connection: string }, from: unknown) {
  return answer(route.$post({ param, json: from ? { from: from as From } : {} }));
}

/** Walks the whole chain again in parts and shows the result. */
export function VerifyCard({ chains }: { readonly chains: readonly Chain[] }) {
  const say = useWords();
  const { account } = useCompany();
  const connections = [...new Map(chains.map(({ connection }) => [connection.id, connection])).values()];
  const [connection, setConnection] = useState(connections[0]?.id ?? "");
  const [isRunning, setRunning] = useState(false);
  const [found, setFound] = useState<Verified>();
  const [problem, setProblem] = useState("");
  async function verify() {
    setRunning(true);
    setProblem("");
    setFound(undefined);
    try {
      let part: Verified | undefined;
      do {
        part = await checkPart({ account: account.id, connection }, part?.verified);
        setFound(part);
      } while (!part.isDone);
    } catch (error) {
      setProblem(errorText(error, say));
    }
    setRunning(false);
  }
  return (
    <Section title={say("submission.verify")}>
      <div className="stack" style={{ gap: 12 }}>
        <p className="muted text-column">{say("verify.lead")}</p>
        <div className="row">
          {connections.length > 1 && (
            <Select
              aria-label={say("submission.verify.connection")}
              data={connections.map(({ id, name }) => ({ value: id, label: name }))}
              value={connection}
              onChange={(value) => value && setConnection(value)}
              allowDeselect={false}
              disabled={isRunning}
            />
          )}
          <Button variant="default" onClick={verify} loading={isRunning}>
            {say("submission.verify")}
          </Button>
        </div>
        <div role="status">
          {problem && <p>{problem}</p>}
          {found && !found.isDone && <p>{say("verify.running", { n: count(found.records) })}</p>}
          {found?.isDone && <Result found={found} />}
        </div>
      </div>
    </Section>
  );
}

function Result({ found }: { readonly found: Verified }) {
  const say = useWords();
  const { broken, records } = found;
  if (broken.length === 0) {
    return (
      <p className="row">
        <IconCircleCheck size={18} stroke={1.75} color="var(--ok)" aria-hidden />
        {say("verify.ok", { n: records })}
      </p>
    );
  }
  return (
    <div className={styles.said}>
      <IconAlertOctagon size={20} stroke={1.75} aria-hidden />
      <div>
        <p>
          <strong>{say("verify.broken", { n: broken.length })}</strong>
        </p>
        <ul className={styles.broken}>
          {broken.map((one) => (
            <Broken key={one.check} broken={one} />
          ))}
        </ul>
      </div>
    </div>
  );
}

type Broken = Verified["broken"][number];

/** The failed checks: first place, meaning and remedy. */
function Broken({ broken: { check, broken: n, first } }: { readonly broken: Broken }) {
  const say = useWords();
  return (
    <li>
      <h3>{say(`check.${check}.title`)}</h3>
      <p className="muted">{placeText({ n, first }, say)}</p>
      <p>
        {say(`check.${check}.means`)} {say(`check.${check}.remedy`)}
      </p>
    </li>
  );
}

interface Place {
  readonly n: number;
  readonly first: Broken["first"];
}

function placeText({ n, first }: Place, say: Say): string {
  if (!first) return say("verify.times", { n });
  return "chain" in first ? say("verify.chain", { n, ...first }) : say("verify.series", { n, ...first });
}
