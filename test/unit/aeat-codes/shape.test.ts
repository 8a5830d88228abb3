/** Errors of the AEAT that the shape of a request already excludes: no such request reaches a rule. */
import { expect, test } from "vitest";
import { shapeProblems } from "../../support/builders/sent-bodies.ts";
import { BODY, SHAPES } from "./rows/shape.ts";

test.each(SHAPES)("%i %s", (_, __, bad, good, path) => {
  expect(shapeProblems(BODY)).toEqual([]);
  expect(BODY).toContain(good);
  const problems = shapeProblems(BODY.replace(good, bad));
  expect(problems.some((problem) => problem.startsWith(path))).toBe(true);
});

test("4102 more than 1,000 cited invoices", () => {
  const cited = Array.from({ length: 1001 }, (_, index) => ({ external_id: `e${index}` }));
  const body = { ...JSON.parse(BODY), rectifies: cited };
  expect(shapeProblems(JSON.stringify(body))).toEqual(["rectifies"]);
});
