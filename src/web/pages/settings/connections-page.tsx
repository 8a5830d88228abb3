import { Button, Card } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { count, date, shortMoment } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ConnectionState, useCounted, useKindName } from "./connection-state.tsx";
import { type ConnectionCard, useConnections } from "./queries.ts";
import styles from "./settings.module.css";

/** Every shop and program of the company. */
export function ConnectionsPage() {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const connections = useConnections(account.id);
  const add = !isReadOnly && (
    <Button component={Link} to={paths.connect(account.id)} leftSection={<IconPlus size={16} aria-hidden />}>
      {say("conn.add")}
    </Button>
  );
  const isEmpty = connections.data?.length === 0;
  return (
    <>
      <PageHead title={say("nav.connections")} lead={say("conn.lead")}>
        {isEmpty ? null : add}
      </PageHead>
      {connections.isPending && <Loading />}
      {connections.isError && (
        <ErrorCard error={connections.error} retry={() => void connections.refetch()} />
      )}
      {isEmpty && (
        <Card>
          <Empty text={say("conn.empty")}>{add}</Empty>
        </Card>
      )}
      <div className={styles.cards}>
        {(connections.data ?? []).map((card) => (
          <ConnectionSummary key={card.id} card={card} />
        ))}
      </div>
    </>
  );
}

function ConnectionSummary({ card }: { readonly card: ConnectionCard }) {
  const say = useWords();
  const { account } = useCompany();
  const kindName = useKindName();
  const counted = useCounted();
  const { activity, keys, overlapBeganAt } = card;
  return (
    <Card component="article" className={styles.card}>
      <div>
        <h2>
          <Link to={paths.connection(account.id, card.id)}>{card.name}</Link>
        </h2>
        <span className="muted small">{kindName(card.kind, card.platform)}</span>
      </div>
      <div className={styles.marks}>
        <ConnectionState {...card} />
        {keys === 0 && <StateMark tone="decide">{say("conn.no_key")}</StateMark>}
        {overlapBeganAt !== undefined && (
          <StateMark tone="waiting">
            {say("conn.overlap", { date: date(overlapBeganAt, account.timeZone) })}
          </StateMark>
        )}
      </div>
      <dl className={styles.figures}>
        <div className={styles.wide}>
          <dt>{say("conn.last_order")}</dt>
          <dd>{activity.lastOrderAt ? shortMoment(activity.lastOrderAt, account.timeZone) : "—"}</dd>
        </div>
        <div>
          <dt>{say("conn.orders_month")}</dt>
          <dd>{counted(activity.orders, count)}</dd>
        </div>
        <div>
          <dt>{say("conn.invoices_month")}</dt>
          <dd>{count(activity.invoices)}</dd>
        </div>
      </dl>
    </Card>
  );
}
