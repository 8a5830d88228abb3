import { Checkbox, Select } from "@mantine/core";
import { useWords, type WordId } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerBody } from "../queries.ts";
import type { AnswerProps } from "../reason-answer.tsx";
import { ForAll } from "./treatment-answer.tsx";

type Sales = Extract<AnswerBody, { readonly answer: "declare_sales" }>["sales"];

interface ChooseProps<Value extends string> {
  readonly props: AnswerProps;
  readonly label: string;
  readonly values: readonly Value[];
  readonly word: (value: Value) => WordId;
  readonly salesOf: (value: Value) => Sales;
  readonly saidOf: (sales: Sales) => Value | undefined;
}

/** One thing that is true of this sale, and perhaps of all. */
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

export function ZeroRateAnswer(props: AnswerProps) {
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

export function VoucherAnswer(props: AnswerProps) {
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

export function CreditAnswer(props: AnswerProps) {
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

/** One discount by its name. */
export function DiscountAnswer({ reason, typed, change, refusals }: AnswerProps) {
  const say = useWords();
  const answer = typed?.answer?.answer === "declare_discount" ? typed.answer : undefined;
  const values = ["discount", "payment"] as const;
  return (
    <div className={own.fields}>
      <Select
        {...(own.wide ? { className: own.wide } : {})}
        label={say("review.discount.what", { name: reason.about })}
        placeholder={say("review.choose")}
        data={values.map((value) => ({ value, label: say(`review.discount.as_${value}`) }))}
        value={answer?.as ?? null}
        error={refusals.name}
        onChange={(chosen) => {
          const as = values.find((one) => one === chosen);
          if (as) change({ answer: { answer: "declare_discount", name: reason.about, as }, isForAll: false });
        }}
      />
    </div>
  );
}

export function IncludedAnswer(props: AnswerProps) {
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
