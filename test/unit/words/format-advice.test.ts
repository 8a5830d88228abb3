import { expect, test } from "vitest";
import { FORMAT_REASONS } from "../../../src/domain/einvoice/formats.ts";
import { formatAdvice } from "../../../src/words/format-advice.ts";

const BOTH = FORMAT_REASONS.flatMap((code) =>
  (["es", "en"] as const).map((language) => [code, language] as const),
);

test.each(BOTH)("%s tells the owner in %s what to do, without a name of the API", (code, language) => {
  const text = formatAdvice(code, language);
  const next = language === "es" ? /\b(Usa|Envía|emite)\b/ : /\b(Take|Send|issue)\b/;
  expect(text).toMatch(next);
  expect(text).not.toMatch(/[a-z]_[a-z]|recipient|en16931|\bF3\b|\bAPI\b|[{}]/);
});

test("the two languages differ, and no two reasons say the same", () => {
  const all = BOTH.map(([code, language]) => formatAdvice(code, language));
  expect(new Set(all).size).toBe(all.length);
});
