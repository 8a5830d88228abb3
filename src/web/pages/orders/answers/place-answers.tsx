import { useState } from "react";
import { currentLanguage } from "../../../app/language.ts";
import { Checkbox } from "../../../parts/choices.tsx";
import { CountrySelect } from "../../../parts/country-select.tsx";
import { DateField } from "../../../parts/date-field.tsx";
import { Select, TextInput } from "../../../parts/fields.tsx";
import { useWords } from "../../../words/words.tsx";
import { typedAmount } from "../../invoices/typed-amount.ts";
import own from "../order.module.css";
import type { AnswerBody } from "../queries.ts";
import { type AnswerProps, COURSES, courseIn, destinationIn, salesOf } from "../typed-answers.ts";
import { ForAllBox } from "./for-all.tsx";
import { RecipientAnswer } from "./recipient-answer.tsx";

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

/** Amounts are written as people write them: `1.234` groups its thousands, `1234.5` has a decimal. */
export function decimalOf(text: string): string | undefined {
  const point = typedAmount(text, currentLanguage());
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

/** The treatments possible for this sale's destination and buyer. */
export function DestinationAnswer(props: AnswerProps) {
  const isOfBuyer = props.reason.answers.includes("enter_recipient");
  return (
    <>
      <CourseAnswer {...props} />
      {isOfBuyer && <BuyerAnswer {...props} />}
    </>
  );
}

/** A VAT number makes a sale to a consumer one to a business, and without it the other way round. */
function BuyerAnswer(props: AnswerProps) {
  const say = useWords();
  const { choices, typed, change } = props;
  const [isAsked, setAsked] = useState(typed?.buyer !== undefined);
  const [hadNumber] = useState(choices.client.vatNumber !== undefined);
  const set = (buyer: AnswerBody | undefined) =>
    change({ answer: typed?.answer, isForAll: typed?.isForAll ?? false, buyer });
  return (
    <>
      <Checkbox
        {...(own.below ? { className: own.below } : {})}
        label={say(hadNumber ? "review.buyer.wrong" : "review.buyer.business")}
        checked={isAsked}
        onChange={({ currentTarget: { checked } }) => {
          setAsked(checked);
          if (!checked) set(undefined);
        }}
      />
      {isAsked && <RecipientAnswer {...props} change={({ answer }) => set(answer)} />}
    </>
  );
}

function CourseAnswer({ reason, choices, typed, refusals, change }: AnswerProps) {
  const say = useWords();
  const { destination } = choices;
  if (destination === undefined) return null;
  const buyer = typed?.buyer;
  const answer = typed?.answer?.answer === "declare_sales" ? typed.answer : undefined;
  const isForAll = typed?.isForAll ?? false;
  const said = answer && courseIn(answer.sales);
  const isOtherRate = reason.code === "oss_rate_unknown";
  const courses = COURSES[destination].filter((one) => !(isOtherRate && one === "oss"));
  // A choice made before the buyer was entered is withdrawn when the preview shows another destination.
  const course = said && destinationIn(answer.sales) === destination ? said : undefined;
  // Sales to businesses as domestic ones are true of one order, never of all.
  const isOfOne = destination === "euBusiness" && course === "domestic";
  return (
    <>
      <div className={own.fields}>
        <Select
          {...(own.wide ? { className: own.wide } : {})}
          label={say(isOtherRate ? "review.oss_rate.other" : "review.foreign")}
          description={say(`review.destination.${destination}`)}
          placeholder={say("review.choose")}
          data={courses.map((value) => ({
            value: value as string,
            label: say(`review.foreign.${value}`),
          }))}
          value={course ?? null}
          error={refusalIn(refusals)}
          onChange={(chosen) => {
            const sales = salesOf(destination, chosen);
            const isOfAll = isForAll && !(destination === "euBusiness" && chosen === "domestic");
            if (sales) change({ answer: { answer: "declare_sales", sales }, isForAll: isOfAll, buyer });
          }}
        />
      </div>
      {course && <p className={own.below}>{say(`review.foreign.${course}.hint`)}</p>}
      {course && !isOfOne && (
        <ForAllBox typed={typed} change={change} isForAll={isForAll} label={say("review.destination.all")} />
      )}
    </>
  );
}

function refusalIn(refusals: AnswerProps["refusals"]): string | undefined {
  return Object.entries(refusals).find(([path]) => isOfDestination(path))?.[1];
}

export function isOfDestination(path: string): boolean {
  return path === "foreign_sales" || path.startsWith("destinations.");
}
