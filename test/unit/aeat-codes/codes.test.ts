import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aeatFolder } from "../../support/authority/aeat-folder.ts";
import { ELSEWHERE } from "./rows/elsewhere.ts";
import { IN_CHAINS, IN_MESSAGES, IN_QUERIES } from "./rows/messages.ts";
import { REFUSED } from "./rows/refused.ts";
import { SHAPES } from "./rows/shape.ts";
import { STRUCTURE } from "./rows/structure.ts";

/** Every code of the AEAT's table of errors, as it publishes it. */
const PUBLISHED = `
  4102-4141 3500-3503
  1100-1112 1114-1140 1142-1203 1205-1277 1281 1282 1283 1284 1285 1286-1293
  3000-3004 2000-2009`;

const AEAT_CODES: readonly number[] = PUBLISHED.trim()
  .split(/\s+/)
  .flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });

/**
 * Every code of the AEAT is accounted for: refused before issuing, impossible by form, or known to the AEAT
 * alone.
 */

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

test("no code that is refused or impossible is listed as unknowable", () => {
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
