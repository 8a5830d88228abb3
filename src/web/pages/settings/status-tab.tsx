import { Button } from "@mantine/core";
import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import { count, date, shortMoment } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import { ConnectionState, useCounted, useKindName } from "./connection-state.tsx";
import type { Connection } from "./queries.ts";
import { SeriesTable } from "./series-table.tsx";

/** The state of the connection and its numbering. */
export function StatusTab({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const { upcoming } = connection;
  // The series of the stem, begun or not; then those of earlier years and stems.
  const earlier = connection.series.filter(({ code }) => upcoming.every((one) => one.code !== code));
  const series = [...upcoming, ...earlier];
  return (
    <>
      <Section title={say("conn.tab.state")}>
        <Facts connection={connection} />
        {connection.takesOrders ? (
          <NextStep connection={connection} />
        ) : (
          <p className="muted text-column">{say("conn.unused")}</p>
        )}
      </Section>
      {series.length > 0 && (
        <Section title={say("series.title")} flush>
          <SeriesTable series={series} />
        </Section>
      )}
    </>
  );
}

function Facts({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const { account } = useCompany();
  const kindName = useKindName();
  const counted = useCounted();
  const { module, inventory, activity, consent, kind } = connection;
  const moment = (at: string) => shortMoment(at, account.timeZone);
  const consentState = consent === undefined ? "none" : consent.withdrawnAt ? "withdrawn" : "given";
  return (
    <dl className="facts">
      <dt>{say("conn.tab.invoicing")}</dt>
      <dd>
        <ConnectionState kind={kind} setup={connection.setup} consent={consentState} />
      </dd>
      <dt>{say("conn.platform")}</dt>
      <dd>{kindName(kind, module?.platform)}</dd>
      {module && (
        <>
          <dt>{say("conn.module")}</dt>
          <dd>
            {module.moduleVersion
              ? say("conn.module.version", { version: module.moduleVersion, when: moment(module.seenAt) })
              : say("conn.module.seen", { when: moment(module.seenAt) })}
          </dd>
        </>
      )}
      {inventory && (
        <>
          <dt>{say("conn.inventory")}</dt>
          <dd>
            {say("conn.inventory.received", {
              n: connection.stores.length,
              when: moment(inventory.receivedAt),
            })}
          </dd>
        </>
      )}
      <dt>{say("conn.opened")}</dt>
      <dd>{date(connection.openedAt, account.timeZone)}</dd>
      {connection.takesOrders && (
        <>
          <dt>{say("conn.last_order")}</dt>
          <dd>{activity.lastOrderAt ? moment(activity.lastOrderAt) : say("conn.no_orders")}</dd>
          <dt>{say("conn.this_month")}</dt>
          <dd>
            {say("conn.month.sum", {
              received: activity.orders,
              orders: counted(activity.orders, count),
              issued: activity.invoices,
              invoices: count(activity.invoices),
            })}
          </dd>
        </>
      )}
    </dl>
  );
}

/** The next open step of the setup, with a link. */
function NextStep({ connection }: { readonly connection: Connection }) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const { setup, consent, id } = connection;
  if (isReadOnly) return null;
  const step =
    setup.state === "pending_inventory"
      ? { to: `${paths.connect(account.id)}/${id}`, name: say("conn.go_on") }
      : setup.state === "pending_configuration"
        ? { to: paths.stores(account.id, id), name: say("conn.choose_stores") }
        : !consent
          ? { to: paths.consent(account.id, id), name: say("conn.turn_on") }
          : undefined;
  if (!step) return null;
  return (
    <p style={{ marginTop: 16 }}>
      <Button component={Link} to={step.to}>
        {step.name}
      </Button>
    </p>
  );
}
