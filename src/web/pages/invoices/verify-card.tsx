import { Button, Select } from "@mantine/core";
import { IconAlertOctagon, IconCircleCheck } from "@tabler/icons-react";
import { useState } from "react";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { errorText } from "../../parts/states.tsx";
import { count } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import type { Chain } from "./invoice-queries.ts";
import styles from "./invoices.module.css";

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
