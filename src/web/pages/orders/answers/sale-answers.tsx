import { Checkbox, Select } from "@mantine/core";
import { percent } from "../../../words/format.ts";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerBody, ShownReason } from "../queries.ts";
import type { AnswerProps } from "../typed-answers.ts";
import { ForAll, ForAllBox } from "./for-all.tsx";

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
          inputWrapperOrder={["label", "input", "error", "description"]}
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

/** For a shop with different taxes in its lines and in its totals. */
export function LinesCountAnswer({ typed, change }: AnswerProps) {
  const say = useWords();
  return (
    <Checkbox
      {...(own.below ? { className: own.below } : {})}
      label={say("review.lines_count")}
      checked={typed?.answer?.answer === "release"}
      onChange={({ currentTarget: { checked } }) =>
        change({ answer: checked ? { answer: "release" } : undefined, isForAll: false })
      }
    />
  );
}
