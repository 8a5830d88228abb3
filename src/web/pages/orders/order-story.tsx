import { Link } from "react-router";
import { paths } from "../../app/paths.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/section.tsx";
import { shortMoment } from "../../words/format.ts";
import { type Say, useWords } from "../../words/words.tsx";
import own from "./order.module.css";
import type { Order } from "./queries.ts";
import { stateWord, wordOf } from "./shown.ts";

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
          {say("order.step.by", { deed: deedText(step, say), who: step.who || say("order.deed.service") })}
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
    "keep_oss_rate",
    "approve",
    "declare_discount",
    "rounding",
    "mark_distinct",
    "share_event",
  ],
  ...["confirm_annulment", "issue_cancellation", "issue", "ask_full_invoice", "dismiss", "decide_again"],
];

function deedText({ answer, why }: Step, say: Say): string {
  const word = wordOf("order.deed", answer, DEEDS);
  return word ? say(word, { why }) : say("order.deed.other");
}
