import { expect, test } from "vitest";
import { PROOF_CHECKS } from "../../../src/domain/proof/checks.ts";
import { AREAS, wordsOf } from "../../../src/web/words/areas.ts";

test("every check of a verification has words, and nothing else has", async () => {
  const expected = PROOF_CHECKS.flatMap((check) =>
    ["title", "means", "remedy"].map((part) => `check.${check}.${part}`),
  ).sort();
  expect(Object.keys(await wordsOf(["checks"], "es")).sort()).toEqual(expected);
  expect(Object.keys(await wordsOf(["checks"], "en")).sort()).toEqual(expected);
});

test.each(AREAS)("the words of %s are in both languages and name the same values", async (area) => {
  // The words around a number are no value, and only Spanish puts an article before the hour.
  const VALUE = /(?<!(?:one|other|=\d+) )\{(?!article\})([a-z_]+)(?=\}|, plural)/g;
  const valuesIn = (text: string) => [...new Set(text.match(VALUE))].sort();
  const told = async (language: "es" | "en") =>
    Object.entries(await wordsOf([area], language))
      .map(([id, text]) => [id, valuesIn(text)])
      .sort();
  expect(await told("en")).toEqual(await told("es"));
});

test("no word is in two areas", async () => {
  const ids = (await Promise.all(AREAS.map((area) => wordsOf([area], "es")))).flatMap(Object.keys);
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
});
