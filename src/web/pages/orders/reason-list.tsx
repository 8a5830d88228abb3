import { Alert } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { AnswerKind } from "../../../domain/order/reasons.ts";
import { useCompany } from "../../app/session.tsx";
import { Section } from "../../parts/page-head.tsx";
import shared from "../../parts/preview.module.css";
import { useWords } from "../../words/words.tsx";
import { type AlsoOthers, AlsoOthersBox } from "./also-others.tsx";
import {
  AnnulmentAnswer,
  CancelledAnswer,
  KeepAnswer,
  ReactivatedAnswer,
  RepeatedAnswer,
  SharesAnswer,
} from "./answers/event-answers.tsx";
import { Together } from "./answers/for-all.tsx";
import { CountryAnswer, isOfDestination, OssRateAnswer, RateAnswer } from "./answers/place-answers.tsx";
import { RecipientAnswer } from "./answers/recipient-answer.tsx";
import {
  DiscountAnswer,
  hasSalesForm,
  LineRateAnswer,
  LinesCountAnswer,
  lineOf,
  ProfileAnswer,
  RoundingAnswer,
  ratesIn,
  SalesAnswer,
  TreatmentAnswer,
} from "./answers/sale-answers.tsx";
import own from "./order.module.css";
import type { Choices, Order, OrderPlace, ShownReason } from "./queries.ts";
import { type AnswerProps, keyOfReason, type Typed, type TypedByReason } from "./typed-answers.ts";

interface ReasonListProps {
  readonly order: Order;
  readonly place: OrderPlace;
  readonly reasons: readonly ShownReason[];
  readonly choices: Choices;
  readonly typed: TypedByReason;
  readonly refusals: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly change: (key: string, typed: Typed) => void;
  /** Other orders that ask the same as one of the reasons. */
  readonly others: AlsoOthers;
}

/** Por qué espera: every reason with its answer in place. */
export function ReasonList(props: ReasonListProps) {
  const say = useWords();
  const { reasons } = props;
  const left = reasons.filter(isOpen).length;
  return (
    <Section
      title={say("review.why")}
      aside={<span aria-live="polite">{say("review.left", { n: left, total: reasons.length })}</span>}
      flush
    >
      <ol className={own.why}>
        {keyed(reasons).map(({ reason, id }) => (
          <ReasonItem key={id} id={id} reason={reason} list={props} />
        ))}
      </ol>
    </Section>
  );
}

export function isOpen({ holds, isSettled }: ShownReason): boolean {
  return holds && !isSettled;
}

/** Several lines may have the same thing wrong with them. */
function keyed(reasons: readonly ShownReason[]) {
  const counts = new Map<string, number>();
  return reasons.map((reason) => {
    const key = keyOfReason(reason);
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return { reason, id: `reason-${key}-${before}` };
  });
}

interface ReasonItemProps {
  readonly id: string;
  readonly reason: ShownReason;
  readonly list: ReasonListProps;
}

function ReasonItem({ id, reason, list }: ReasonItemProps) {
  const say = useWords();
  const key = keyOfReason(reason);
  const refusals = list.refusals[key] ?? {};
  const whole = Object.entries(refusals).filter(([path]) => !isOfField(path));
  return (
    <li>
      {isOpen(reason) ? (
        <IconAlertTriangle size={20} aria-hidden className={shared.warn} />
      ) : (
        <IconCircleCheck size={20} aria-hidden className={own.ok} />
      )}
      <div>
        <h3 id={id} tabIndex={-1} data-open={isOpen(reason) || undefined}>
          {reason.title}
          <span className="hidden">: {say(isOpen(reason) ? "review.unsolved" : "review.solved")}</span>
        </h3>
        {reason.sentence && <p>{reason.sentence}</p>}
        <Together value={list.others.key === key}>
          <ReasonAnswer
            reason={reason}
            order={list.order}
            place={list.place}
            choices={list.choices}
            typed={list.typed[key]}
            refusals={refusals}
            change={(typed) => list.change(key, typed)}
          />
        </Together>
        {list.others.key === key && list.others.offered && <AlsoOthersBox offered={list.others.offered} />}
        {whole.map(([path, message]) => (
          <Alert key={path} color="red" variant="light" className={own.below ?? ""} role="alert">
            {message}
          </Alert>
        ))}
      </div>
    </li>
  );
}

/** Shown at its field; other problems are shown below the fields. */
function isOfField(path: string): boolean {
  const isNamed = path.startsWith("recipient.") || isOfDestination(path);
  return isNamed || ["country", "rate", "date", "from", "sales", "name", "treatment"].includes(path);
}

/** Moves the focus to the first open reason. */
export function goToFirstOpen(): void {
  const heading = document.querySelector<HTMLElement>("h3[data-open]");
  const field = heading?.closest("li")?.querySelector<HTMLElement>("input:not([type=hidden]), button");
  heading?.scrollIntoView({ block: "center" });
  (field ?? heading)?.focus({ preventScroll: true });
}

/** The forms for answering a reason, shown with it. */
export function ReasonAnswer(props: AnswerProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  if (isReadOnly) return null;
  const Form = formOf(props);
  if (Form) {
    const isAlsoReleased = Form !== LinesCountAnswer && isOfShopFacts(props.reason);
    return (
      <>
        <Form {...props} />
        {isAlsoReleased && <LinesCountAnswer {...props} />}
      </>
    );
  }
  const word = props.reason.answers.includes("approve") ? "review.approve.note" : "review.shop_only";
  return props.reason.holds ? <p className={own.below}>{say(word)}</p> : null;
}

interface AnswerForm {
  readonly Form: ComponentType<AnswerProps>;
  /** Whether it can answer this reason of this order; always if absent. */
  readonly fits?: (props: AnswerProps) => boolean;
}

/** One form for each kind of answer that is given next to its reason. */
const FORMS: Readonly<Partial<Record<AnswerKind, AnswerForm>>> = {
  assign_profile: { Form: ProfileAnswer },
  declare_treatment: { Form: TreatmentAnswer, fits: isOfUnmappedTotal },
  declare_sales: { Form: SalesAnswer, fits: ({ reason }) => hasSalesForm(reason) },
  declare_discount: { Form: DiscountAnswer, fits: ({ reason }) => reason.about !== "" },
  rounding: { Form: RoundingAnswer, fits: ({ reason }) => ratesIn(reason).length > 0 },
  release: { Form: LinesCountAnswer, fits: ({ reason }) => reason.holds },
  enter_country: { Form: CountryAnswer, fits: isEntered },
  enter_tax_rate: { Form: LineRateAnswer, fits: (props) => isEntered(props) && hasLine(props) },
  enter_exchange_rate: { Form: RateAnswer },
  keep_oss_rate: { Form: OssRateAnswer },
  enter_recipient: { Form: RecipientAnswer, fits: isEntered },
  mark_distinct: { Form: RepeatedAnswer },
  share_event: { Form: SharesAnswer, fits: hasNoLines },
  confirm_annulment: { Form: AnnulmentAnswer },
  issue_cancellation: { Form: CancelledAnswer },
  issue: { Form: ReactivatedAnswer },
  dismiss: { Form: KeepAnswer, fits: isKept },
};

/** The form of the first answer that fits the reason. */
function formOf(props: AnswerProps): ComponentType<AnswerProps> | undefined {
  const forms = props.reason.answers.flatMap((kind) => FORMS[kind] ?? []);
  return forms.find(({ fits }) => fits === undefined || fits(props))?.Form;
}

function isOfShopFacts({ code }: ShownReason): boolean {
  return code === "shop_facts_missing" || code === "shop_facts_contradict";
}

/** After the invoice no fact is entered: the payload counts as it was sent, or is corrected in the shop. */
function isEntered({ reason, order }: AnswerProps): boolean {
  return !isOfShopFacts(reason) || order.documents.length === 0;
}

function hasLine({ reason, order }: AnswerProps): boolean {
  return lineOf(reason, order) !== undefined;
}

/** Before its invoice an order is dismissed as a whole, but for an event that could be shared out. */
function isKept({ reason: { holds, answers }, order }: AnswerProps): boolean {
  return holds && (order.documents.length > 0 || answers.includes("share_event"));
}

/** A discount of the wrong sign is the shop's to correct. */
function isOfUnmappedTotal({ reason, order }: AnswerProps): boolean {
  return order.facts.unmappedTotals.some(({ code }) => code === reason.about);
}

/** Only an event without lines can be shared out. */
function hasNoLines({ reason, order, choices }: AnswerProps): boolean {
  const id = choices.events.find(({ about }) => about === reason.about)?.id;
  return order.facts.events.some((event) => event.id === id && event.lines.length === 0);
}
