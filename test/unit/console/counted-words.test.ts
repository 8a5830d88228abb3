import { IntlMessageFormat } from "intl-messageformat";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AREAS, wordsOf } from "../../../src/web/words/areas.ts";
import { withCounts, withWrittenCounts } from "../../../src/web/words/numbers.ts";

/** As the page says it: `useWords` gives the same two to react-intl. */
function said(
  word: string,
  values: Readonly<Record<string, string | number>>,
  language: "es" | "en",
): string {
  const locale = language === "es" ? "es-ES" : "en-GB";
  const formatters = withCounts({
    getNumberFormat: (...given) => new Intl.NumberFormat(...given),
    getDateTimeFormat: (...given) => new Intl.DateTimeFormat(...given),
    getPluralRules: (...given) => new Intl.PluralRules(...given),
  });
  const message = new IntlMessageFormat(word, locale, undefined, { formatters });
  return String(message.format(withWrittenCounts(word, values)));
}

/** Every value that a word names is this number. */
function allOf(word: string, value: number): Readonly<Record<string, number>> {
  const names = [...word.matchAll(/\{([a-z_]+)(?=\}|, plural)/g)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, value]));
}

const kept = new Map<string, string>();

beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: (name: string) => kept.get(name) ?? null });
});

afterEach(() => {
  kept.clear();
  vi.unstubAllGlobals();
});

test.each(["es", "en"] as const)("every count in a word groups its thousands: %s", async (language) => {
  kept.set("cuadre.language", language);
  const words = Object.entries(await wordsOf(AREAS, language)).filter(([, word]) =>
    word.includes(", plural"),
  );
  const grouped = language === "es" ? "1.234" : "1,234";
  expect(words.length).toBeGreaterThan(80);
  for (const [id, word] of words) {
    const text = said(word, allOf(word, 1234), language);
    expect.soft(text, id).not.toMatch(/1234/);
    if (word.includes("#")) expect.soft(text, id).toContain(grouped);
  }
});

test("a number beside the plural is grouped, a text stays as it is, and one and none are said in words", () => {
  const left = "{n, plural, =0 {Todo resuelto} one {Falta # de {total}} other {Faltan # de {total}}}";
  expect(said(left, { n: 1000, total: 1042 }, "es")).toBe("Faltan 1.000 de 1.042");
  expect(said(left, { n: 1, total: "2000" }, "es")).toBe("Falta 1 de 2000");
  expect(said(left, { n: 0, total: 3 }, "es")).toBe("Todo resuelto");
  expect(said("Registro {position} de la cadena.", { position: 12_345 }, "es")).toBe(
    "Registro 12.345 de la cadena.",
  );
});

test("no word has a number format of its own, which would be none of the counts", async () => {
  const words = Object.entries({ ...(await wordsOf(AREAS, "es")), ...(await wordsOf(AREAS, "en")) });
  expect(words.filter(([, word]) => /\{[a-z_]+, (?!plural|select)/.test(word))).toEqual([]);
});
