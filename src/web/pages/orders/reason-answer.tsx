import { useCompany } from "../../app/session.tsx";
import { useWords } from "../../words/words.tsx";
import { DestinationAnswer } from "./answers/destination-answer.tsx";
import {
  AnnulmentAnswer,
  CancelledAnswer,
  KeepAnswer,
  ReactivatedAnswer,
  RepeatedAnswer,
} from "./answers/event-answers.tsx";
import { OssRateAnswer } from "./answers/oss-rate-answer.tsx";
import { CountryAnswer, RateAnswer } from "./answers/place-answers.tsx";
import { RecipientAnswer } from "./answers/recipient-answer.tsx";
import {
  CreditAnswer,
  DiscountAnswer,
  IncludedAnswer,
  VoucherAnswer,
  ZeroRateAnswer,
} from "./answers/sales-answers.tsx";
import { SharesAnswer } from "./answers/shares-answer.tsx";
import { LinesCountAnswer, RoundingAnswer, ratesIn } from "./answers/total-answers.tsx";
import { ProfileAnswer, TreatmentAnswer } from "./answers/treatment-answer.tsx";
import own from "./order.module.css";
import type { Choices, Order, OrderPlace, ShownReason } from "./queries.ts";
import type { Typed } from "./typed-answers.ts";

export interface AnswerProps {
  readonly reason: ShownReason;
  readonly order: Order;
  readonly place: OrderPlace;
  readonly choices: Choices;
  readonly typed: Typed | undefined;
  readonly refusals: Readonly<Record<string, string>>;
  readonly change: (typed: Typed) => void;
}

/** What the owner can answer to a reason, where it stands. */
export function ReasonAnswer(props: AnswerProps) {
  const say = useWords();
  const { isReadOnly } = useCompany();
  if (isReadOnly) return null;
  const Form = formOf(props);
  if (Form) return <Form {...props} />;
  const word = props.reason.answers.includes("approve") ? "review.approve.note" : "review.shop_only";
  return props.reason.holds ? <p className={own.below}>{say(word)}</p> : null;
}

function formOf({ reason, order, choices }: AnswerProps) {
  const isInvoiced = order.documents.length > 0;
  switch (reason.code) {
    case "profile_not_matched":
    case "profile_ambiguous":
      return ProfileAnswer;
    case "untreated_total":
    case "treatment_hold":
      return TreatmentAnswer;
    case "treatment_sign":
      return order.facts.unmappedTotals.some(({ code }) => code === reason.about)
        ? TreatmentAnswer
        : undefined;
    case "totals_mismatch":
      return ratesIn(reason).length > 0 ? RoundingAnswer : keepOf(isInvoiced);
    case "tax_totals_mismatch":
      return reason.answers.includes("release") ? LinesCountAnswer : keepOf(isInvoiced);
    case "discounts_probably_included":
      return IncludedAnswer;
    case "discount_kind_unknown":
    case "customer_credit_review":
      return DiscountAnswer;
    case "credit_covers_total":
      return CreditAnswer;
    case "voucher_kind_conflict":
      return VoucherAnswer;
    case "zero_rate_basis_missing":
      return ZeroRateAnswer;
    case "foreign_customer":
    case "territory_review":
    case "destination_conflict":
      return DestinationAnswer;
    case "oss_rate_unknown":
      return OssRateAnswer;
    case "country_unknown":
      return CountryAnswer;
    case "exchange_rate_unavailable":
    case "currency_not_quoted":
      return RateAnswer;
    case "tax_identifier_invalid":
    case "recipient_incomplete":
      return RecipientAnswer;
    case "refund_possibly_repeated":
      return RepeatedAnswer;
    case "refund_lines_needed":
      return SharesAnswer;
    case "over_refund":
    case "rate_not_invoiced":
      return hasNoLines(reason, order, choices) ? SharesAnswer : KeepAnswer;
    case "annulment_review":
      return AnnulmentAnswer;
    case "reactivated":
      return ReactivatedAnswer;
    case "status_cancelled":
      return CancelledAnswer;
    default:
      return reason.holds ? keepOf(isInvoiced) : undefined;
  }
}

/** Before its invoice an order is dismissed as a whole. */
function keepOf(isInvoiced: boolean) {
  return isInvoiced ? KeepAnswer : undefined;
}

/** Only an event without lines can be shared out. */
function hasNoLines({ about }: ShownReason, { facts }: Order, { events }: Choices): boolean {
  const id = events.find((event) => event.about === about)?.id;
  return facts.events.some((event) => event.id === id && event.lines.length === 0);
}
