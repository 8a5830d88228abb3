import { Select } from "@mantine/core";
import { useWords } from "../../../words/words.tsx";
import own from "../order.module.css";
import type { AnswerBody, Choices } from "../queries.ts";
import type { AnswerProps } from "../reason-answer.tsx";
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
export function DestinationAnswer({ choices, typed, refusals, change }: AnswerProps) {
  const say = useWords();
  const { destination } = choices;
  if (destination === undefined) return null;
  const answer = typed?.answer?.answer === "declare_sales" ? typed.answer : undefined;
  const isForAll = typed?.isForAll ?? false;
  const course = answer && courseIn(answer.sales);
  // Sales to businesses as domestic ones are true of one order, never of all.
  const isOfOne = destination === "euBusiness" && course === "domestic";
  return (
    <>
      <div className={own.fields}>
        <Select
          {...(own.wide ? { className: own.wide } : {})}
          label={say("review.foreign")}
          description={say(`review.destination.${destination}`)}
          placeholder={say("review.choose")}
          data={COURSES[destination].map((value) => ({
            value: value as string,
            label: say(`review.foreign.${value}`),
          }))}
          value={course ?? null}
          error={refusalIn(refusals)}
          onChange={(chosen) => {
            const sales = salesOf(destination, chosen);
            const isOfAll = isForAll && !(destination === "euBusiness" && chosen === "domestic");
            if (sales) change({ answer: { answer: "declare_sales", sales }, isForAll: isOfAll });
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
