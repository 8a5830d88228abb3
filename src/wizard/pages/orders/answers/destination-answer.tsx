import { Checkbox, Select } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerBody, Choices } from "../queries.ts";
import type { AnswerProps } from "../reason-answer.tsx";
import { RecipientAnswer } from "./recipient-answer.tsx";
import { ForAllBox } from "./treatment-answer.tsx";

type Sales = Extract<AnswerBody, { readonly answer: "declare_sales" }>["sales"];
type Destination = NonNullable<Choices["destination"]>;
type Course = "oss" | "domestic" | "intra_community" | "not_located" | "export";

const COURSES: Readonly<Record<Destination, readonly Course[]>> = {
  euConsumer: ["oss", "domestic"],
  euBusiness: ["intra_community", "not_located", "domestic"],
  outsideEu: ["export", "not_located", "domestic"],
  otherSpanish: ["export", "domestic"],
};

/** How this sale is invoiced, among what can be true of where it goes and who buys. */
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
  // A course of another destination, chosen before the buyer was entered, is none of this one.
  const isOtherRate = reason.code === "oss_rate_unknown";
  const courses = COURSES[destination].filter((one) => !(isOtherRate && one === "oss"));
  const course = said && courses.includes(said) ? said : undefined;
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

function salesOf(destination: Destination, chosen: string | null): Sales | undefined {
  switch (destination) {
    case "euConsumer":
      return sayOf(["oss", "domestic"], chosen, (eu_consumer) => ({ eu_consumer }));
    case "euBusiness":
      if (chosen === "domestic") return { foreign_sales: "domestic" };
      return sayOf(["intra_community", "not_located"], chosen, (eu_business) => ({ eu_business }));
    case "outsideEu":
      return sayOf(["export", "not_located", "domestic"], chosen, (outside_eu) => ({ outside_eu }));
    default:
      return sayOf(["export", "domestic"], chosen, (other_spanish) => ({ other_spanish }));
  }
}

function sayOf<Value extends Course>(
  values: readonly Value[],
  chosen: string | null,
  named: (value: Value) => NonNullable<Sales["destinations"]>,
): Sales | undefined {
  const value = values.find((one) => one === chosen);
  return value && { destinations: named(value) };
}

function courseIn({ destinations = {}, foreign_sales: shorthand }: Sales): Course | undefined {
  const { eu_consumer, eu_business, outside_eu, other_spanish } = destinations;
  return eu_consumer ?? eu_business ?? outside_eu ?? other_spanish ?? shorthand;
}

function refusalIn(refusals: AnswerProps["refusals"]): string | undefined {
  return Object.entries(refusals).find(([path]) => isOfDestination(path))?.[1];
}

export function isOfDestination(path: string): boolean {
  return path === "foreign_sales" || path.startsWith("destinations.");
}
