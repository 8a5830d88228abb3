import { expect, test } from "vitest";
import { ACTIVITY_AREAS, verbsOf } from "../../../src/domain/connection/activity-areas.ts";
import { answersTo, HOLDING_REASONS } from "../../../src/domain/order/reasons.ts";
import { VERBS } from "../../../src/ledger/verbs/table.ts";
import { AREAS, wordsOf } from "../../../src/web/words/areas.ts";

const es = await wordsOf(AREAS, "es");
const en = await wordsOf(AREAS, "en");

test("every verb of the audit log, and every area, has words", () => {
  const ids = ACTIVITY_AREAS.flatMap((area) => [
    `activity.area.${area}`,
    ...verbsOf(area, VERBS).map((verb) => `activity.verb.${verb}`),
  ]);
  expect(ids.filter((id) => !Object.hasOwn(es, id) || !Object.hasOwn(en, id))).toEqual([]);
});

test("every answer to an order has words, and so has each of its facts", async () => {
  const shown = await wordsOf(["activity", "orders", "profiles"], "en");
  const kinds = [...new Set(HOLDING_REASONS.flatMap(answersTo))].filter((kind) => kind !== "dismiss");
  const ids = [
    ...["activity.answer.dismiss", ...kinds.map((kind) => `order.deed.${kind}`)],
    ...["answer", "code", "treatment", "as", "rate", "country", "date", "area", "why", "exchange_rate"].map(
      (fact) => `activity.fact.${fact}`,
    ),
    ...["payment", "discount", "fee", "ignore_non_taxable"].map((as) => `treat.${as}`),
  ];
  expect(kinds.length).toBeGreaterThan(10);
  expect(ids.filter((id) => !Object.hasOwn(shown, id))).toEqual([]);
});

test("a line about the NIF of a company has words for its states, its proof and who decided", async () => {
  // Of the areas that the page of the activity loads.
  const shown = await wordsOf(["activity", "company"], "en");
  const ids = [
    ...["unverified", "in_review", "verified", "contested"].map((state) => `verify.state.${state}`),
    ...["document", "certificate"].map((kind) => `activity.proof.${kind}`),
    ...["operator", "proof", "reason"].map((fact) => `activity.fact.${fact}`),
  ];
  expect(ids.filter((id) => !Object.hasOwn(shown, id))).toEqual([]);
});
