import { Button } from "@mantine/core";
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconBuildingStore,
  IconCircleCheck,
  IconKey,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { dayIn, dayOfMonth, longDate } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import type { Attention } from "./invoice-queries.ts";
import styles from "./invoices.module.css";

interface AttentionCardProps {
  readonly attention: Attention;
  /** The submission to the AEAT goes its way. */
  readonly isSending: boolean;
}

/** Only cases that need a decision, most urgent first: one icon, one sentence, one verb. */
export function AttentionCard({ attention, isSending }: AttentionCardProps) {
  const say = useWords();
  const { duplicates, rejected, flawed, ours, held, newStores, twoKeys } = attention;
  const isQuiet =
    held.orders +
      duplicates.invoices +
      rejected.invoices +
      flawed.invoices +
      ours.invoices +
      newStores.length +
      twoKeys.length ===
    0;
  if (isQuiet && !isSending) return null;
  if (isQuiet) {
    return (
      <p className="row muted">
        <IconCircleCheck size={18} stroke={1.75} color="var(--ok)" aria-hidden />
        {say("overview.attention.none")}
      </p>
    );
  }
  return (
    <Section title={say("overview.attention")} flush>
      <ul className={styles.attention}>
        <Held held={held} />
        <Declined declined={duplicates} state="duplicate" />
        <Declined declined={rejected} state="rejected" />
        <Declined declined={flawed} state="accepted_with_errors" />
        <Ours ours={ours} />
        {newStores.map((store) => (
          <NewStore key={`${store.connectionId}${store.name}`} store={store} />
        ))}
        {twoKeys.map((keys) => (
          <TwoKeys key={keys.connectionId} keys={keys} />
        ))}
      </ul>
    </Section>
  );
}

interface LineProps {
  readonly icon: typeof IconKey;
  readonly color: string;
  readonly title: string;
  readonly sub?: string | undefined;
  readonly to: string;
  readonly verb: string;
}

function Line({ icon: Icon, color, title, sub, to, verb }: LineProps): ReactNode {
  return (
    <li>
      <Icon size={20} stroke={1.75} color={color} aria-hidden />
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        {sub && <p className="muted">{sub}</p>}
      </div>
      <Button component={Link} to={to} variant="default" size="xs">
        {verb}
      </Button>
    </li>
  );
}

function Held({ held }: { readonly held: Attention["held"] }) {
  const say = useWords();
  const { account } = useCompany();
  if (held.orders === 0) return null;
  const { oldestDue } = held;
  const today = dayIn(account.timeZone);
  const sub =
    oldestDue &&
    say(oldestDue < today ? "overview.held.late" : "overview.held.sub", { date: dayOfMonth(oldestDue) });
  return (
    <Line
      icon={IconAlertTriangle}
      color="var(--warn)"
      title={say("overview.held", { n: held.orders })}
      sub={sub}
      to={paths.review(account.id)}
      verb={say("overview.act.review")}
    />
  );
}

interface DeclinedProps {
  readonly declined: Attention["rejected"];
  readonly state: "duplicate" | "rejected" | "accepted_with_errors";
}

const TITLES = {
  duplicate: "overview.duplicate",
  rejected: "overview.rejected",
  accepted_with_errors: "overview.flawed",
} as const;

function Declined({ declined, state }: DeclinedProps) {
  const say = useWords();
  const { account } = useCompany();
  const { invoices } = declined;
  const newest = "newest" in declined ? declined.newest : undefined;
  if (invoices === 0 || !newest) return null;
  const isRejected = state !== "accepted_with_errors";
  const isDuplicate = state === "duplicate";
  // Duplicates are listed there, apart from other rejected records.
  const list = isDuplicate ? paths.submission(account.id) : `${paths.invoices(account.id)}?estado=${state}`;
  return (
    <Line
      icon={isRejected ? IconAlertOctagon : IconAlertTriangle}
      color={isRejected ? "var(--bad)" : "var(--warn)"}
      title={say(TITLES[state], { n: invoices })}
      sub={say("overview.declined.sub", { number: newest.fullNumber, advice: newest.advice ?? "" })}
      to={invoices === 1 ? paths.invoice(account.id, newest.id) : list}
      verb={say(isDuplicate ? "overview.act.settle" : "overview.act.correct")}
    />
  );
}

/** Our own fault asks nothing of its owner. */
function Ours({ ours: { invoices } }: { readonly ours: Attention["ours"] }) {
  const say = useWords();
  const { account } = useCompany();
  if (invoices === 0) return null;
  return (
    <Line
      icon={IconAlertTriangle}
      color="var(--text-2)"
      title={say("overview.ours", { n: invoices })}
      sub={say("overview.ours.sub")}
      to={paths.submission(account.id)}
      verb={say("overview.act.see")}
    />
  );
}

const PLATFORMS: Readonly<Record<string, string>> = {
  woocommerce: "WooCommerce",
  prestashop: "PrestaShop",
  shopify: "Shopify",
  magento: "Magento",
};

function NewStore({ store }: { readonly store: Attention["newStores"][number] }) {
  const say = useWords();
  const { account } = useCompany();
  const platform = PLATFORMS[store.platform?.toLowerCase() ?? ""];
  const { orders = 0, name } = store;
  return (
    <Line
      icon={IconBuildingStore}
      color="var(--accent)"
      title={platform ? say("overview.store", { platform }) : say("overview.store.any")}
      sub={say(orders > 0 ? "overview.store.sub" : "overview.store.sub.none", { store: name, n: orders })}
      to={paths.connection(account.id, store.connectionId, "tiendas")}
      verb={say("overview.act.decide")}
    />
  );
}

function TwoKeys({ keys }: { readonly keys: Attention["twoKeys"][number] }) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <Line
      icon={IconKey}
      color="var(--text-2)"
      title={say("overview.key", { connection: keys.name, date: longDate(keys.since, account.timeZone) })}
      sub={say("overview.key.sub")}
      to={paths.connection(account.id, keys.connectionId, "claves")}
      verb={say("overview.act.keys")}
    />
  );
}
