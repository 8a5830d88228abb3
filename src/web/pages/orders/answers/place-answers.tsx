import { TextInput } from "@mantine/core";
import { useState } from "react";
import { DateField } from "../../../parts/date-field.tsx";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerProps } from "../typed-answers.ts";
import { CountrySelect } from "./country-select.tsx";
import { DestinationAnswer } from "./destination-answer.tsx";

export function CountryAnswer({ typed, refusals, change }: AnswerProps) {
  const say = useWords();
  const answer = typed?.answer?.answer === "enter_country" ? typed.answer : undefined;
  return (
    <div className={own.fields}>
      <CountrySelect
        label={say("review.country")}
        value={answer?.country ?? ""}
        error={refusals.country}
        onChange={(country) =>
          change({
            answer: country === "" ? undefined : { answer: "enter_country", country },
            isForAll: false,
          })
        }
      />
    </div>
  );
}

/** Amounts are written as people write them: a comma or a point before the decimals. */
export function decimalOf(text: string): string | undefined {
  const plain = text.trim().replaceAll(/\s/g, "");
  const point = plain.includes(",") ? plain.replaceAll(".", "").replace(",", ".") : plain;
  return /^\d{1,12}(\.\d{1,6})?$/.test(point) ? point : undefined;
}

export function RateAnswer({ reason, order, choices, refusals, change }: AnswerProps) {
  const say = useWords();
  const [rate, setRate] = useState("");
  const [date, setDate] = useState(order.orderDay as string);
  const chooseFrom = "chooseFrom" in reason ? (reason.chooseFrom ?? "") : "";
  if (chooseFrom > choices.today) {
    // The sentence names the first day of a choice; until then the rate may still arrive.
    return null;
  }
  function enter(typedRate: string, typedDate: string) {
    const exact = decimalOf(typedRate);
    const isWhole = exact !== undefined && typedDate !== "";
    change({
      answer: isWhole ? { answer: "enter_exchange_rate", rate: exact, date: typedDate } : undefined,
      isForAll: false,
    });
  }
  const isBad = rate !== "" && decimalOf(rate) === undefined;
  return (
    <div className={own.fields}>
      <TextInput
        label={say("review.rate", { currency: order.facts.currency })}
        inputMode="decimal"
        value={rate}
        error={isBad ? say("form.amount") : refusals.rate}
        onChange={({ currentTarget: { value } }) => {
          setRate(value);
          enter(value, date);
        }}
      />
      <DateField
        label={say("review.rate.date")}
        value={date}
        max={choices.today}
        error={refusals.date}
        onChange={(day) => {
          setDate(day);
          enter(rate, day);
        }}
      />
    </div>
  );
}

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
