import { Button } from "@mantine/core";
import { Link, useParams } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { ErrorCard } from "../../parts/error-card.tsx";
import { Loading } from "../../parts/loading.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import styles from "../../parts/parts.module.css";
import { useSave } from "../../parts/save.ts";
import { Section } from "../../parts/section.tsx";
import { orderTone, recordTone, StateMark } from "../../parts/state-mark.tsx";
import { date, longDate, money, time } from "../../words/format.ts";
import { useWords } from "../../words/words.tsx";
import own from "./order.module.css";
import { OrderFacts } from "./order-facts.tsx";
import { OrderStory } from "./order-story.tsx";
import { type AnswerBody, ORDERS, type Order, type OrderPlace, sendAnswers, useOrder } from "./queries.ts";
import { RawData } from "./raw-data.tsx";
import { invoiceTypeWord, nameOf, shopOf, stateWord } from "./shown.ts";

/** One order: its facts, the decision and its invoices. */
export function OrderPage() {
  const { connection = "", order: id = "" } = useParams();
  const place = { connection, order: id };
  const order = useOrder(place);
  if (order.isLoadingError) return <OrderFailed order={order} id={id} />;
  if (!order.data) return <Loading rows={6} />;
  return <WholeOrder order={order.data} place={place} />;
}

interface OrderFailedProps {
  readonly order: Pick<ReturnType<typeof useOrder>, "error" | "refetch">;
  readonly id: string;
}

function OrderFailed({ order, id }: OrderFailedProps) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <>
      <PageHead
        title={say("order.title", { order: id })}
        from={{ to: paths.orders(account.id), name: say("nav.orders") }}
      />
      <ErrorCard error={order.error} retry={() => void order.refetch()} />
    </>
  );
}

interface OrderProps {
  readonly order: Order;
  readonly place: OrderPlace;
}

function WholeOrder({ order, place }: OrderProps) {
  const say = useWords();
  const { account } = useCompany();
  const name = nameOf({ orderId: order.orderId, ...order.facts });
  const lead = say("order.lead", {
    connection: shopOf(order),
    date: longDate(order.orderedAt, account.timeZone),
    time: time(order.orderedAt, account.timeZone),
  });
  return (
    <>
      <PageHead
        title={say("order.title", { order: name })}
        lead={lead}
        from={{ to: paths.orders(account.id), name: say("nav.orders") }}
        place={name}
      >
        <Acts order={order} place={place} />
      </PageHead>
      <div className={own.columns}>
        <div className="stack">
          <Standing order={order} />
          <Documents order={order} />
          <Section title={say("review.facts")} flush>
            <OrderFacts order={order}>
              <RawData place={place} />
            </OrderFacts>
          </Section>
        </div>
        <OrderStory order={order} />
      </div>
    </>
  );
}

/** The actions for an order that needs no answer. */
function Acts({ order, place }: OrderProps) {
  const say = useWords();
  const { account, isReadOnly } = useCompany();
  const save = useSave({
    send: (answers: readonly AnswerBody[]) => sendAnswers(account.id, place, { answers: [...answers] }),
    refresh: [[account.id, ORDERS]],
  });
  if (order.state === "held") {
    return (
      <Button component={Link} to={paths.reviewOne(account.id, place.connection, place.order)}>
        {say("order.review")}
      </Button>
    );
  }
  if (isReadOnly) return null;
  const isTest = order.reasons.some(({ code }) => code === "test_order");
  const isElsewhere = order.reasons.some(({ code }) => code === "invoiced_elsewhere");
  if (order.state === "before_cutoff" || isTest || isElsewhere) {
    return (
      <Button loading={save.isPending} onClick={() => save.mutate([{ answer: "release" }])}>
        {say(isTest ? "order.release.test" : "order.release.elsewhere")}
      </Button>
    );
  }
  return null;
}

function isPlain({ reasons, warnings }: Order): boolean {
  return reasons.length + warnings.length === 0;
}

/** Why it is as it is; an order that was simply invoiced needs no words. */
function Standing({ order }: { readonly order: Order }) {
  const say = useWords();
  if (isPlain(order)) return null;
  return (
    <Section
      title={say("order.now")}
      aside={<StateMark tone={orderTone(order.state)}>{stateWord(order.state, say)}</StateMark>}
    >
      <div className="stack">
        {order.reasons.map((reason) => (
          <div key={`${reason.code} ${reason.about} ${reason.sentence}`} className="text-column">
            <p>{reason.title}</p>
            {reason.sentence && <p className="muted">{reason.sentence}</p>}
          </div>
        ))}
        {order.warnings.map(({ code, sentence }) => (
          <p key={`${code} ${sentence}`} className="small muted text-column">
            {sentence}
          </p>
        ))}
      </div>
    </Section>
  );
}

function Documents({ order }: { readonly order: Order }) {
  const say = useWords();
  const { account } = useCompany();
  if (order.documents.length === 0) {
    return (
      <Section title={say("order.documents")}>
        <p className="muted">{say("order.documents.none")}</p>
      </Section>
    );
  }
  return (
    <Section
      title={say("order.documents")}
      flush
      aside={
        isPlain(order) && <StateMark tone={orderTone(order.state)}>{stateWord(order.state, say)}</StateMark>
      }
    >
      <table className={`${styles.table} ${styles.tight}`}>
        <caption className="hidden">{say("order.documents")}</caption>
        <tbody>
          {order.documents.map((document) => (
            <tr key={document.id}>
              <td>
                <Link to={paths.invoice(account.id, document.id)}>{document.fullNumber}</Link>
                <span className={styles.second}>
                  {invoiceTypeWord(document.invoiceType, say)}, {date(document.issueDate)}
                </span>
              </td>
              <td>
                {document.test && <StateMark tone="none">{say("document.test")}</StateMark>}
                <DocumentState state={document.state} />
              </td>
              <td className="num">{money(document.total, document.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function DocumentState({ state }: { readonly state: Order["documents"][number]["state"] }) {
  const say = useWords();
  if (state === "cancelled") return <StateMark tone="cancelled">{say("document.cancelled")}</StateMark>;
  return <StateMark tone={recordTone(state)}>{say(`record.${state}`)}</StateMark>;
}
