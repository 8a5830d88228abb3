import type { ComponentType } from "react";
import type { AnswerKind } from "../../../domain/order/reasons.ts";
import { useCompany } from "../../app/session.tsx";
import { useWords } from "../../words/words.tsx";
import { hasSalesForm, SalesAnswer } from "./answers/declared-sales.tsx";
import { AnnulmentAnswer, RepeatedAnswer, SharesAnswer } from "./answers/event-answers.tsx";
import { CancelledAnswer, KeepAnswer, ReactivatedAnswer } from "./answers/invoice-answers.tsx";
import { CountryAnswer, OssRateAnswer, RateAnswer } from "./answers/place-answers.tsx";
import { RecipientAnswer } from "./answers/recipient-answer.tsx";
import {
  DiscountAnswer,
  LinesCountAnswer,
  ProfileAnswer,
  RoundingAnswer,
  ratesIn,
  TreatmentAnswer,
} from "./answers/sale-answers.tsx";
import own from "./order.module.css";
import type { AnswerProps } from "./typed-answers.ts";

/** The forms for answering a reason, shown with it. */
export function ReasonAnswer(props: AnswerProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  if (isReadOnly) return null;
  const Form = formOf(props);
  if (Form) return <Form {...props} />;
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
  enter_country: { Form: CountryAnswer },
  enter_exchange_rate: { Form: RateAnswer },
  keep_oss_rate: { Form: OssRateAnswer },
  enter_recipient: { Form: RecipientAnswer },
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
