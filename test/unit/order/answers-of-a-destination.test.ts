/** How a sale is invoiced is declared of the destination that it has with the buyer of the same moment. */
import { expect, test } from "vitest";
import { type OrderAnswer, withAnswers } from "../../../src/domain/order/answers/table.ts";
import { asItStands, placed } from "../../support/builders/answers.ts";
import { A_PERSON, anOrder, linesOf, type Situation } from "../../support/builders/orders.ts";

const CONSUMER: OrderAnswer = { answer: "declare_sales", sales: { destinations: { euConsumer: "oss" } } };
const BUSINESS: OrderAnswer = {
  answer: "declare_sales",
  sales: { destinations: { euBusiness: "intra_community" } },
};
const BOTH: OrderAnswer = {
  answer: "declare_sales",
  sales: { destinations: { euConsumer: "oss", euBusiness: "intra_community" } },
};
const BUYER: OrderAnswer = {
  answer: "enter_recipient",
  recipient: {
    ...{ company: "Kunde GmbH", vatNumber: "DE282741168" },
    ...{ address1: "Weg 1", postcode: "10115", city: "Berlin" },
  },
};

/** Sold untaxed to a buyer in Germany; nothing is declared, or sales to businesses are. */
function refusedOf(given: readonly OrderAnswer[], isDeclared = false): string[] {
  const client = { ...A_PERSON, country: "DE", postcode: "10115" };
  const situation: Situation = isDeclared
    ? { sales: { destinations: { euBusiness: "intra_community" } } }
    : {};
  const { refusals } = withAnswers(
    given,
    asItStands(placed(anOrder({ client, breakdown: linesOf("100+0@0") }), situation)),
  );
  return refusals.map(({ index, refusal }) => `${index} ${refusal.code}`);
}

test.each<[string, readonly OrderAnswer[], boolean, readonly string[]]>([
  ["of a business, after its VAT number", [BUYER, BUSINESS], false, []],
  ["of a business, before its VAT number", [BUSINESS, BUYER], false, []],
  ["of both, the one in its list", [BUYER, BOTH], false, []],
  ["of a consumer, chosen before the VAT number", [CONSUMER, BUYER], false, ["0 sales_not_fitting"]],
  ["of a consumer, with the VAT number", [BUYER, CONSUMER], false, ["1 sales_not_fitting"]],
  ["of a consumer, with businesses declared", [CONSUMER, BUYER], true, ["0 sales_not_fitting"]],
])("%s", (_, given, isDeclared, expected) => {
  expect(refusedOf(given, isDeclared)).toEqual(expected);
});
