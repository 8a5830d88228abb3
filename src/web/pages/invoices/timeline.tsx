import { Button } from "@mantine/core";
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconClock,
  IconFileInvoice,
  IconMail,
  IconMinus,
  IconSend,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useCompany } from "../../app/session.tsx";
import { Hash } from "../../parts/copy-text.tsx";
import { moment, shortMoment } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import type { CourseRecord, InvoiceDetail } from "./invoice-queries.ts";
import styles from "./invoices.module.css";

interface MailTimelineProps {
  readonly mails: readonly Mail[];
  /** Opens the form that sends the invoice by mail; absent where it cannot be sent. */
  readonly fixMail: (() => void) | undefined;
}

/** The mails with the invoice, newest first. */
export function MailTimeline({ mails, fixMail }: MailTimelineProps) {
  const say = useWords();
  return (
    <ol className={styles.timeline}>
      {mails.length === 0 && (
        <Event icon={IconMail}>
          <p>{say("mail.state.none")}</p>
        </Event>
      )}
      {mails.map((mail) => (
        <MailEvent key={mail.id} mail={mail} fix={fixMail} />
      ))}
    </ol>
  );
}

/** Everything that happened to the records of an invoice, newest first. */
export function Timeline({ records }: { readonly records: readonly CourseRecord[] }) {
  return (
    <ol className={styles.timeline}>
      {records.map((record) => (
        <RecordEvents key={record.recordId} record={record} />
      ))}
    </ol>
  );
}

function RecordEvents({ record }: { readonly record: CourseRecord }) {
  return (
    <>
      <AnswerEvent record={record} />
      {record.attempts.toReversed().map((attempt) => (
        <AttemptEvent key={attempt.id} attempt={attempt} />
      ))}
      <MadeEvent record={record} />
    </>
  );
}

interface EventProps {
  readonly icon: typeof IconClock;
  readonly tone?: "ok" | "warn" | "bad";
  readonly at?: string | undefined;
  readonly children: ReactNode;
}

function Event({ icon: Icon, tone, at, children }: EventProps) {
  const { account } = useCompany();
  return (
    <li className={styles.event} {...(tone ? { "data-tone": tone } : {})}>
      <Icon size={18} stroke={1.75} aria-hidden />
      {children}
      {at && (
        <p className={styles.when}>
          <time dateTime={at} title={moment(at, account.timeZone)}>
            {shortMoment(at, account.timeZone)}
          </time>
        </p>
      )}
    </li>
  );
}

/** The authority's words, then ours; before an answer, the reason for waiting. */
function AnswerEvent({ record }: { readonly record: CourseRecord }) {
  const say = useWords();
  const { state, advice, attempts, code, text = "" } = record;
  const answered = attempts.findLast(({ came }) => came === "answered");
  const at = answered?.endedAt;
  const facts = { code: `${code ?? "—"}`, text };
  switch (state) {
    case "not_submitted":
      return <Event icon={IconMinus}>{<p>{say("timeline.not_submitted")}</p>}</Event>;
    case "pending_submission":
      return <Event icon={IconClock}>{<p>{say("timeline.pending")}</p>}</Event>;
    case "submitted":
      return <Event icon={IconClock}>{<p>{say("timeline.under_way")}</p>}</Event>;
    case "accepted":
      return (
        <Event icon={IconCircleCheck} tone="ok" at={at}>
          <p>{say("timeline.accepted")}</p>
          {answered?.csv && (
            <p className={styles.csv}>
              {say("timeline.csv")} {answered.csv}
            </p>
          )}
        </Event>
      );
    default:
      return (
        <Event
          icon={state === "rejected" ? IconAlertOctagon : IconAlertTriangle}
          tone={state === "rejected" ? "bad" : "warn"}
          at={at}
        >
          <p>{say(state === "rejected" ? "timeline.rejected" : "timeline.errors", facts)}</p>
          {advice && <p className="muted">{advice}</p>}
          {answered?.csv && (
            <p className={styles.csv}>
              {say("timeline.csv")} {answered.csv}
            </p>
          )}
        </Event>
      );
  }
}

type Mail = InvoiceDetail["mail"]["deliveries"][number];

/** Whether a mail arrived is not known, so no state says it. */
function MailEvent({ mail, fix }: { readonly mail: Mail; readonly fix: (() => void) | undefined }) {
  const say = useWords();
  const { account } = useCompany();
  const { to, state, queuedAt, sentAt = queuedAt, error = "not_taken" } = mail;
  const address = <p className="muted">{to}</p>;
  switch (state) {
    case "queued":
      return (
        <Event icon={IconMail} at={queuedAt}>
          <p>{say("mail.state.queued")}</p>
          {address}
        </Event>
      );
    case "sent":
      return (
        <Event icon={IconMail} tone="ok">
          <p>{say("mail.state.sent", { moment: shortMoment(sentAt, account.timeZone) })}</p>
          {address}
        </Event>
      );
    case "failed":
      return (
        <Event icon={IconAlertOctagon} tone="bad">
          <p>{say("mail.state.failed", { reason: say(`mail.error.${error}`) })}</p>
          {address}
          {fix && (
            <Button variant="subtle" size="xs" onClick={fix}>
              {say("mail.fix")}
            </Button>
          )}
        </Event>
      );
  }
}

type Attempt = CourseRecord["attempts"][number];

function AttemptEvent({ attempt }: { readonly attempt: Attempt }) {
  const say = useWords();
  const { came, incident, from, to, startedAt, text = "" } = attempt;
  return (
    <Event icon={IconSend} at={startedAt}>
      <p>{say(incident ? "timeline.sent.incident" : "timeline.sent", { n: to - from + 1 })}</p>
      {came === "no_answer" && <p className="muted">{say("timeline.no_answer")}</p>}
      {came === "refused" && <p className="muted">{say("timeline.refused", { text })}</p>}
    </Event>
  );
}

const MADE = {
  registration: IconFileInvoice,
  amendment: IconFileInvoice,
  annulment: IconBan,
} as const;

function MadeEvent({ record }: { readonly record: CourseRecord }) {
  const say = useWords();
  const { kind, hash, previousHash, reason, generatedAt, installationNumber } = record;
  return (
    <Event icon={MADE[kind]} at={generatedAt}>
      <p title={installationNumber}>{madeText(record, say)}</p>
      {reason && <p className="muted">{say("timeline.reason", { reason })}</p>}
      <dl className={styles.hashes}>
        <dt>{say("record.hash")}</dt>
        <dd>
          <Hash value={hash} what={say("record.hash")} />
        </dd>
        <dt>{say("record.previous")}</dt>
        <dd>
          {previousHash ? (
            <Hash value={previousHash} what={say("record.previous")} />
          ) : (
            <span className="muted">{say("record.first")}</span>
          )}
        </dd>
      </dl>
    </Event>
  );
}

function madeText({ kind, position, by }: CourseRecord, say: Say): string {
  switch (kind) {
    case "registration":
      return say("timeline.issued", { position });
    case "amendment":
      return by
        ? say("timeline.amended", { position, name: by })
        : say("timeline.amended.unknown", { position });
    case "annulment":
      return by
        ? say("timeline.cancelled", { position, name: by })
        : say("timeline.cancelled.unknown", { position });
  }
}
