/** Whatever is done to an invoice: no group below zero, what is in force adds up, a full return is exact. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InvoiceRequest } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { verifyChain } from "../../../src/domain/verifactu/chain.ts";
import type { SealedRecord } from "../../../src/domain/verifactu/record.ts";
import type { InvoiceView } from "../../../src/usecases/invoice-view.ts";
import {
  cancelling,
  codeOf,
  type Issuance,
  issueAll,
  remainingOf,
  viewOf,
} from "../../support/direct-invoicing.ts";
import { dividedHalfUp, textOf, unitsOf } from "../../support/exact.ts";
import { aRequest, correcting, linesOf } from "../../support/requests.ts";

const RATES = ["21", "10", "4"] as const;
type Bases = readonly bigint[];

describe("a full return in random parts", () => {
  const whole = fc.array(fc.bigInt({ min: 1n, max: 20_000n }), { minLength: 1, maxLength: 3 });
  const cuts = fc.array(fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }), { maxLength: 8 });
  const rates = fc.option(fc.bigInt({ min: 300_000n, max: 200_000_000n }), { nil: undefined });

  test.each([
    ["net", false],
    ["with prices that include tax", true],
  ])("sums to zero per group, in its currency and in euros: %s", (_, pricesIncludeTax) => {
    fc.assert(
      fc.property(whole, cuts, rates, (bases, fractions, rate) => {
        const change = rate === undefined ? {} : inDollars(rate);
        const first = issueAll([aRequest("e0", { ...change, lines: linesWith(bases) })]);
        const whole = grossOrBase(first, pricesIncludeTax);
        const parts = partsOf(whole, fractions);
        const requests = parts.map((part, index) =>
          correcting(aRequest(`r${index}`, { ...change, pricesIncludeTax, lines: linesWith(part, "-1") }), ["e0"]),
        );
        const returned = issueAll(requests, { after: first });
        const views = [...first.outcomes, ...returned.outcomes].map(viewOf);
        expect(sumsOf(views, "amounts")).toEqual(new Set(["0"]));
        expect(sumsOf(views, "eur")).toEqual(new Set(["0"]));
        expect(remainingOf(returned, "e0")).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

type Deed =
  | { readonly deed: "take"; readonly percents: readonly number[] }
  | { readonly deed: "substitute"; readonly bases: Bases }
  | { readonly deed: "cancel"; readonly which: number };

const bases = fc.array(fc.bigInt({ min: 0n, max: 50_000n }), { minLength: 3, maxLength: 3 });
const deeds = fc.array(
  fc.oneof(
    fc.record<Deed>({ deed: fc.constant("take"), percents: fc.array(fc.nat(115), { minLength: 3, maxLength: 3 }) }),
    fc.record<Deed>({ deed: fc.constant("substitute"), bases }),
    fc.record<Deed>({ deed: fc.constant("cancel"), which: fc.nat(30) }),
  ),
  { maxLength: 15 },
);

test("any sequence of parts, substitutions and cancellations", () => {
  fc.assert(
    fc.property(bases, deeds, (invoiced, todo) => {
      const first = issueAll([aRequest("e0", { lines: linesWith(invoiced) })]);
      const course = new Course(first, invoiced);
      for (const next of todo) course.take(next);
      expect(verifyChain(course.records)).toEqual({ ok: true, value: { checked: course.records.length } });
    }),
    { numRuns: 150 },
  );
});
