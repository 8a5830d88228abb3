import { expect, test } from "vitest";
import { declarableDestination } from "../../../src/domain/order/destination.ts";
import type { ClientFacts } from "../../../src/domain/order/facts.ts";
import { clientOf, identifierOf } from "../../../src/domain/order/recipient.ts";
import { A_PERSON, anOrder, contextOf } from "../../support/builders/orders.ts";

const A_BUSINESS: ClientFacts = { company: "Kunde GmbH", vatNumber: "DE282741168", country: "DE" };

test.each<[string, ClientFacts, string | undefined]>([
  ["a person in Germany", { ...A_PERSON, country: "DE", postcode: "10115" }, "euConsumer"],
  ["a company in Germany without a VAT number", { company: "Kunde GmbH", country: "DE" }, "euConsumer"],
  ["a business in Germany", { ...A_BUSINESS, postcode: "10115" }, "euBusiness"],
  ["a number that is no VAT number", { ...A_BUSINESS, vatNumber: "DE1" }, "euConsumer"],
  ["Heligoland under Germany's code", { ...A_PERSON, country: "DE", postcode: "27498" }, "outsideEu"],
  ["the United States", { ...A_PERSON, country: "US" }, "outsideEu"],
  ["Monaco, as France", { ...A_PERSON, country: "MC" }, "euConsumer"],
  ["the Canaries", { ...A_PERSON, postcode: "35001" }, "otherSpanish"],
  ["home", { ...A_PERSON, postcode: "28001" }, undefined],
  ["no country", { firstName: "Ana" }, undefined],
])("the declaration for a sale to %s", (_, client, expected) => {
  const context = contextOf(anOrder({ client }));
  expect(declarableDestination(context, identifierOf(clientOf(context)))).toBe(expected);
});
