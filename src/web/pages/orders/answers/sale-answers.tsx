import { type ComponentType, useState } from "react";
import { membersSettling, type SalesMember } from "../../../../domain/order/reasons.ts";
import { Checkbox } from "../../../parts/choices.tsx";
import { Select, TextInput } from "../../../parts/fields.tsx";
import { percent } from "../../../words/format.ts";
import { useWords, type WordId } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerBody, ShownReason } from "../queries.ts";
import type { AnswerProps } from "../typed-answers.ts";
import { ForAll, ForAllBox } from "./for-all.tsx";
import { DestinationAnswer, decimalOf } from "./place-answers.tsx";

export function ProfileAnswer({ choices, typed, change }: AnswerProps) {
  const say = useWords();
  const answer = typed?.answer?.answer === "assign_profile" ? typed.answer : undefined;
  return (
    <div className={own.fields}>
      <Select
        {...(own.wide ? { className: own.wide } : {})}
        label={say("review.assign.field")}
        placeholder={say("review.choose")}
        data={choices.profiles.map(({ id, name }) => ({ value: id, label: name }))}
        value={answer?.profile_id ?? null}
        onChange={(id) =>
          change({
            answer: id === null ? undefined : { answer: "assign_profile", profile_id: id },
            isForAll: false,
          })
        }
      />
    </div>
  );
}

const TREATMENTS = ["fee", "payment", "discount", "ignore_non_taxable"] as const;
type Treatment = Extract<AnswerBody, { readonly answer: "declare_treatment" }>["treatment"];

/** The treatment of an amount outside the lines, in this order and in later ones. */
export function TreatmentAnswer(props: AnswerProps) {
  const say = useWords();
  const { reason, choices, typed, refusals, change } = props;
  const answer = typed?.answer?.answer === "declare_treatment" ? typed.answer : undefined;
  const [highest = "21"] = choices.rates.toSorted((a, b) => Number(b) - Number(a));
  const isForAll = typed?.isForAll ?? reason.code === "untreated_total";
  const choose = (treatment: Treatment) =>
    change({ answer: { answer: "declare_treatment", code: reason.about, treatment }, isForAll });
  return (
    <>
      <div className={own.fields}>
        <Select
          {...(own.wide ? { className: own.wide } : {})}
          label={say("review.treatment.what")}
          placeholder={say("review.choose")}
          data={TREATMENTS.map((value) => ({ value, label: say(`review.treatment.${value}`) }))}
          value={answer?.treatment.as ?? null}
          error={refusals.treatment}
          onChange={(value) => {
            const as = TREATMENTS.find((one) => one === value);
            if (as) choose(as === "fee" ? { as, rate: highest } : { as });
          }}
        />
        {answer?.treatment.as === "fee" && (
          <Select
            {...(own.narrow ? { className: own.narrow } : {})}
            label={say("review.treatment.tax")}
            data={choices.rates.map((rate) => ({ value: rate, label: percent(rate) }))}
            value={answer.treatment.rate}
            allowDeselect={false}
            onChange={(rate) => rate !== null && choose({ as: "fee", rate })}
          />
        )}
      </div>
      {answer && reason.code !== "treatment_hold" && <ForAll {...props} isForAll={isForAll} />}
    </>
  );
}

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

/** The rate that takes the rounding difference. */
export function RoundingAnswer({ reason, typed, refusals, change }: AnswerProps) {
  const say = useWords();
  const answer = typed?.answer?.answer === "rounding" ? typed.answer : undefined;
  const isForAll = typed?.isForAll ?? false;
  return (
    <>
      <div className={own.fields}>
        <Select
          {...(own.wide ? { className: own.wide } : {})}
          label={say("review.rounding")}
          description={say("review.rounding.hint")}
          placeholder={say("review.choose")}
          data={ratesIn(reason).map((rate) => ({ value: rate, label: percent(rate) }))}
          value={answer?.rate ?? null}
          error={refusals.rate}
          onChange={(rate) => {
            if (rate !== null) change({ answer: { answer: "rounding", rate }, isForAll });
          }}
        />
      </div>
      {answer && (
        <ForAllBox typed={typed} change={change} isForAll={isForAll} label={say("review.rounding.all")} />
      )}
    </>
  );
}

/** Empty where the difference is more than rounding makes. */
export function ratesIn(reason: ShownReason): readonly string[] {
  return "rates" in reason ? (reason.rates ?? []) : [];
}

/** For a shop that lacks something, or says one thing in its lines and another elsewhere. */
export function LinesCountAnswer({ reason, typed, change }: AnswerProps) {
  const say = useWords();
  const word = reason.code === "tax_totals_mismatch" ? "review.lines_count" : "review.as_sent";
  return (
    <Checkbox
      {...(own.below ? { className: own.below } : {})}
      label={say(word)}
      checked={typed?.answer?.answer === "release"}
      onChange={({ currentTarget: { checked } }) =>
        change({
          answer: checked ? { answer: "release", about: reason.about } : undefined,
          isForAll: false,
        })
      }
    />
  );
}

/** The tax rate of a line that the shop does not state. */
export function LineRateAnswer({ reason, order, refusals, change }: AnswerProps) {
  const say = useWords();
  const [typedRate, setRate] = useState("");
  const line = lineOf(reason, order);
  const isBad = typedRate !== "" && decimalOf(typedRate) === undefined;
  return (
    <div className={own.fields}>
      <TextInput
        {...(own.wide ? { className: own.wide } : {})}
        label={say("review.line_rate", { line: line?.name ?? reason.about })}
        inputMode="decimal"
        value={typedRate}
        error={isBad ? say("form.amount") : refusals.rate}
        onChange={({ currentTarget: { value } }) => {
          setRate(value);
          const rate = decimalOf(value);
          const answer = { answer: "enter_tax_rate", about: reason.about } as const;
          change({ answer: rate === undefined ? undefined : { ...answer, rate }, isForAll: false });
        }}
      />
    </div>
  );
}

/** The line that the reason is about, if the shop named one. */
export function lineOf(reason: ShownReason, { facts }: AnswerProps["order"]) {
  const where = "where" in reason ? reason.where : undefined;
  return facts.breakdown.find(({ lineId }) => lineId !== undefined && lineId === where);
}

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
