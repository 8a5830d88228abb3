/** The values that a correction inherits from its invoice, and those of its own request. */
import { expect, test } from "vitest";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import {
  cancelling,
  issueAll,
  issued,
  lastIn,
  outcomeOf,
  theSettings,
  totalsInEur,
} from "../../support/builders/direct-invoicing.ts";
import { aRequest, aTicket, correcting, linesOf } from "../../support/builders/requests.ts";

const dollarsAt = (rate: string) => ({
  currency: "USD",
  exchangeRate: decimal(rate),
  exchangeRateDate: civilDate("2026-11-26"),
});

test("a regime changed by the owner since does not hide the sale", () => {
  const after = issueAll([aRequest("e1")]);
  const refund = correcting(aRequest("e2", { lines: linesOf("-1x100@21") }), ["e1"]);
  const settings = theSettings({ defaultRegime: "07" });
  const view = issued(refund, { after, settings });
  expect(view.document.groups.map((group) => [group.regime, group.amounts.base])).toEqual([["01", "-100"]]);
});

test("F3 converts at the rate that it states", () => {
  const ticket = aTicket("e1", { lines: linesOf("1x100@21"), ...dollarsAt("1.5") });
  const full = aRequest("e2", {
    invoiceType: "F3",
    rectifies: [{ externalId: "e1" }],
    ...dollarsAt("1.1"),
  });
  const { outcomes } = issueAll([ticket, full]);
  expect(outcomes.map((outcome) => outcome.outcome)).toEqual(["issued", "issued"]);
  // 100 / 1.1 and 21 / 1.1
  expect(totalsInEur(lastIn(issueAll([ticket, full])))).toContain("110");
});

test("the part that empties a group takes the euros that are left, also after one between was cancelled", () => {
  const sale = aRequest("e1", { lines: linesOf("1x100@0"), ...dollarsAt("3") });
  const part = (externalId: string, amount: string) =>
    correcting(aRequest(externalId, { lines: linesOf(`-1x${amount}@0`), ...dollarsAt("3") }), ["e1"]);
  const course = issueAll([sale, part("a", "50"), part("b", "25"), cancelling("a"), part("c", "75")]);
  const views = course.outcomes.flatMap((outcome) => (outcome.outcome === "issued" ? [outcome.invoice] : []));
  const [sold, , second, last] = views.map((view) => Number(view.document.totalsEur.total));
  expect(sold).toBe(33.33);
  expect((second ?? 0) + (last ?? 0)).toBeCloseTo(-33.33, 6);
});

test.each([
  [
    "zero-width characters alone are no description",
    { description: "\u200b\u2060" },
    "description_without_text",
  ],
  [
    "nor a name",
    { recipient: { company: "\u200b", vatNumber: "B12345674", country: "ES" } },
    "recipient_required",
  ],
])("%s", (_, change, expected) => {
  expect(outcomeOf(aRequest("e1", change))).toBe(expected);
});
