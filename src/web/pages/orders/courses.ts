import type { AnswerBody, Choices } from "./queries.ts";

export type Sales = Extract<AnswerBody, { readonly answer: "declare_sales" }>["sales"];
export type Destination = NonNullable<Choices["destination"]>;
export type Course = "oss" | "domestic" | "intra_community" | "not_located" | "export";

/** The possible treatments by destination and buyer. */
export const COURSES: Readonly<Record<Destination, readonly Course[]>> = {
  euConsumer: ["oss", "domestic"],
  euBusiness: ["intra_community", "not_located", "domestic"],
  outsideEu: ["export", "not_located", "domestic"],
  otherSpanish: ["export", "domestic"],
};

export function salesOf(destination: Destination, chosen: string | null): Sales | undefined {
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

export function courseIn({ destinations = {}, foreign_sales: shorthand }: Sales): Course | undefined {
  const { eu_consumer, eu_business, outside_eu, other_spanish } = destinations;
  return eu_consumer ?? eu_business ?? outside_eu ?? other_spanish ?? shorthand;
}

/** The destination that the declaration is about; undefined if it names none. */
export function destinationIn({ destinations = {}, foreign_sales }: Sales): Destination | undefined {
  if (destinations.eu_consumer) return "euConsumer";
  if (destinations.outside_eu) return "outsideEu";
  if (destinations.other_spanish) return "otherSpanish";
  return destinations.eu_business || foreign_sales ? "euBusiness" : undefined;
}
