import { Button, Menu } from "@mantine/core";
import {
  IconAlertOctagon,
  IconArrowBackUp,
  IconBan,
  IconCopy,
  IconDotsVertical,
  IconFileInvoice,
  IconReceiptRefund,
  IconShoppingBag,
} from "@tabler/icons-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { answer, api } from "../../api/client.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Hash } from "../../parts/copy-text.tsx";
import { Form } from "../../parts/form.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { problemsByField, useSave } from "../../parts/save.ts";
import { Textarea } from "../../parts/text-fields.tsx";
import { useUnsaved } from "../../parts/unsaved.tsx";
import { date, money } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { AmendForm } from "./amend-form.tsx";
import { afterChange, type InvoiceDetail, type OpenAct, useCorrection } from "./invoice-queries.ts";
import styles from "./invoices.module.css";
import { RectifyForm } from "./rectify-form.tsx";
import type { RightRecipient } from "./right-recipient.tsx";

interface ActsProps {
  readonly invoice: InvoiceDetail;
  readonly open: (act: OpenAct) => void;
}

/** The actions possible now, each with one sentence on its effect. */
export function ActsMenu({ invoice, open }: ActsProps) {
  const say = useWords();
  const go = useNavigate();
  const { account, isReadOnly } = useCompany();
  const { order, connection, copy, annul } = invoice;
  const duplicate = useDuplicate(invoice);
  if (isReadOnly) return null;
  const isByLines = invoice.changes.length > 0;
  // An order's invoice is annulled as an event of its order.
  const isAnnulledByOrder = !invoice.annul.offered && invoice.changes.includes("void");
  const hasNone =
    !invoice.amend.offered && !invoice.annul.offered && !invoice.rectify && !order && !isByLines;
  return (
    <Menu position="bottom-end" width="min(360px, calc(100vw - 32px))">
      <Menu.Target>
        <Button variant="default" px={10} aria-label={say("invoice.acts")}>
          <IconDotsVertical size={18} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isByLines && (
          <Menu.Item
            leftSection={<IconReceiptRefund size={18} aria-hidden />}
            onClick={() => go(paths.rectify(account.id, invoice.id))}
          >
            {say("act.rectify_lines")}
            <span className={styles.menuText}>{say("act.rectify_lines.body")}</span>
          </Menu.Item>
        )}
        {invoice.rectify && (
          <Menu.Item leftSection={<IconArrowBackUp size={18} aria-hidden />} onClick={() => open("rectify")}>
            {say("rectify.act")}
            <span className={styles.menuText}>{say("rectify.act.body")}</span>
          </Menu.Item>
        )}
        {invoice.amend.offered && (
          <Menu.Item leftSection={<IconFileInvoice size={18} aria-hidden />} onClick={() => open("amend")}>
            {say("act.amend")}
            <span className={styles.menuText}>{say("act.amend.body")}</span>
          </Menu.Item>
        )}
        {order && (
          <Menu.Item
            leftSection={<IconShoppingBag size={18} aria-hidden />}
            onClick={() => go(paths.order(account.id, connection.id, order.id))}
          >
            {say("act.order")}
            <span className={styles.menuText}>{say("act.order.body")}</span>
          </Menu.Item>
        )}
        {(invoice.annul.offered || isAnnulledByOrder) && (
          <Menu.Item
            leftSection={<IconBan size={18} aria-hidden />}
            onClick={() => (invoice.annul.offered ? open("cancel") : go(paths.annul(account.id, invoice.id)))}
          >
            {say("act.cancel")}
            <span className={styles.menuText}>{say("act.cancel.body")}</span>
          </Menu.Item>
        )}
        {hasNone && !annul.offered && (
          <Menu.Item leftSection={<IconBan size={18} aria-hidden />} aria-disabled closeMenuOnClick={false}>
            {say("act.cancel")}
            <span className={styles.menuText}>{annul.because ?? say("act.none")}</span>
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconCopy size={18} aria-hidden />}
          aria-disabled={!copy.offered}
          closeMenuOnClick={copy.offered}
          onClick={() => copy.offered && duplicate.mutate({})}
        >
          {say("invoice.duplicate")}
          <span className={styles.menuText}>
            {copy.offered ? say("invoice.duplicate.body") : copy.because}
          </span>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** A draft of the invoice, which is opened. */
function useDuplicate({ id }: InvoiceDetail) {
  const say = useWords();
  const go = useNavigate();
  const { account } = useCompany();
  const [key, setKey] = useState(() => crypto.randomUUID());
  return useSave({
    send: () =>
      answer(
        api.accounts[":account"].invoices[":invoice"].duplicate.$post({
          param: { account: account.id, invoice: id },
          json: { idempotency_key: key },
        }),
      ),
    refresh: [["drafts", account.id]],
    said: say("invoice.duplicated"),
    onSaved: ({ id: draft }) => {
      setKey(crypto.randomUUID());
      void go(paths.newInvoice(account.id, draft));
    },
  });
}

interface ActDialogProps {
  readonly invoice: InvoiceDetail;
  readonly act: OpenAct;
  readonly open: (act: OpenAct) => void;
  readonly close: () => void;
}

export function ActDialog({ invoice, act, open, close }: ActDialogProps) {
  // Data typed for another customer move to the form that can name one.
  const [to, setTo] = useState<RightRecipient>();
  const toOther = (recipient: RightRecipient) => {
    setTo(recipient);
    open("rectify");
  };
  return (
    <FormDialog close={close} size="lg" title={useTitle(act, invoice.fullNumber)}>
      <ActForm invoice={invoice} act={act} close={close} to={to} toOther={toOther} />
    </FormDialog>
  );
}

function useTitle(act: OpenAct, number: string): string {
  const say = useWords();
  if (act === "rectify") return say("rectify.title", { number });
  if (act === "ours" || act === "foreign") return say(`duplicate.${act}.title`, { number });
  return say(`act.${act}.title`, { number });
}

interface ActFormProps extends Omit<ActDialogProps, "open"> {
  readonly to: RightRecipient | undefined;
  readonly toOther: (recipient: RightRecipient) => void;
}

function ActForm({ invoice, act, close, to, toOther }: ActFormProps) {
  switch (act) {
    case "amend":
      return <AmendForm invoice={invoice} close={close} rectify={invoice.rectify ? toOther : undefined} />;
    case "cancel":
      return <CancelForm invoice={invoice} close={close} />;
    case "rectify":
      return invoice.rectify ? (
        <RectifyForm invoice={invoice} offered={invoice.rectify} to={to} close={close} />
      ) : null;
    default:
      return <FindingForm invoice={invoice} found={act} close={close} />;
  }
}

function CancelForm({ invoice, close }: Pick<ActDialogProps, "invoice" | "close">) {
  const say = useWords();
  const number = invoice.fullNumber;
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string>();
  const cancel = useCorrection(invoice, {
    onSaved: close,
    said: say("act.cancel.done", { number }),
    onRefused: (error) => setProblem(Object.values(problemsByField(error, say))[0]),
  });
  function send() {
    if (reason.trim() === "")
      return setProblem(say("form.required", { field: say("act.cancel.reason.the") }));
    cancel.mutate({ correction: "annul", reason });
  }
  useUnsaved(reason !== "" && !cancel.isPending && !cancel.isSuccess);
  const isAgain = invoice.standing.is === "cancelled";
  return (
    <Form className="stack" onSubmit={send}>
      <p>{say(isAgain ? "act.cancel.again" : "act.cancel.body")}</p>
      <ReasonField
        label={say("act.cancel.reason")}
        hint={say("act.cancel.reason.hint")}
        value={reason}
        problem={problem}
        onTyped={(typed) => {
          setReason(typed);
          setProblem(undefined);
        }}
      />
      <div className="row">
        <Button variant="default" onClick={close}>
          {say("cancel")}
        </Button>
        <Button type="submit" color="red" className="end" loading={cancel.isPending}>
          {say("act.cancel.button", { number })}
        </Button>
      </div>
    </Form>
  );
}

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
        {!isReadOnly && (isSettled ? <Then invoice={invoice} open={open} /> : <OwnerQuestion open={open} />)}
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

function OwnerQuestion({ open }: Pick<DuplicateCardProps, "open">) {
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
function FindingForm({ invoice, found, close }: FindingFormProps) {
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
    refresh: afterChange(account.id),
    onSaved: close,
    said: say("duplicate.done"),
    onRefused: (error) => setProblem(Object.values(problemsByField(error, common))[0]),
  });
  function send() {
    if (reason.trim() === "") return setProblem(say("duplicate.reason.missing"));
    settle.mutate({});
  }
  useUnsaved(reason !== "" && !settle.isPending && !settle.isSuccess);
  return (
    <Form className="stack" onSubmit={send}>
      <p>{say(`duplicate.${found}.body`, { number })}</p>
      <ReasonField
        label={say("duplicate.reason")}
        hint={say("duplicate.reason.hint")}
        value={reason}
        problem={problem}
        onTyped={(typed) => {
          setReason(typed);
          setProblem(undefined);
        }}
      />
      <div className="row">
        <Button variant="default" onClick={close}>
          {common("cancel")}
        </Button>
        <Button type="submit" className="end" loading={settle.isPending}>
          {say(`duplicate.${found}.button`)}
        </Button>
      </div>
    </Form>
  );
}

interface ReasonFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onTyped: (typed: string) => void;
}

/** The reason of a change, which the activity keeps. */
function ReasonField({ label, hint, value, problem, onTyped }: ReasonFieldProps) {
  return (
    <Textarea
      label={label}
      description={hint}
      value={value}
      onChange={({ currentTarget }) => onTyped(currentTarget.value)}
      error={problem}
      autosize
      minRows={2}
      maxLength={500}
      data-autofocus
    />
  );
}
