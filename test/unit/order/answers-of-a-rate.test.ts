/** A rate of the one-stop shop is asked about by what the other answers of the moment make of the sale. */
import { expect, test } from "vitest";
import { answerFacts, type OrderAnswer, withAnswers } from "../../../src/domain/order/answers/table.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { asItStands, placed } from "../../support/builders/answers.ts";
import { A_PERSON, anOrder, linesOf } from "../../support/builders/orders.ts";

const BY_OSS: OrderAnswer = { answer: "declare_sales", sales: { destinations: { euConsumer: "oss" } } };
const AS_HOME: OrderAnswer = { answer: "declare_sales", sales: { destinations: { euConsumer: "domestic" } } };
const kept = (from: string): OrderAnswer => ({ answer: "keep_oss_rate", from: civilDate(from) });

/** Sold to Germany at a rate that Germany does not have, of 27 November; nothing is declared. */
function answered(...given: readonly OrderAnswer[]) {
  const client = { ...A_PERSON, country: "DE", postcode: "10115" };
  const order = anOrder({ client, breakdown: linesOf("100+18@18"), operationDate: civilDate("2026-11-27") });
  return withAnswers(given, asItStands(placed(order)));
}

test.each<[string, readonly OrderAnswer[], readonly string[]]>([
  ["with the one-stop shop before it, the rate is kept", [BY_OSS, kept("2026-07-01")], []],
  ["kept from after the sale, it is refused", [BY_OSS, kept("2026-11-28")], ["oss_rate_from_too_late"]],
  [
    "before the one-stop shop nothing asks about a rate",
    [kept("2026-07-01"), BY_OSS],
    ["oss_rate_not_asked"],
  ],
  ["of a domestic sale nothing asks about it either", [AS_HOME, kept("2026-07-01")], ["oss_rate_not_asked"]],
])("%s", (_, given, expected) => {
  const { refusals } = answered(...given);
  expect(refusals.map(({ refusal }) => refusal.code)).toEqual(expect.arrayContaining([...expected]));
  expect(refusals.filter(({ index }) => given[index]?.answer === "keep_oss_rate")).toHaveLength(
    expected.length,
  );
});

test("the audit line says which rate of which place is kept", () => {
  const { answers } = answered(BY_OSS, kept("2026-07-01"));
  const facts = { answer: "keep_oss_rate", from: "2026-07-01", area: "DE", rate: "18" };
  expect(answerFacts(kept("2026-07-01"), answers.keptRates)).toEqual(facts);
});
