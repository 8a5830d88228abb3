import { expect, test } from "vitest";
import { brokenBounds, type Figures, isQuiet } from "../../bench/guard/judgement.ts";

const GOOD: Figures = {
  ...{ groupsFarAway: 20, eightTenants: 1.3, aloneToFloor: 1.6 },
  ...{ pageToConstant: 2.6, pdfToConstant: 2.8, rowsReadMore: 0 },
};

test("figures within their bounds break none", () => {
  expect(brokenBounds(GOOD, true)).toEqual([]);
});

test.each([
  ["groupsFarAway", 13.9, "groupsFarAway is 13.90 and must be at least 14"],
  ["eightTenants", 0.99, "eightTenants is 0.99 and must be at least 1"],
  ["aloneToFloor", 2.01, "aloneToFloor is 2.01 and must be at most 2"],
  ["pageToConstant", 4.1, "pageToConstant is 4.10 and must be at most 4"],
  ["pdfToConstant", 4.6, "pdfToConstant is 4.60 and must be at most 4.5"],
  ["rowsReadMore", 1, "rowsReadMore is 1.00 and must be at most 0"],
] as const)("%s of %d breaks its bound on a quiet machine", (name, figure, said) => {
  expect(brokenBounds({ ...GOOD, [name]: figure }, true)).toEqual([said]);
});

test("on a busy machine only rows are judged", () => {
  const bad = { ...GOOD, eightTenants: 0.2, aloneToFloor: 9, rowsReadMore: 7 };
  expect(brokenBounds(bad, false)).toEqual(["rowsReadMore is 7.00 and must be at most 0"]);
});

test("a figure that could not be measured breaks its bound", () => {
  expect(brokenBounds({ ...GOOD, rowsReadMore: Number.NaN }, false)).toHaveLength(1);
});

test("a machine is quiet while the floor's slow calls stay near its median", () => {
  expect(isQuiet({ median: 7.92, p95: 10.74 })).toBe(true);
  expect(isQuiet({ median: 7.92, p95: 30 })).toBe(false);
});
