import { Button, Card } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconClock } from "@tabler/icons-react";
import { Link, useSearchParams } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Select } from "../../parts/fields.tsx";
import { amongIds } from "../../parts/filters/known.ts";
import { useKnownParams, useRefusedParams } from "../../parts/filters/known-params.ts";
import { PageHead, Section } from "../../parts/page-head.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { money, monthOnly, monthTitle, shortMoment, weekdayDate } from "../../words/format.ts";
import { sinceText } from "../../words/since.ts";
import { useWords } from "../../words/words.tsx";
import { AttentionCard } from "./attention.tsx";
import { DayChart } from "./day-chart.tsx";
import {
  type Chain,
  currentChoices,
  type Overview,
  useAttention,
  useChoices,
  useOverview,
  useSubmission,
} from "./invoice-queries.ts";
import { InvoiceTable } from "./invoice-table.tsx";
import styles from "./invoices.module.css";
import { sendingState } from "./sending-state.ts";

/** In order of urgency: cases to decide, figures, days, latest invoices. */
export function OverviewPage() {
  const say = useWords();
  const { account } = useCompany();
  const choices = useChoices(account.id);
  const params = useKnownParams({ conexion: amongIds(currentChoices(choices)?.connections) });
  const connection = params.get("conexion");
  const overview = useOverview(account.id, connection);
  const isRefused = useRefusedParams(overview.error, { connection: "conexion" });
  const attention = useAttention(account.id);
  const chains = useSubmission(account.id).data?.chains;
  const sending = chains && sendingState(chains, Date.now()).is;
  // Without data nothing is shown: success is never assumed.
  const isSending = sending === "done" || sending === "waiting";
  return (
    <>
      <PageHead title={say("nav.overview")} lead={overview.data && weekdayDate(overview.data.today.date)}>
        <ConnectionChoice />
      </PageHead>
      <div className="stack">
        {attention.data && <AttentionCard attention={attention.data} isSending={isSending} />}
        {attention.isError && <ErrorCard error={attention.error} retry={() => void attention.refetch()} />}
        {(overview.isPending || isRefused) && <Loading rows={8} />}
        {overview.isError && !isRefused && (
          <ErrorCard error={overview.error} retry={() => void overview.refetch()} />
        )}
        {overview.data && <Figures overview={overview.data} connection={connection} />}
      </div>
    </>
  );
}

/** Shown to a company with several connections. */
function ConnectionChoice() {
  const say = useWords();
  const { account } = useCompany();
  const choices = useChoices(account.id);
  const [params, setParams] = useSearchParams();
  const connections = choices.data?.connections ?? [];
  if (connections.length < 2) return null;
  return (
    <Select
      aria-label={say("invoices.connection")}
      placeholder={say("invoices.connection.all")}
      data={connections.map(({ id, name }) => ({ value: id, label: name }))}
      value={params.get("conexion")}
      onChange={(value) => setParams(value ? { conexion: value } : {}, { replace: true })}
      clearable
    />
  );
}

interface FiguresProps {
  readonly overview: Overview;
  readonly connection: string | null;
}

function Figures({ overview, connection }: FiguresProps) {
  const say = useWords();
  const { account } = useCompany();
  const { today, month, rectifying, days, latest } = overview;
  if (latest.length === 0) return <NoInvoices />;
  return (
    <>
      <Card component="section" aria-label={say("overview.today")} p={0}>
        <dl className={styles.figures}>
          <Figure name={say("overview.today")} sums={today} />
          <Figure name={monthTitle(month.month).replace(/ .*/, "")} sums={month} />
          <Figure name={say("overview.rectified", { month: monthOnly(month.month) })} sums={rectifying} />
          <Sending />
        </dl>
        <p className={styles.sumNote}>{say("invoices.sum.note")}</p>
      </Card>
      <Section title={say("overview.daily")} aside={monthTitle(month.month)} flush>
        <DayChart
          month={month.month}
          until={Number(today.date.slice(8))}
          days={days}
          connection={connection}
        />
      </Section>
      <Section
        title={say("overview.latest")}
        aside={<Link to={paths.invoices(account.id)}>{say("see_all")}</Link>}
        flush
      >
        <InvoiceTable items={latest} caption={say("overview.latest")} isShort />
      </Section>
    </>
  );
}

/** Before the first invoice: the next step is the first connection, or the setup of an existing one. */
function NoInvoices() {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const choices = useChoices(account.id);
  const isConnected = (choices.data?.connections ?? []).length > 0;
  const to = isConnected ? paths.connections(account.id) : paths.connect(account.id);
  return (
    <Card component="section" aria-label={say("overview.latest")} p={0}>
      <Empty text={say(isConnected ? "overview.empty.connected" : "overview.empty")}>
        {(isConnected || !isReadOnly) && (
          <Button component={Link} to={to}>
            {say(isConnected ? "overview.empty.see" : "overview.empty.action")}
          </Button>
        )}
      </Empty>
    </Card>
  );
}

interface FigureProps {
  readonly name: string;
  readonly sums: Pick<Overview["today"], "invoices" | "total">;
}

function Figure({ name, sums }: FigureProps) {
  const say = useWords();
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>{money(sums.total)}</dd>
      <dd>{say("overview.count", { n: sums.invoices })}</dd>
    </div>
  );
}

/** The state of the chains in two words; the submission page has the details. */
function Sending() {
  const say = useWords();
  const { account } = useCompany();
  const submission = useSubmission(account.id);
  const chains = submission.data?.chains;
  // Without data nothing is shown: success is never assumed.
  if (!chains) {
    return (
      <div className={styles.figure}>
        <dt>{say("overview.sending")}</dt>
        <dd>—</dd>
        {submission.isError && <dd>{say("overview.sending.unknown")}</dd>}
      </div>
    );
  }
  return (
    <div className={styles.figure}>
      <dt>{say("overview.sending")}</dt>
      <dd>
        <SendingMark chains={chains} />
      </dd>
      <dd>
        {lastSent(chains)
          ? say("overview.sending.last", { when: shortMoment(lastSent(chains) ?? "", account.timeZone) })
          : say("overview.sending.never")}
      </dd>
    </div>
  );
}

function SendingMark({ chains }: { readonly chains: readonly Chain[] }) {
  const say = useWords();
  const { account } = useCompany();
  const sending = sendingState(chains, Date.now());
  if (sending.is === "done") {
    return (
      <>
        <IconCircleCheck size={20} stroke={1.75} color="var(--ok)" aria-hidden />
        {say("overview.sending.ok")}
      </>
    );
  }
  if (sending.is === "waiting") {
    return (
      <>
        <IconClock size={20} stroke={1.75} color="var(--text-3)" aria-hidden />
        {say("overview.sending.waiting", { n: sending.unsent })}
      </>
    );
  }
  return (
    <>
      <IconAlertTriangle size={20} stroke={1.75} color="var(--warn)" aria-hidden />
      {say("overview.sending.incident", { since: sinceText(sending.since, account.timeZone, say) })}
    </>
  );
}

function lastSent(chains: readonly Chain[]): string | undefined {
  return chains
    .flatMap(({ lastAnswerAt }) => lastAnswerAt ?? [])
    .toSorted()
    .at(-1);
}
