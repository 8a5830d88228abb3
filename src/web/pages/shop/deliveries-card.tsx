import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { MoreOfList } from "../../parts/more-of-list.tsx";
import { Section } from "../../parts/page-head.tsx";
import parts from "../../parts/parts.module.css";
import { StateMark, type Tone } from "../../parts/state-mark.tsx";
import { Empty, ErrorCard, Loading } from "../../parts/states.tsx";
import { shortMoment } from "../../words/format.ts";
import { isWord, type Say, useWords } from "../../words/words.tsx";
import { type ConnectionPlace, useConnectionPlace } from "../setup/setup.ts";
import { factName } from "./missing.tsx";
import { type Delivery, useDeliveries } from "./queries.ts";
import styles from "./shop.module.css";

/** The shop's messages, newest first. */
export function DeliveriesCard() {
  const say = useWords();
  const place = useConnectionPlace();
  const log = useDeliveries(place);
  const deliveries = log.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Section title={say("shop.deliveries")} flush>
      {log.isPending && <Loading />}
      {log.isLoadingError && <ErrorCard error={log.error} retry={() => void log.refetch()} />}
      {log.data && deliveries.length === 0 && <Empty text={say("shop.deliveries.empty")} />}
      {deliveries.length > 0 && <DeliveryRows deliveries={deliveries} place={place} />}
      <MoreOfList list={log} label={say("shop.deliveries.more")} className={styles.foot} />
    </Section>
  );
}

interface DeliveryRowsProps {
  readonly deliveries: readonly Delivery[];
  readonly place: ConnectionPlace;
}

function DeliveryRows({ deliveries, place }: DeliveryRowsProps) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <>
      <div className={parts.folds}>
        <table className={`${parts.table} ${parts.tight}`}>
          <caption className="hidden">{say("shop.deliveries")}</caption>
          <thead>
            <tr>
              <th scope="col">{say("shop.deliveries.when")}</th>
              <th scope="col">{say("shop.deliveries.topic")}</th>
              <th scope="col">{say("shop.deliveries.order")}</th>
              <th scope="col">{say("shop.deliveries.outcome")}</th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery) => (
              <tr key={delivery.deliveryId}>
                <td className="nowrap">{shortMoment(delivery.receivedAt, account.timeZone)}</td>
                <td className={styles.text}>{delivery.topic}</td>
                <td className={styles.text}>
                  <OrderLink delivery={delivery} place={place} />
                </td>
                <td>
                  <Outcome delivery={delivery} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={parts.list}>
        {deliveries.map((delivery) => (
          <li key={delivery.deliveryId}>
            <span className={parts.line}>
              <span>{delivery.topic}</span>
              <OrderLink delivery={delivery} place={place} />
            </span>
            <span className="muted small">{shortMoment(delivery.receivedAt, account.timeZone)}</span>
            <Outcome delivery={delivery} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface DeliveryProps {
  readonly delivery: Delivery;
}

function OrderLink({ delivery: { orderId }, place }: DeliveryProps & { readonly place: ConnectionPlace }) {
  if (orderId === null) return <span className="muted">—</span>;
  return <Link to={paths.order(place.account, place.connection, orderId)}>{orderId}</Link>;
}

const TONES: Readonly<Record<string, Tone>> = {
  accepted: "waiting",
  decided: "done",
  ignored: "none",
  unreadable: "decide",
};

/** What came of it since. */
const CAME: Readonly<Record<string, Tone>> = {
  ...({ reading: "waiting", waiting: "waiting", invoice: "done" } as const),
  ...({ held: "decide", failing: "decide", unreadable: "decide" } as const),
  ...({ nothing: "none", erased: "none", unknown: "none" } as const),
};

function Outcome({ delivery }: DeliveryProps) {
  const say = useWords();
  const { came, outcome } = delivery;
  const id = came === null ? `shop.delivery.${outcome}` : `shop.delivery.came.${came}`;
  const tone = came === null ? TONES[outcome] : CAME[came];
  const why = missingIn(delivery.why, say);
  return (
    <span>
      <StateMark tone={tone ?? "none"}>{isWord(id) ? say(id) : outcome}</StateMark>
      {why !== "" && <span className={parts.second}>{say("shop.delivery.why", { what: why })}</span>}
      {delivery.repeats > 0 && (
        <span className={parts.second}>{say("shop.deliveries.repeats", { n: delivery.repeats })}</span>
      )}
    </span>
  );
}

/** The facts for want of which a delivery is no order. */
function missingIn(why: unknown, say: Say): string {
  const missing: unknown = typeof why === "object" && why !== null ? Reflect.get(why, "missing") : undefined;
  if (!Array.isArray(missing)) return "";
  const names = missing.map((fact: unknown) => {
    const what: unknown = typeof fact === "object" && fact !== null ? Reflect.get(fact, "what") : fact;
    return typeof what === "string" ? factName(what, say) : "";
  });
  return [...new Set(names.filter(Boolean))].join(", ");
}
