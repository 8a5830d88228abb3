import { Button } from "@mantine/core";
import { IconAlertOctagon, IconAlertTriangle, IconDownload, IconMail } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { ApiError } from "../../api/errors.ts";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { PageHead, Section } from "../../parts/page-head.tsx";
import { recordTone, StateMark, type Tone } from "../../parts/state-mark.tsx";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { useWords } from "../../words/words.tsx";
import { NotFoundPage } from "../not-found.tsx";
import { AmountsSection } from "./amounts.tsx";
import { FilesSection } from "./files-section.tsx";
import { ActDialog, ActsMenu, DuplicateCard } from "./invoice-acts.tsx";
import { type InvoiceDetail, type OpenAct, useInvoice } from "./invoice-queries.ts";
import { stateWord, typeWord } from "./invoice-words.ts";
import styles from "./invoices.module.css";
import { MailDialog } from "./mail-dialog.tsx";
import { Sheet } from "./sheet.tsx";
import { MailTimeline, Timeline } from "./timeline.tsx";

/** One invoice: the sheet, the course of its record, and the possible actions. */
export function InvoicePage() {
  const { account } = useCompany();
  const { invoice: id = "" } = useParams();
  const invoice = useInvoice(account.id, id);
  if (invoice.isPending) return <Loading rows={10} />;
  if (invoice.isLoadingError) {
    const isUnknown = invoice.error instanceof ApiError && invoice.error.status === 404;
    return isUnknown ? (
      <NotFoundPage />
    ) : (
      <ErrorCard error={invoice.error} retry={() => void invoice.refetch()} />
    );
  }
  return <Detail invoice={invoice.data} />;
}

function Detail({ invoice }: { readonly invoice: InvoiceDetail }) {
  const say = useWords();
  const { account } = useCompany();
  const { isReadOnly } = useCompany();
  const [act, setAct] = useState<OpenAct>();
  const [isMailing, setMailing] = useState(false);
  const mail = invoice.mail.isOffered && !isReadOnly ? () => setMailing(true) : undefined;
  return (
    <>
      <PageHead
        title={invoice.fullNumber}
        from={{ to: paths.invoices(account.id), name: say("invoice.back") }}
        place={invoice.fullNumber}
        lead={<Marks invoice={invoice} />}
      >
        <Downloads invoice={invoice} />
        {mail && (
          <Button variant="default" leftSection={<IconMail size={18} aria-hidden />} onClick={mail}>
            {say("mail.send")}
          </Button>
        )}
        <ActsMenu invoice={invoice} open={setAct} />
      </PageHead>
      {isOpenDuplicate(invoice) ? (
        <DuplicateCard invoice={invoice} open={setAct} />
      ) : (
        <AuthorityResponse invoice={invoice} open={setAct} />
      )}
      <div className={styles.detail} data-papers>
        <Sheet html={invoice.sheet.html} css={invoice.sheet.css} />
        <div className="stack">
          <Section title={say("invoice.timeline")}>
            <Timeline records={invoice.records} />
          </Section>
          <Section title={say("mail.section")}>
            <MailTimeline mails={invoice.mail.deliveries} fixMail={mail} />
          </Section>
          <AmountsSection invoice={invoice} />
          <FilesSection invoice={invoice} />
          <Origin invoice={invoice} />
          <Related invoice={invoice} />
        </div>
      </div>
      {isMailing && <MailDialog invoice={invoice} close={() => setMailing(false)} />}
      {act && <ActDialog invoice={invoice} act={act} open={setAct} close={() => setAct(undefined)} />}
    </>
  );
}

/** The owner must first say who made the record; a foreign one gets no correction. */
function isOpenDuplicate({ duplicate, standing }: InvoiceDetail): boolean {
  if (duplicate === "foreign") return !["cancelled", "replaced", "undone"].includes(standing.is);
  return duplicate === "undecided";
}

const STATUS_TONES: Readonly<Record<InvoiceDetail["standing"]["is"], Tone>> = {
  issued: "done",
  partially_rectified: "refunded",
  rectified: "refunded",
  replaced: "refunded",
  undone: "refunded",
  cancelled: "cancelled",
};

/** Two marks: the state of the document, and the state of its record. */
function Marks({ invoice }: { readonly invoice: InvoiceDetail }) {
  const say = useWords();
  const { standing, records } = invoice;
  const state = records[0]?.state ?? "pending_submission";
  const number = "by" in standing ? standing.by : "";
  return (
    <span className={styles.marks}>
      <span>{typeWord(invoice, say)}</span>
      {invoice.test && <StateMark tone="none">{say("document.test")}</StateMark>}
      {standing.is !== "issued" && (
        <StateMark tone={STATUS_TONES[standing.is]}>{say(`document.${standing.is}`, { number })}</StateMark>
      )}
      <StateMark tone={recordTone(state)}>{stateWord(state, say)}</StateMark>
    </span>
  );
}

function Downloads({ invoice }: { readonly invoice: InvoiceDetail }) {
  const say = useWords();
  const { account } = useCompany();
  const base = `/api/accounts/${account.id}/invoices/${invoice.id}`;
  const icon = <IconDownload size={18} aria-hidden />;
  return (
    <>
      <Button component="a" href={`${base}/pdf`} download variant="default" leftSection={icon}>
        {say("invoice.pdf")}
      </Button>
      <Button component="a" href={`${base}/xml`} download variant="default" leftSection={icon}>
        {say("invoice.xml")}
      </Button>
    </>
  );
}

interface AuthorityResponseProps {
  readonly invoice: InvoiceDetail;
  readonly open: (act: OpenAct) => void;
}

/** Above everything: the authority's answer to the newest record, then our words, and one button. */
function AuthorityResponse({ invoice, open }: AuthorityResponseProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  const [newest] = invoice.records;
  if (!newest || (newest.state !== "rejected" && newest.state !== "accepted_with_errors")) return null;
  const isRejected = newest.state === "rejected";
  const Icon = isRejected ? IconAlertOctagon : IconAlertTriangle;
  const isAnnulment = newest.kind === "annulment";
  const isOffered =
    invoice.need === "required" && (isAnnulment ? invoice.annul.offered : invoice.amend.offered);
  return (
    <section className={styles.said} data-tone={isRejected ? "bad" : "warn"} aria-label={say("invoice.says")}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <div>
        <h2>{say("invoice.says.code", { code: `${newest.code ?? "—"}`, text: newest.text ?? "" })}</h2>
        {invoice.advice && <p>{invoice.advice}</p>}
      </div>
      {isOffered && !isReadOnly && (
        <Button onClick={() => open(isAnnulment ? "cancel" : "amend")}>
          {isAnnulment
            ? say("act.cancel.button", { number: invoice.fullNumber })
            : say("act.amend.button.now")}
        </Button>
      )}
    </section>
  );
}

function Origin({ invoice }: { readonly invoice: InvoiceDetail }) {
  const say = useWords();
  const { account } = useCompany();
  const { order, externalId, connection, issuedBy } = invoice;
  return (
    <Section title={say("invoice.origin")}>
      <dl className="stack" style={{ gap: 8 }}>
        {issuedBy && (
          <div className="row">
            <dt className="muted">{say("invoice.origin")}</dt>
            <dd>{say("invoice.origin.person", { name: issuedBy })}</dd>
          </div>
        )}
        {order && (
          <div className="row">
            <dt className="muted">{say("invoice.order.short")}</dt>
            <dd>
              <Link to={paths.order(account.id, connection.id, order.id)}>{order.reference}</Link>
            </dd>
          </div>
        )}
        {externalId && (
          <div className="row">
            <dt className="muted">{say("invoice.external")}</dt>
            <dd>{externalId}</dd>
          </div>
        )}
        <div className="row">
          <dt className="muted">{say("invoice.connection")}</dt>
          <dd>
            <Link to={paths.connection(account.id, connection.id)}>{connection.name}</Link>
          </dd>
        </div>
      </dl>
    </Section>
  );
}

function Related({ invoice }: { readonly invoice: InvoiceDetail }) {
  const say = useWords();
  const { account } = useCompany();
  if (invoice.related.length === 0) return null;
  return (
    <Section title={say("invoice.related")}>
      <ul className={styles.related}>
        {invoice.related.map(({ invoiceId, fullNumber, relation, inForce }) => (
          <li key={`${relation}${invoiceId}`}>
            <span className="muted">{say(`related.${relation}`)}</span>{" "}
            <Link to={paths.invoice(account.id, invoiceId)}>{fullNumber}</Link>
            {!inForce && <span className="muted"> {say("related.not_in_force")}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
