import { useState } from "react";
import { Checkbox, Radio } from "../../../parts/choices.tsx";
import { TextInput } from "../../../parts/fields.tsx";
import { percent } from "../../../words/format.ts";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerBody, ShownReason } from "../queries.ts";
import type { AnswerProps } from "../typed-answers.ts";
import { decimalOf } from "./place-answers.tsx";

function eventOf({ reason, choices }: AnswerProps): string {
  return choices.events.find(({ about }) => about === reason.about)?.id ?? "";
}

export function RepeatedAnswer(props: AnswerProps) {
  const say = useWords();
  const same = say("review.repeated.same");
  const options: readonly Option[] = [
    {
      value: "other",
      label: say("review.repeated.other"),
      answer: { answer: "mark_distinct", event_id: eventOf(props) },
    },
    { value: "same", label: same, answer: dismissal(props.reason, same) },
  ];
  return <Options label={say("review.repeated")} options={options} props={props} />;
}

export function AnnulmentAnswer(props: AnswerProps) {
  const say = useWords();
  const keep = say("review.void.keep");
  const options: readonly Option[] = [
    {
      value: "none",
      label: say("review.void.none"),
      answer: { answer: "confirm_annulment", event_id: eventOf(props) },
    },
    { value: "sale", label: say("review.void.sale"), answer: { answer: "issue_cancellation" } },
    { value: "keep", label: keep, answer: dismissal(props.reason, keep) },
  ];
  return <Options label={say("review.void")} options={options} props={props} />;
}

/** The amount per rate of a refund without lines. */
export function SharesAnswer(props: AnswerProps) {
  const say = useWords();
  const { reason, choices, refusals, change } = props;
  const [amounts, setAmounts] = useState<Readonly<Record<string, string>>>({});
  const eventId = choices.events.find(({ about }) => about === reason.about)?.id ?? "";
  function enter(rate: string, text: string) {
    const next = { ...amounts, [rate]: text };
    setAmounts(next);
    const shares = Object.entries(next).flatMap(([of, typed]) => {
      const gross = decimalOf(typed);
      return gross === undefined || Number(gross) === 0 ? [] : [{ rate: of, gross }];
    });
    change({
      answer: shares.length === 0 ? undefined : { answer: "share_event", event_id: eventId, shares },
      isForAll: false,
    });
  }
  return (
    <>
      <div className={own.fields}>
        {[...new Set(choices.invoicedRates)].map((rate) => (
          <TextInput
            key={rate}
            label={say("review.share", { rate: percent(rate) })}
            inputMode="decimal"
            value={amounts[rate] ?? ""}
            error={isBad(amounts[rate]) ? say("form.amount") : refusals.shares !== undefined}
            onChange={({ currentTarget: { value } }) => enter(rate, value)}
          />
        ))}
      </div>
      <KeepAnswer {...props} />
    </>
  );
}

function isBad(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== "" && decimalOf(text) === undefined;
}

interface Option {
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
function Options({ label, options, props: { typed, change } }: OptionsProps) {
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
          <Radio.One key={value} value={value} label={text} />
        ))}
      </div>
    </Radio.Group>
  );
}

/** Dismisses the reason; the activity keeps the choice of the owner. */
function dismissal({ code, about }: ShownReason, why: string): AnswerBody {
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

/** Dismisses the event: nothing is corrected, and the reason does not return. */
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
