import { expect, test } from "vitest";
import { ACTIVITY_AREAS, verbsOf } from "../../../src/domain/connection/activity-areas.ts";
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
