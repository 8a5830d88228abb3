import { Checkbox, Select } from "@mantine/core";
import { percent } from "../../../words/format.ts";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { ShownReason } from "../queries.ts";
import type { AnswerProps } from "../reason-answer.tsx";
import { ForAllBox } from "./treatment-answer.tsx";

/** Which rate takes the cents that rounding has left over. */
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

/** Of a shop that says one tax in its lines and another in its totals. */
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
