import { expect, test } from "vitest";
import { wholeShares } from "../../../src/web/parts/shares.ts";

test.each([
  ["thirds are 34, 33 and 33", [1, 1, 1], [34, 33, 33]],
  ["the largest remainder gets the point", [995, 1005, 1000], [33, 34, 33]],
  ["nothing has no shares", [0, 0], [0, 0]],
  ["one has all", [7, 0], [100, 0]],
  ["small ones round down to nothing", [996, 2, 2], [100, 0, 0]],
])("%s", (_, values, shares) => {
  expect(wholeShares(values)).toEqual(shares);
});

test("shares of any sum add up to 100", () => {
  for (let n = 1; n < 60; n += 1) {
    const values = Array.from({ length: n }, (_, index) => (index * 7919) % 97);
    const sum = wholeShares(values).reduce((total, share) => total + share, 0);
    expect(sum).toBe(values.every((value) => value === 0) ? 0 : 100);
  }
});
