import { Checkbox, Select } from "@mantine/core";
import { percent } from "../../../words/format.ts";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import { type AnswerBody, type ShownReason, useAlike } from "../queries.ts";
import type { AnswerProps } from "../reason-answer.tsx";

const TREATMENTS = ["fee", "payment", "discount", "ignore_non_taxable"] as const;
type Treatment = Extract<AnswerBody, { readonly answer: "declare_treatment" }>["treatment"];

/** What an amount outside the lines is, here and wherever it comes again. */
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

/** Declared once: for those that wait for the same, and for those to come. */
export function ForAll({ reason, place, choices, typed, change, isForAll }: ForAllProps) {
  const say = useWords();
  const alike = useAlike(place, { code: reason.code, about: aboutOf(reason), profile: choices.profileId });
  const orders = alike.data?.orders ?? 0;
  const label = orders > 0 ? say("review.apply_all", { n: orders }) : say("review.apply_coming");
  return <ForAllBox typed={typed} change={change} isForAll={isForAll} label={label} />;
}

interface ForAllProps extends AnswerProps {
  readonly isForAll: boolean;
}

/** Of those that wait for the same, only some may be meant: then it says which, without a number. */
export function ForAllBox({
  typed,
  change,
  isForAll,
  label,
}: Pick<ForAllProps, "typed" | "change" | "isForAll"> & { readonly label: string }) {
  return (
    <Checkbox
      {...(own.below ? { className: own.below } : {})}
      checked={isForAll}
      onChange={({ currentTarget: { checked } }) =>
        change({ answer: typed?.answer, buyer: typed?.buyer, isForAll: checked })
      }
      label={label}
    />
  );
}

/** Amounts are told from each other by their codes; the rest is declared of all sales. */
function aboutOf({ code, about }: ShownReason): string {
  return code === "untreated_total" || code === "treatment_sign" ? about : "";
}

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
