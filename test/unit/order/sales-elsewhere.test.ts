/** A declaration of sales elsewhere counts only for a sale that it can be true of; every other one waits. */
import { describe, expect, test } from "vitest";
import { destinationsOf, type ForeignSales } from "../../../src/domain/billing/sales-settings.ts";
import type { ClientFacts } from "../../../src/domain/order/facts.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import {
  A_PERSON,
  anOrder,
  course,
  decide,
  linesOf,
  next,
  outcomeOf,
  refundOfAmount,
} from "../../support/builders/orders.ts";

const A_BUSINESS: ClientFacts = {
  company: "Kunde GmbH",
  vatNumber: "DE282741168",
  country: "DE",
  address1: "Weg 1",
  postcode: "10115",
  city: "Berlin",
};

function outcome(sales: ForeignSales, client: ClientFacts, lines: string, day = "2026-11-20"): string {
  const order = anOrder({ breakdown: linesOf(lines), client, operationDate: civilDate(day) });
  return outcomeOf(decide(order, { sales: { destinations: destinationsOf(sales) } }));
}

const HELD = "held foreign_customer";
const CONFLICT = "held destination_conflict";
const UNKNOWN = "held oss_rate_unknown";

describe("one stop shop", () => {
  test.each<[string, string, string | undefined, string, string]>([
    ["a German rate in Germany", "DE", "10115", "100+19@19", "invoiced"],
    ["both French reduced rates", "FR", "75001", "100+5.50@5.5 100+10@10", "invoiced"],
    ["a rate of Corsica where the postcode shows it", "FR", "20000", "100+2.10@2.1", "invoiced"],
    ["Monaco is as France", "MC", "98000", "100+20@20", "invoiced"],
    ["Northern Ireland has the rates of the United Kingdom", "GB", "BT1 1AA", "100+20@20", "invoiced"],
    ["the Spanish rate in France", "FR", "75001", "100+21@21", UNKNOWN],
    ["a rate that no state has", "FR", "75001", "100+13.37@13.37", UNKNOWN],
    ["an order without any tax", "DE", "10115", "1000+0@0", CONFLICT],
    ["shipping without tax", "DE", "10115", "100+19@19 shipping:10+0@0", "held zero_rate_basis_missing"],
    ["Heligoland, outside the territory", "DE", "27498", "100+19@19", HELD],
    ["Åland under Finland's code", "FI", "22100", "100+25.50@25.5", HELD],
    ["Réunion under France's code", "FR", "97400", "100+20@20", HELD],
    ["Great Britain", "GB", "SW1A 1AA", "100+20@20", HELD],
  ])("%s", (_, country, postcode, lines, expected) => {
    const client = { ...A_PERSON, country, ...(postcode === undefined ? {} : { postcode }) };
    expect(outcome("oss", client, lines)).toBe(expected);
  });

  test.each([
    ["FR", "75001", "20", "FR"],
    ["MC", "98000", "20", "FR"],
    ["DE", "87491", "19", "AT"],
    ["GB", "BT1 1AA", "20", "XI"],
  ])("keeps the state of its tax, wherever the buyer lives: %s %s", (country, postcode, rate, state) => {
    const passport = { vatNumber: "EN123456", idType: "03", country: "BE" };
    const order = anOrder({
      breakdown: linesOf(`100+${rate}@${rate}`),
      client: { ...A_PERSON, ...passport },
      delivery: { country, postcode },
    });
    const situation = { sales: { destinations: destinationsOf("oss") } };
    const sold = course(order, situation);
    const back = next(sold, { events: [refundOfAmount("r1", "10")] }, situation);
    const { issued } = back;
    expect(issued.map(({ draft }) => draft.document.request.invoiceType)).toEqual(["F1", "R1"]);
    expect(issued.map(({ draft }) => draft.document.consumedIn)).toEqual([state, state]);
  });

  test("a sale that bears no tax of elsewhere keeps none", () => {
    const [issue] = course(anOrder()).issued;
    expect(issue?.draft.document).not.toHaveProperty("consumedIn");
  });

  test.each([
    ["the last day of 20 %", "2024-12-31", "100+20@20", "invoiced"],
    ["the first day of 23 %", "2025-01-01", "100+23@23", "invoiced"],
    ["23 % a day too early", "2024-12-31", "100+23@23", UNKNOWN],
    ["20 % a day too late", "2025-01-01", "100+20@20", UNKNOWN],
  ])("Slovakia, %s", (_, day, lines, expected) => {
    expect(outcome("oss", { ...A_PERSON, country: "SK" }, lines, day)).toBe(expected);
  });

  test.each([
    ["without tax", "100+0@0", HELD],
    ["at the rate of its state", "100+19@19", CONFLICT],
  ])("a business with a VAT number is no consumer, %s", (_, lines, expected) => {
    expect(outcome("oss", A_BUSINESS, lines)).toBe(expected);
  });
});

describe("exports leave the VAT territory of the Union", () => {
  test.each<[string, string, string, string]>([
    ["the United States", "US", "10001", "invoiced"],
    ["Great Britain", "GB", "SW1A 1AA", "invoiced"],
    ["the Isle of Man", "IM", "IM1 1AA", "invoiced"],
    ["Åland under Finland's code", "FI", "22100", "invoiced"],
    ["Heligoland", "DE", "27498", "invoiced"],
    ["Réunion under France's code", "FR", "97400", "invoiced"],
    ["Livigno", "IT", "23041", "invoiced"],
    ["Monaco is as France", "MC", "98000", HELD],
    ["Northern Ireland", "GB", "BT1 1AA", HELD],
    ["Northern Ireland by its own code", "XI", "BT1 1AA", HELD],
    ["Germany", "DE", "10115", HELD],
  ])("%s", (_, country, postcode, expected) => {
    expect(outcome("export", { ...A_PERSON, country, postcode }, "100+0@0")).toBe(expected);
  });
});

describe("intra-Community supplies stay in the VAT territory of the Union", () => {
  test.each<[string, Partial<ClientFacts>, string]>([
    ["a business in Berlin", {}, "invoiced"],
    ["the same business on Heligoland", { postcode: "27498" }, HELD],
  ])("%s", (_, change, expected) => {
    expect(outcome("intra_community", { ...A_BUSINESS, ...change }, "100+0@0")).toBe(expected);
  });
});
