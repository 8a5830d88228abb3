import { Button, Textarea } from "@mantine/core";
import { IconAlertOctagon } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { answer, api } from "../../api/client.ts";
import { useCompany } from "../../app/session.tsx";
import { Hash } from "../../parts/copy-text.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { date, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { afterDeed, type InvoiceDetail, type OpenAct } from "./invoice-queries.ts";
import styles from "./invoices.module.css";

interface DuplicateCardProps {
  readonly invoice: InvoiceDetail;
  readonly open: (act: OpenAct) => void;
}

/** The AEAT has another record under the number: the comparison, and the owner's finding. */
export function DuplicateCard({ invoice, open }: DuplicateCardProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const { fullNumber: number, duplicate } = invoice;
  const isSettled = duplicate === "foreign";
  const title = isSettled ? "duplicate.settled" : "duplicate.title";
  return (
    <section className={styles.said} data-tone={isSettled ? "warn" : "bad"} aria-labelledby="duplicate">
      <IconAlertOctagon size={20} stroke={1.75} aria-hidden />
      <div className="stack" style={{ gap: 12 }}>
        <div>
          <h2 id="duplicate">{say(title, { number })}</h2>
          <p className="text-column">{isSettled ? invoice.advice : say("duplicate.why")}</p>
          {isSettled && invoice.order && <p>{say("duplicate.settled.order")}</p>}
        </div>
        {!isSettled && <Compared invoice={invoice} />}
        {!isReadOnly && (isSettled ? <Then invoice={invoice} open={open} /> : <Whose open={open} />)}
      </div>
    </section>
  );
}

function Compared({ invoice }: Pick<DuplicateCardProps, "invoice">) {
  const say = useWords();
  const { account } = useCompany();
  const { fullNumber, issueDate, total, currency, records } = invoice;
  const hash = records.find(({ kind }) => kind !== "annulment")?.hash;
  return (
    <div className={styles.compared}>
      <div>
        <h3>{say("duplicate.compared")}</h3>
        <dl>
          <dt>{say("duplicate.nif")}</dt>
          <dd>{account.nif}</dd>
          <dt>{say("duplicate.number")}</dt>
          <dd>{fullNumber}</dd>
          <dt>{say("duplicate.date")}</dt>
          <dd>{date(issueDate)}</dd>
        </dl>
      </div>
      <div>
        <h3>{say("duplicate.look")}</h3>
        <dl>
          <dt>{say("duplicate.total")}</dt>
          <dd>{money(total, currency)}</dd>
          {hash && (
            <>
              <dt>{say("duplicate.hash")}</dt>
              <dd>
                <Hash value={hash} what={say("duplicate.hash")} />
              </dd>
            </>
          )}
        </dl>
      </div>
    </div>
  );
}

function Whose({ open }: Pick<DuplicateCardProps, "open">) {
  const say = useWords();
  return (
    <fieldset className={styles.whose}>
      <legend>{say("duplicate.question")}</legend>
      <div className="row">
        <Button variant="default" onClick={() => open("ours")}>
          {say("duplicate.ours")}
        </Button>
        <Button variant="default" onClick={() => open("foreign")}>
          {say("duplicate.foreign")}
        </Button>
      </div>
    </fieldset>
  );
}

/** The next steps: another number, or none, and the way back. */
function Then({ invoice, open }: DuplicateCardProps) {
  const say = useWords();
  const common = useWords();
  return (
    <div className="row">
      {invoice.rectify && <Button onClick={() => open("rectify")}>{say("rectify.act")}</Button>}
      {invoice.annul.offered && (
        <Button variant="default" onClick={() => open("cancel")}>
          {common("act.cancel")}
        </Button>
      )}
      <Button variant="subtle" onClick={() => open("ours")}>
        {say("duplicate.wrong")}
      </Button>
    </div>
  );
}

interface FindingFormProps {
  readonly invoice: InvoiceDetail;
  readonly found: "ours" | "foreign";
  readonly close: () => void;
}

/** Shows the consequences and asks for the owner's finding. */
export function FindingForm({ invoice, found, close }: FindingFormProps) {
  const say = useWords();
  const common = useWords();
  const { account } = useCompany();
  const { id, fullNumber: number } = invoice;
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string>();
  const settle = useSave({
    send: () =>
      answer(
        api.accounts[":account"].invoices[":invoice"].finding.$post({
          param: { account: account.id, invoice: id },
          json: { found, reason },
        }),
      ),
    refresh: afterDeed(account.id),
    onSaved: close,
    said: say("duplicate.done"),
    onRefused: (error) => setProblem(Object.values(problemsByField(error, common))[0]),
  });
  function send(event: FormEvent) {
    event.preventDefault();
    if (reason.trim() === "") return setProblem(say("duplicate.reason.missing"));
    settle.mutate({});
  }
  return (
    <form className="stack" noValidate onSubmit={send}>
      <p>{say(`duplicate.${found}.body`, { number })}</p>
      <Textarea
        label={say("duplicate.reason")}
        description={say("duplicate.reason.hint")}
        value={reason}
        onChange={({ currentTarget }) => {
          setReason(currentTarget.value);
          setProblem(undefined);
        }}
        error={problem}
        autosize
        minRows={2}
        maxLength={500}
        data-autofocus
      />
      <div className="row">
        <Button variant="default" onClick={close}>
          {common("cancel")}
        </Button>
        <Button type="submit" className="end" loading={settle.isPending}>
          {say(`duplicate.${found}.button`)}
        </Button>
      </div>
    </form>
  );
}
