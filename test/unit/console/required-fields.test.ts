import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AREAS, wordsOf } from "../../../src/web/words/areas.ts";

const es = await wordsOf(AREAS, "es");
const en = await wordsOf(AREAS, "en");

/** The sentence of every form about a missing field, with its article: «Escribe el nombre del perfil.» */
const ASKED = /(?:form\.required", \{ field: say|required\(say)\("([^"]+)"/g;

const IDS = globSync("src/web/pages/**/*.{ts,tsx}").flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(ASKED)].map(([, id = ""]) => id),
);

test("a missing field is asked for in a sentence, in both languages", () => {
  expect(IDS.length).toBeGreaterThan(15);
  const wrong = IDS.filter((id) => {
    const words = [es, en].map((language) => String(Reflect.get(language, id)));
    return words.some((text) => !/^[a-záéíóú]+ \S/.test(text));
  });
  expect(wrong).toEqual([]);
});
