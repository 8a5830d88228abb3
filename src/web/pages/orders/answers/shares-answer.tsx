import { TextInput } from "@mantine/core";
import { useState } from "react";
import { percent } from "../../../words/format.ts";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerProps } from "../reason-answer.tsx";
import { KeepAnswer } from "./event-answers.tsx";
import { decimalOf } from "./place-answers.tsx";

/** How much of a refund without lines goes to each rate of its invoice. */
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
