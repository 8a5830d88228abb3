import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { answer, api } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { showNotice, useSave } from "../../parts/save.ts";
import { recordTone, StateMark } from "../../parts/state-mark.tsx";
import { count } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { afterChange, type Submission } from "./invoice-queries.ts";
import styles from "./invoices.module.css";

type Waiting = Submission["toResend"][number];
type Declined = Submission["toCorrect"][number];

/** Records rejected because of our mistake: one button resends all of a connection. */
export function ToResend({ waiting }: { readonly waiting: readonly Waiting[] }) {
  const say = useWords();
  if (waiting.length === 0) return null;
  return (
    <Section title={say("resend.title")}>
      <div className="stack" style={{ gap: 12 }}>
        <p className="text-column">{say("resend.body")}</p>
        <ul className={styles.resend}>
          {waiting.map((one) => (
            <ResendAll key={one.connection.id} waiting={one} />
          ))}
        </ul>
      </div>
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
  async function sendParts({ invoice }: { readonly invoice?: string }) {
    const json = invoice === undefined ? { deed: changeId } : { deed: changeId, invoice };
    let [records, refused] = [0, 0];
    for (let isMore = true; isMore; ) {
      const part = await answer(route.$post({ param, json }));
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

/** Invoices with a record to correct, with the AEAT's answer and a link to the correction. */
export function ToCorrect({ declined }: { readonly declined: readonly Declined[] }) {
  const say = useWords();
  if (declined.length === 0) return null;
  return (
    <Section title={say("submission.correct")} aside={count(declined.length)} flush>
      <ul className={styles.attention}>
        {declined.map((one) => (
          <OneToCorrect key={one.id} declined={one} />
        ))}
      </ul>
    </Section>
  );
}

function OneToCorrect({ declined }: { readonly declined: Declined }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const { id, fullNumber, state, code, text, isOurs, duplicate, connectionId } = declined;
  const isUnsettled = duplicate === "undecided";
  const said = say("invoice.says.code", { code: code ?? "—", text: text ?? "" });
  return (
    <li className={styles.correct}>
      <div>
        <Link to={paths.invoice(account.id, id)}>{fullNumber}</Link>
        <p className="muted small">{isUnsettled ? say("correct.duplicate") : said}</p>
      </div>
      <div className={styles.correctActs}>
        <StateMark tone={isUnsettled ? "decide" : recordTone(state)}>
          {isUnsettled ? say("correct.duplicate.mark") : say(`record.${state}`)}
        </StateMark>
        {isOurs && !isReadOnly && <ResendOne connection={connectionId} invoice={id} number={fullNumber} />}
      </div>
    </li>
  );
}

interface ResendOneProps {
  readonly connection: string;
  readonly invoice: string;
  readonly number: string;
}

function ResendOne({ connection, invoice, number }: ResendOneProps) {
  const say = useWords();
  const resend = useResend(connection);
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={say("resend.one.of", { number })}
      loading={resend.isPending}
      onClick={() => resend.mutate({ invoice })}
    >
      {say("resend.one")}
    </Button>
  );
}
