import { expect, test } from "vitest";
import { PROOF_CHECKS } from "../../../src/domain/proof/checks.ts";
import { typedAmount } from "../../../src/wizard/pages/invoices/typed-amount.ts";
import { CHECKS } from "../../../src/wizard/words/pages/checks.ts";
import { DEEDS } from "../../../src/wizard/words/pages/deeds.ts";
import { SENDING } from "../../../src/wizard/words/pages/sending.ts";

test("every check of a verification is told in words, and none besides", () => {
  const expected = PROOF_CHECKS.flatMap((check) =>
    ["title", "means", "remedy"].map((part) => `${check}.${part}`),
  ).sort();
  expect(Object.keys(CHECKS.es).sort()).toEqual(expected);
  expect(Object.keys(CHECKS.en).sort()).toEqual(expected);
});

test.each([
  ["deeds", DEEDS],
  ["sending", SENDING],
  ["checks", CHECKS],
])("the words of %s name the same values in both languages", (_, { es, en }) => {
  const valuesIn = (text: string) => [...new Set(text.match(/\{([a-z_]+)(?=\}|, plural)/g))].sort();
  const other: Readonly<Record<string, string>> = en;
  for (const [id, text] of Object.entries(es))
    expect([id, valuesIn(other[id] ?? "")]).toEqual([id, valuesIn(text)]);
});

test.each([
  ["1.234,56", "es", "1234.56"],
  ["1.234", "es", "1234"],
  ["12,5", "es", "12.5"],
  ["12.5", "es", "12.5"],
  [" 1.234.567,8 € ", "es", "1234567.8"],
  ["1,234.56", "en", "1234.56"],
  ["1,234", "en", "1234"],
  ["12.5", "en", "12.5"],
  ["uno", "es", "uno"],
] as const)("%s in %s is %s", (typed, language, exact) => {
  expect(typedAmount(typed, language)).toBe(exact);
});
