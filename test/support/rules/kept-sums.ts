/** An order of two rates with refunds whose sums are known: to the cent, what remains is what was not given back. */
import {
  absolute,
  type Decimal,
  decimal,
  isAtMost,
  isZero,
  percentOf,
  subtract,
  sum,
  ZERO,
} from "../../../src/domain/shared/decimal.ts";
import { aSentLine, aSentRefund, type SentBody } from "../builders/sent-bodies.ts";
import { type Problem, unless } from "./book-rules.ts";
import {
  generationsOf,
  grossByRate,
  type OrderBooks,
  remainingGroups,
  type StoredOrderRow,
} from "./order-rules.ts";

export const SOLD: SentBody = { total: 176, breakdown: [aSentLine(100, 21, 21), aSentLine(50, 5, 10)] };
const SOLD_BY_RATE = { "21": decimal("121"), "10": decimal("55") };
const CENT = decimal("0.01");

/** The refund of each rate; the owner decides on the share of refunds without a rate. */
export const REFUNDS: Readonly<
  Record<string, { readonly body: SentBody; readonly at21: string; readonly at10: string }>
> = {
  a: { body: aSentRefund("a", 8.26, 1.74, 21), at21: "10", at10: "0" },
  b: { body: aSentRefund("b", 9.09, 0.91, 10), at21: "0", at10: "10" },
  c: { body: aSentRefund("c", 60, 12.6, 21), at21: "72.6", at10: "0" },
  d: {
    body: {
      id_external_event: "d",
      event_type: "return",
      lines: [
        { base_delta: -27.27, tax_rate: 10, tax_delta: -2.73 },
        { base_delta: -27.54, tax_rate: 21, tax_delta: -5.79 },
      ],
    },
    at21: "33.33",
    at10: "30",
  },
  e: { body: { id_external_event: "e", event_type: "refund", amount: -22.22 }, at21: "11.11", at10: "11.11" },
};

/** The owner's share of the refund without a rate. */
export const SHARED = {
  answer: "share_event",
  eventId: "e",
  shares: [
    { rate: decimal("21"), gross: decimal("11.11") },
    { rate: decimal("10"), gross: decimal("11.11") },
  ],
} as const;

/** The remainder of each rate is the sale less exactly the events that acted, to the cent. */
export function keptProblems(order: StoredOrderRow, books: OrderBooks): Problem[] {
  const { idExternal, state } = order;
  const generations = generationsOf(order, books);
  const { first } = generations.at(-1) ?? {};
  if (!first || state === "cancelled") return [];
  const acted = order.acted.filter(({ generation = 1 }) => generation === generations.length);
  const groups = remainingGroups(first, books);
  const left = grossByRate(groups);
  const ofEvents = acted.flatMap(({ id, taken, how }) => {
    const refund = REFUNDS[id];
    if (!refund || how === "annulled") return [];
    const grossAt = (rate: string) =>
      sum(taken.filter((part) => part.rate === decimal(rate)).map(({ gross }) => gross));
    const isAsSaid = grossAt("21") === decimal(refund.at21) && grossAt("10") === decimal(refund.at10);
    // An amount without rates takes from the only rate that is left, where the console emptied the other one.
    const whole = sum([decimal(refund.at21), decimal(refund.at10)]);
    const isOnly = (rate: string, emptied: string) =>
      refund.body.lines === undefined &&
      grossAt(rate) === whole &&
      isZero(grossAt(emptied)) &&
      isZero(left.get(decimal(emptied)) ?? ZERO);
    const isExact = isAsSaid || isOnly("21", "10") || isOnly("10", "21");
    return unless(isExact, "contradiction", `${idExternal}: ${id} took another amount`);
  });
  const ofRates = Object.entries(SOLD_BY_RATE).flatMap(([rate, sold]) => {
    const gone = acted.flatMap(({ taken }) => taken.filter((part) => part.rate === decimal(rate)));
    const kept = subtract(sold, sum(gone.map(({ gross }) => gross)));
    const ofRate = groups.filter((group) => group.rate === decimal(rate)).map(({ amounts }) => amounts);
    const base = sum(ofRate.map((amounts) => amounts.base));
    const tax = sum(ofRate.map((amounts) => amounts.tax));
    const off: Decimal = absolute(subtract(tax, percentOf(base, decimal(rate), 2)));
    return [
      ...unless(
        (left.get(decimal(rate)) ?? ZERO) === kept,
        "contradiction",
        `${idExternal}: ${left.get(decimal(rate))} remain at ${rate} % instead of ${kept}`,
      ),
      ...unless(
        isAtMost(off, CENT),
        "contradiction",
        `${idExternal}: ${base} and ${tax} remain at ${rate} %`,
      ),
    ];
  });
  const isEmpty = [...left.values()].every(isZero);
  return [
    ...ofEvents,
    ...ofRates,
    ...unless(state !== "rectified" || isEmpty, "contradiction", `${idExternal} is rectified in part`),
  ];
}
