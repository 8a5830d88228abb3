import { TextInput } from "@mantine/core";
import { useState } from "react";
import { percent } from "../../../words/format.ts";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerProps } from "../typed-answers.ts";
import { dismissal, KeepAnswer, type Option, Options } from "./invoice-answers.tsx";
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
