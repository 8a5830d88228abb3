/** No code of the AEAT is left to chance: refused before issuing, impossible by form, or beyond what is known here. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AEAT_CODES } from "../../support/aeat-codes.ts";
import { aeatFolder } from "../../support/aeat-folder.ts";
import { ELSEWHERE } from "./rows/elsewhere.ts";
import { IN_CHAINS, IN_MESSAGES, IN_QUERIES } from "./rows/messages.ts";
import { REFUSED } from "./rows/refused.ts";
import { SHAPES } from "./rows/shape.ts";
import { STRUCTURE } from "./rows/structure.ts";

const refused = [...REFUSED, ...SHAPES].map(([code]) => code);
const impossible = [...STRUCTURE, ...IN_CHAINS, ...IN_MESSAGES, ...IN_QUERIES].flatMap(([codes]) => codes);
const elsewhere = ELSEWHERE.flatMap(([codes]) => codes);
const met = new Set([...refused, ...impossible, ...elsewhere]);

test.each(AEAT_CODES)("%i is met", (code) => {
  expect(met).toContain(code);
});

test("every row is of a code that the AEAT publishes", () => {
  expect([...met].filter((code) => !AEAT_CODES.includes(code))).toEqual([]);
});

test("what is refused, or impossible, is nowhere called unknowable", () => {
  const known = new Set([...refused, ...impossible]);
  expect(elsewhere.filter((code) => known.has(code))).toEqual([]);
});

test.skipIf(aeatFolder === undefined)("the codes are those of the AEAT's table", () => {
  const table = readFileSync(`${aeatFolder}/errores.properties`, "latin1");
  const published = [...table.matchAll(/^(\d{4})\s*=/gm)].map(([, code]) => Number(code));
  expect([...AEAT_CODES].sort((one, other) => one - other)).toEqual(
    published.sort((one, other) => one - other),
  );
});
