import type { AnswerBody, Choices, Order, OrderPlace, Preview, ShownReason } from "./queries.ts";

/** The typed answer of a reason. */
export interface Typed {
  readonly answer: AnswerBody | undefined;
  /** The buyer, if entered with the treatment: this answer is sent first. */
  readonly buyer?: AnswerBody | undefined;
  /** Declared for all orders that wait for the same, and for those to come. */
  readonly isForAll: boolean;
}

/** The inputs of a form: its reason, the order, and the typed values. */
export interface AnswerProps {
  readonly reason: ShownReason;
  readonly order: Order;
  readonly place: OrderPlace;
  readonly choices: Choices;
  readonly typed: Typed | undefined;
  readonly refusals: Readonly<Record<string, string>>;
  readonly change: (typed: Typed) => void;
}

export type TypedByReason = Readonly<Record<string, Typed>>;

export function keyOfReason({ code, about }: Pick<ShownReason, "code" | "about">): string {
  return `${code} ${about}`;
}

interface KeyedAnswer {
  readonly key: string;
  readonly answer: AnswerBody;
  readonly isForAll: boolean;
}

const APPROVAL: KeyedAnswer = { key: "approve", answer: { answer: "approve" }, isForAll: false };

/** All answers in the order of the reasons; to issue is to approve. */
export function keyedAnswers(typed: TypedByReason, reasons: readonly ShownReason[]): readonly KeyedAnswer[] {
  const given = Object.entries(typed).flatMap(([key, { answer, buyer, isForAll }]): KeyedAnswer[] => [
    ...(buyer === undefined ? [] : [{ key, answer: buyer, isForAll: false }]),
    ...(answer === undefined ? [] : [{ key, answer, isForAll }]),
  ]);
  const isApproved = reasons.some(({ answers }) => answers.includes("approve"));
  return isApproved ? [...given, APPROVAL] : given;
}

/** The buyer decides the destination: a treatment chosen for another destination is dropped. */
export function withoutStrayCourses(
  typed: TypedByReason,
  destination: Destination | undefined,
): TypedByReason {
  const isStray = ({ answer }: Typed) => {
    const of = answer?.answer === "declare_sales" ? destinationIn(answer.sales) : undefined;
    return of !== undefined && of !== destination;
  };
  if (!Object.values(typed).some(isStray)) return typed;
  const kept = Object.entries(typed).map(([key, one]): [string, Typed] => [
    key,
    isStray(one) ? { ...one, answer: undefined, isForAll: false } : one,
  ]);
  return Object.fromEntries(kept);
}

/** Why answers do not fit, by the reason and by the place in its form. */
export function refusalsByReason(
  answers: readonly KeyedAnswer[],
  refusals: Preview["refusals"],
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const byReason: Record<string, Record<string, string>> = {};
  for (const { index, path, message } of refusals) {
    const key = answers[index]?.key;
    // Other open reasons are shown in the list.
    if (key !== undefined && key !== APPROVAL.key) byReason[key] = { ...byReason[key], [path]: message };
  }
  return byReason;
}

/** Answered reasons keep their place, even after they are settled. */
export function withAnswered(
  reasons: readonly ShownReason[],
  earlier: readonly ShownReason[],
  typed: TypedByReason,
): readonly ShownReason[] {
  const current = new Set(reasons.map(keyOfReason));
  const answered = earlier.filter((reason) => {
    const key = keyOfReason(reason);
    return !current.has(key) && (typed[key]?.answer ?? typed[key]?.buyer) !== undefined;
  });
  return [...reasons, ...answered.map((reason) => ({ ...reason, isSettled: true }))];
}

type Sales = Extract<AnswerBody, { readonly answer: "declare_sales" }>["sales"];
type Destination = NonNullable<Choices["destination"]>;
type Course = "oss" | "domestic" | "intra_community" | "not_located" | "export";

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
