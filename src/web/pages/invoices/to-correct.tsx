import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { answer, api } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { showNotice, useSave } from "../../parts/save.ts";
import { recordTone, StateMark } from "../../parts/state-mark.tsx";
import { Empty } from "../../parts/states.tsx";
import { count } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { afterChange, type Submission } from "./invoice-queries.ts";
import styles from "./invoices.module.css";

type Waiting = Submission["toResend"][number];
type Declined = Submission["toCorrect"][number];

interface ToCorrectProps {
  readonly declined: readonly Declined[];
  /** How many records of each connection can be sent again after a fault of ours. */
  readonly waiting: readonly Waiting[];
}

/** Every record that the AEAT has not taken as it is, with what is to be done. */
export function ToCorrect({ declined, waiting }: ToCorrectProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const hasNone = declined.length === 0 && waiting.length === 0;
  return (
    <Section
      title={say("submission.fix")}
      aside={declined.length > 0 ? count(declined.length) : undefined}
      flush
    >
      {hasNone && <Empty text={say("submission.correct.none")} />}
      {waiting.length > 0 && (
        <div className={`stack ${styles.resending}`}>
          <p className="text-column">{say("resend.body")}</p>
          <ul className={styles.resend}>
            {waiting.map((one) => (
              <ResendAll key={one.connection.id} waiting={one} />
            ))}
          </ul>
        </div>
      )}
      {declined.length > 0 && (
        <ul className={styles.attention}>
          {declined.map((one) => (
            <OneToCorrect key={one.id} declined={one} />
          ))}
        </ul>
      )}
      {isReadOnly && !hasNone && <p className={`muted ${styles.resending}`}>{say("readonly.note")}</p>}
    </Section>
  );
}

function ResendAll({ waiting: { connection, records } }: { readonly waiting: Waiting }) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const resend = useResend(connection.id);
  return (
    <li className="row">
      <span>
        <strong>{connection.name}</strong> {say("resend.count", { n: records })}
      </span>
      {!isReadOnly && (
        <Button className="end" loading={resend.isPending} onClick={() => resend.mutate({})}>
          {say("resend.all", { n: records })}
        </Button>
      )}
    </li>
  );
}

/** One request id covers all parts; a retry after a lost response continues. */
function useResend(connection: string) {
  const say = useWords();
  const { account } = useCompany();
  const [changeId, setChangeId] = useState(() => crypto.randomUUID());
  const route = api.accounts[":account"].connections[":connection"].submission.resend;
  const param = { account: account.id, connection };
  async function sendParts() {
    let [records, refused] = [0, 0];
    for (let isMore = true; isMore; ) {
      const part = await answer(route.$post({ param, json: { deed: changeId } }));
      records += part.records;
      refused = part.refused;
      // Refused ones return in every part, so a part without records is the last.
      isMore = part.isMore && part.records > 0;
    }
    return { records, refused };
  }
  return useSave({
    send: sendParts,
    refresh: afterChange(account.id),
    onSaved: ({ records, refused }) => {
      setChangeId(crypto.randomUUID());
      const sentences = [
        ...(records > 0 ? [say("resend.done", { n: records })] : []),
        ...(refused > 0 ? [say("resend.refused", { n: refused })] : []),
      ];
      const message = sentences.length > 0 ? sentences.join(" ") : say("resend.nothing");
      showNotice(message, say);
    },
  });
}

/** With its one button; a fault of ours is sent again by the button above, and asks for nothing here. */
function OneToCorrect({ declined }: { readonly declined: Declined }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const { id, fullNumber, state, code, text, isOurs, duplicate } = declined;
  const isUnsettled = duplicate === "undecided";
  const said = say("invoice.says.code", { code: `${code ?? "—"}`, text: text ?? "" });
  const to = paths.invoice(account.id, id);
  const verb = say(isUnsettled ? "correct.settle" : "correct.open");
  return (
    <li className={styles.correct}>
      <div>
        <Link to={to}>{fullNumber}</Link>
        <p className="muted small">{isUnsettled ? say("correct.duplicate") : said}</p>
        {isOurs && !isUnsettled && <p className="small">{say("correct.ours")}</p>}
      </div>
      <div className={styles.correctActs}>
        <StateMark tone={isUnsettled ? "decide" : recordTone(state)}>
          {isUnsettled ? say("correct.duplicate.mark") : say(`record.${state}`)}
        </StateMark>
        {!isReadOnly && (isUnsettled || !isOurs) && (
          <Button component={Link} to={to} variant="default" size="xs" aria-label={`${verb}: ${fullNumber}`}>
            {verb}
          </Button>
        )}
      </div>
    </li>
  );
}
