/**
 * Requests that the AEAT would reject are refused before a number is given, as far as the request shows it.
 */
import { expect, test } from "vitest";
import { outcomeOf } from "../../support/builders/direct-invoicing.ts";
import { REFUSED } from "./rows/refused.ts";

test.each(REFUSED)("%i %s", (_, __, request, refusal) => {
  expect(outcomeOf(request)).toBe(refusal);
});
