import { Checkbox, Select } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../words/words.tsx";
import { COURSES, courseIn, destinationIn, salesOf } from "../courses.ts";
import own from "../order.module.css";
import type { AnswerBody } from "../queries.ts";
import type { AnswerProps } from "../typed-answers.ts";
import { ForAllBox } from "./for-all.tsx";
import { RecipientAnswer } from "./recipient-answer.tsx";

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
