import { DateField } from "../../../parts/date-field.tsx";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerProps } from "../reason-answer.tsx";
import { DestinationAnswer } from "./destination-answer.tsx";

/** A rate of another country that the table does not have: kept from a day on, or sold another way. */
export function OssRateAnswer(props: AnswerProps) {
  const say = useWords();
  const { choices, typed, refusals, change } = props;
  const answer = typed?.answer?.answer === "keep_oss_rate" ? typed.answer : undefined;
  return (
    <>
      <div className={own.fields}>
        <DateField
          label={say("review.oss_rate.from")}
          description={say("review.oss_rate.hint")}
          value={answer?.from ?? ""}
          max={choices.today}
          error={refusals.from}
          onChange={(from) =>
            change({
              answer: from === "" ? undefined : { answer: "keep_oss_rate", from },
              isForAll: false,
            })
          }
        />
      </div>
      <DestinationAnswer {...props} />
    </>
  );
}
