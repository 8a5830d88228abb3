import { Button } from "@mantine/core";
import { Link, useParams } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { OssDoubts } from "../../parts/oss.tsx";
import { PageHead, Section } from "../../parts/page-head.tsx";
import styles from "../../parts/parts.module.css";
import { useSave } from "../../parts/save.ts";
import { orderTone, recordTone, StateMark } from "../../parts/state-mark.tsx";
import { ErrorCard, Loading } from "../../parts/states.tsx";
import { date, longDate, money, shortMoment, time } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import { ShopDocumentCard } from "../shop/order-document.tsx";
import own from "./order.module.css";
import { OrderActs } from "./order-acts.tsx";
import { OrderFacts, RawData } from "./order-facts.tsx";
import { type AnswerBody, ORDERS, type Order, type OrderPlace, sendAnswers, useOrder } from "./queries.ts";
import { invoiceTypeWord, nameOf, shopOf, stateWord, wordOf } from "./shown.ts";

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
          <CurrentState order={order} />
          <Documents order={order} />
          <Section title={say("review.facts")} flush>
            <OrderFacts order={order}>
              <RawData place={place} />
            </OrderFacts>
          </Section>
          <ShopDocumentCard place={place} currency={order.facts.currency} />
        </div>
        <OrderStory order={order} />
      </div>
    </>
  );
}

/** The actions on an order. */
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
  return <OrderActs order={order} />;
}

function isPlain({ reasons, warnings }: Order): boolean {
  return reasons.length + warnings.length === 0;
}

/** Why it is as it is; an order that was simply invoiced needs no words. */
function CurrentState({ order }: { readonly order: Order }) {
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
                  {invoiceTypeWord(document.invoiceType, say, document.unnamed)}, {date(document.issueDate)}
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
      <OssDoubts doubts={order.ossDoubts} />
    </Section>
  );
}

function DocumentState({ state }: { readonly state: Order["documents"][number]["state"] }) {
  const say = useWords();
  if (state === "cancelled") return <StateMark tone="cancelled">{say("document.cancelled")}</StateMark>;
  return <StateMark tone={recordTone(state)}>{say(`record.${state}`)}</StateMark>;
}

type Step = Order["story"][number];

/** Newest first: payloads, decisions, owners' answers. */
export function OrderStory({ order }: { readonly order: Order }) {
  const say = useWords();
  const { account } = useCompany();
  return (
    <Section title={say("order.story")}>
      <ol className={own.story}>
        {order.story.map((step) => (
          <li key={`${step.at} ${step.step} ${step.answer} ${step.fullNumber}`}>
            <time dateTime={step.at}>{shortMoment(step.at, account.timeZone)}</time>
            <StepText step={step} order={order} />
          </li>
        ))}
      </ol>
      {order.hasMoreDeeds && <p className="small muted">{say("order.story.more")}</p>}
    </Section>
  );
}

function StepText({ step, order }: { readonly step: Step; readonly order: Order }) {
  const say = useWords();
  const { account } = useCompany();
  switch (step.step) {
    case "received":
      return <span>{say("order.step.received")}</span>;
    case "issued":
    case "annulled":
      return (
        <Link to={paths.invoice(account.id, step.invoiceId)}>
          {say(step.step === "issued" ? "order.step.issued" : "order.step.annulled", {
            number: step.fullNumber,
          })}
        </Link>
      );
    case "deed":
      return (
        <span>
          {say("order.step.by", { deed: changeText(step, say), who: step.who || say("order.deed.service") })}
        </span>
      );
    default:
      return <span>{say("order.step.decided", { state: stateWord(order.state, say) })}</span>;
  }
}

const DEEDS = [
  ...["release", "assign_profile", "declare_treatment", "declare_sales", "enter_recipient", "enter_country"],
  ...[
    "enter_exchange_rate",
    "enter_tax_rate",
    "keep_oss_rate",
    "approve",
    "declare_discount",
    "rounding",
    "mark_distinct",
    "share_event",
  ],
  ...["confirm_annulment", "issue_cancellation", "issue", "ask_full_invoice", "dismiss", "decide_again"],
];

function changeText({ answer, why }: Step, say: Say): string {
  const word = wordOf("order.deed", answer, DEEDS);
  return word ? say(word, { why }) : say("order.deed.other");
}
