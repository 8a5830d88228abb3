import { Checkbox, Select } from "@mantine/core";
import type { ComponentType } from "react";
import { membersSettling, type SalesMember } from "../../../../domain/order/reasons.ts";
import { useWords, type WordId } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerBody, ShownReason } from "../queries.ts";
import type { AnswerProps } from "../typed-answers.ts";
import { DestinationAnswer } from "./destination-answer.tsx";
import { ForAll } from "./for-all.tsx";

/** The form of the declaration that the reason asks for. */
export function SalesAnswer(props: AnswerProps) {
  const Form = formOf(props.reason);
  return Form ? <Form {...props} /> : null;
}

export function hasSalesForm(reason: ShownReason): boolean {
  return formOf(reason) !== undefined;
}

/** If the totals do not add up, the rounding is asked about, not the discounts. */
function formOf({ code }: ShownReason): ComponentType<AnswerProps> | undefined {
  if (code === "discounts_probably_included") return IncludedAnswer;
  const [member] = membersSettling(code);
  return member && FORMS[member];
}

const FORMS: Readonly<Partial<Record<SalesMember, ComponentType<AnswerProps>>>> = {
  zeroRateBasis: ZeroRateAnswer,
  voucherKind: VoucherAnswer,
  customerCredit: CreditAnswer,
  destinations: DestinationAnswer,
};

type Sales = Extract<AnswerBody, { readonly answer: "declare_sales" }>["sales"];

interface ChooseProps<Value extends string> {
  readonly props: AnswerProps;
  readonly label: string;
  readonly values: readonly Value[];
  readonly word: (value: Value) => WordId;
  readonly salesOf: (value: Value) => Sales;
  readonly saidOf: (sales: Sales) => Value | undefined;
}

/** A declaration about this sale, and optionally about all. */
function ChooseSales<Value extends string>({
  props,
  label,
  values,
  word,
  salesOf,
  saidOf,
}: ChooseProps<Value>) {
  const say = useWords();
  const { typed, change, refusals } = props;
  const answer = typed?.answer?.answer === "declare_sales" ? typed.answer : undefined;
  const isForAll = typed?.isForAll ?? false;
  return (
    <>
      <div className={own.fields}>
        <Select
          {...(own.wide ? { className: own.wide } : {})}
          label={label}
          placeholder={say("review.choose")}
          data={values.map((value) => ({ value: value as string, label: say(word(value)) }))}
          value={(answer && saidOf(answer.sales)) ?? null}
          error={refusals.sales}
          onChange={(chosen) => {
            const value = values.find((one) => one === chosen);
            if (value) change({ answer: { answer: "declare_sales", sales: salesOf(value) }, isForAll });
          }}
        />
      </div>
      {answer && <ForAll {...props} isForAll={isForAll} />}
    </>
  );
}

function ZeroRateAnswer(props: AnswerProps) {
  const say = useWords();
  return (
    <ChooseSales
      props={props}
      label={say("review.zero")}
      values={["E1", "E6", "N1", "S1"] as const}
      word={(value) => `review.zero.${value}`}
      salesOf={(value) => ({ zero_rate_basis: value })}
      saidOf={(sales) => sales.zero_rate_basis}
    />
  );
}

function VoucherAnswer(props: AnswerProps) {
  const say = useWords();
  return (
    <ChooseSales
      props={props}
      label={say("review.voucher")}
      values={["multi_purpose", "single_purpose"] as const}
      word={(value) => `review.voucher.${value}`}
      salesOf={(value) => ({ voucher_kind: value })}
      saidOf={(sales) => sales.voucher_kind}
    />
  );
}

function CreditAnswer(props: AnswerProps) {
  const say = useWords();
  return (
    <ChooseSales
      props={props}
      label={say("review.credit.what")}
      values={["payment", "discount"] as const}
      word={(value) => `review.discount.as_${value}`}
      salesOf={(value) => ({ customer_credit: value })}
      saidOf={(sales) => sales.customer_credit}
    />
  );
}

function IncludedAnswer(props: AnswerProps) {
  const say = useWords();
  const { typed, change } = props;
  const isChecked = typed?.answer?.answer === "declare_sales";
  return (
    <>
      <Checkbox
        {...(own.below ? { className: own.below } : {})}
        label={say("review.included")}
        checked={isChecked}
        onChange={({ currentTarget: { checked } }) =>
          change({
            answer: checked ? { answer: "declare_sales", sales: { discounts_included: true } } : undefined,
            isForAll: checked,
          })
        }
      />
      {isChecked && <ForAll {...props} isForAll={typed.isForAll} />}
    </>
  );
}
