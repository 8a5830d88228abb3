import { Checkbox, Radio } from "@mantine/core";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerBody, ShownReason } from "../queries.ts";
import type { AnswerProps } from "../typed-answers.ts";

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly answer: AnswerBody;
}

interface OptionsProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly props: AnswerProps;
}

/** A few courses, of which one is taken. */
export function Options({ label, options, props: { typed, change } }: OptionsProps) {
  const said = JSON.stringify(typed?.answer);
  const chosen = options.find(({ answer }) => JSON.stringify(answer) === said);
  return (
    <Radio.Group
      {...(own.below ? { className: own.below } : {})}
      label={label}
      value={chosen?.value ?? null}
      onChange={(value) =>
        change({ answer: options.find((option) => option.value === value)?.answer, isForAll: false })
      }
    >
      <div className={`stack ${own.below}`}>
        {options.map(({ value, label: text }) => (
          <Radio key={value} value={value} label={text} />
        ))}
      </div>
    </Radio.Group>
  );
}

/** The reason is settled by itself; what is kept in the activity is the choice that was made. */
export function dismissal({ code, about }: ShownReason, why: string): AnswerBody {
  return { answer: "dismiss", why, which: [{ code, about }] };
}

export function CancelledAnswer(props: AnswerProps) {
  const say = useWords();
  const keep = say("review.cancelled.keep");
  const options: readonly Option[] = [
    { value: "rectify", label: say("review.cancelled.rectify"), answer: { answer: "issue_cancellation" } },
    { value: "keep", label: keep, answer: dismissal(props.reason, keep) },
  ];
  return <Options label={say("review.cancelled.what")} options={options} props={props} />;
}

/** A sale that continues after its cancellation gets a new invoice. */
export function ReactivatedAnswer(props: AnswerProps) {
  const say = useWords();
  const keep = say("review.reactivated.keep");
  const options: readonly Option[] = [
    { value: "issue", label: say("review.reactivated.issue"), answer: { answer: "issue" } },
    { value: "keep", label: keep, answer: dismissal(props.reason, keep) },
  ];
  return <Options label={say("review.reactivated")} options={options} props={props} />;
}

/** Nothing is done about it, and it is not asked again. */
export function KeepAnswer({ reason, typed, change }: AnswerProps) {
  const say = useWords();
  const keep = say("review.keep");
  return (
    <Checkbox
      {...(own.below ? { className: own.below } : {})}
      label={keep}
      checked={typed?.answer?.answer === "dismiss"}
      onChange={({ currentTarget: { checked } }) =>
        change({ answer: checked ? dismissal(reason, keep) : undefined, isForAll: false })
      }
    />
  );
}
