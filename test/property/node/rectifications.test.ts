/**
 * After any sequence on an invoice: no group below zero, the amounts in force add up, a full return is
 * exact.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InvoiceView } from "../../../src/domain/invoice/invoice-view.ts";
import type { RequestLine } from "../../../src/domain/invoice/request.ts";
import { civilDate } from "../../../src/domain/shared/civil-date.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { verifyChain } from "../../../src/domain/verifactu/chain.ts";
import { type Issuance, issueAll, remainingOf, viewOf } from "../../support/direct-invoicing.ts";
import { textOf, unitsOf } from "../../support/exact.ts";
import { anyDeeds, type Bases, courseOf, RATES } from "../../support/rectification-course.ts";
import { aRequest, correcting, linesOf } from "../../support/requests.ts";

describe("a full return in random parts", () => {
  const invoiced = fc.array(fc.bigInt({ min: 1n, max: 20_000n }), { minLength: 1, maxLength: 3 });
  const permille = fc.array(fc.array(fc.bigInt({ min: 0n, max: 1000n }), { minLength: 3, maxLength: 3 }), {
    maxLength: 8,
  });
  const exchange = fc.option(fc.bigInt({ min: 300_000n, max: 200_000_000n }), { nil: undefined });

  test.each([
    ["net", false],
    ["with prices that include tax", true],
  ])("sums to zero per group, in its currency and in euros: %s", (_, pricesIncludeTax) => {
    fc.assert(
      fc.property(invoiced, permille, exchange, (bases, cuts, rate) => {
        const change = rate === undefined ? {} : inDollars(rate);
        const first = issueAll([aRequest("e0", { ...change, lines: linesWith(bases, "1") })]);
        const parts = partsOf(wholeOf(first, pricesIncludeTax), cuts);
        const returned = issueAll(
          parts.map((part, index) => {
            const lines = linesWith(part, "-1");
            return correcting(aRequest(`r${index}`, { ...change, pricesIncludeTax, lines }), ["e0"]);
          }),
          { after: first },
        );
        const views = [...first.outcomes, ...returned.outcomes].map(viewOf);
        expect(sumsOf(views)).toEqual(new Set([0n]));
        expect(remainingOf(returned, "e0")).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });
});

test("any sequence of parts, substitutions and cancellations leaves the sum in force, and no group below zero", () => {
  const invoiced = fc.array(fc.bigInt({ min: 0n, max: 50_000n }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(invoiced, anyDeeds, (bases, deeds) => {
      const course = courseOf(bases);
      for (const deed of deeds) {
        const { outcome, expected } = course.act(deed);
        expect([deed, outcome]).toEqual([deed, expected]);
        expect(course.remaining()).toEqual(course.expectedRemaining());
        expect(course.remaining().filter((text) => text.includes("-"))).toEqual([]);
      }
      const records = course.records();
      expect(verifyChain(records)).toEqual({ ok: true, value: { checked: records.length } });
    }),
    { numRuns: 200 },
  );
});

function inDollars(rate: bigint) {
  const exchangeRate = decimal(textOf(rate, 6));
  return { currency: "USD", exchangeRate, exchangeRateDate: civilDate("2026-11-26") };
}

function linesWith(amounts: Bases, quantity: string): RequestLine[] {
  return amounts.flatMap((amount, index) =>
    amount === 0n ? [] : linesOf(`${quantity}x${textOf(amount, 2)}@${RATES[index]}`),
  );
}

/** The required sums of the parts: bases, or amounts with tax. */
function wholeOf({ outcomes }: Issuance, pricesIncludeTax: boolean): Bases {
  return outcomes.map(viewOf).flatMap(({ document }) =>
    document.groups.map(({ amounts }) => {
      const tax = pricesIncludeTax ? unitsOf(amounts.tax, 2) : 0n;
      return unitsOf(amounts.base, 2) + tax;
    }),
  );
}

/** Each cut takes some thousandths of the remainder; the last part takes the rest. */
function partsOf(whole: Bases, cuts: readonly Bases[]): Bases[] {
  const parts: Bases[] = [];
  let left = whole;
  for (const cut of cuts) {
    const part = left.map((amount, index) => (amount * (cut[index] ?? 0n)) / 1000n);
    left = left.map((amount, index) => amount - (part[index] ?? 0n));
    parts.push(part);
  }
  return [...parts, left].filter((part) => part.some((amount) => amount !== 0n));
}

/** Every sum that should be zero: base and tax of each rate, in the currency and in euros. */
function sumsOf(views: readonly InvoiceView[]): Set<bigint> {
  const sums = new Map<string, bigint>();
  for (const { rate, amounts, eur } of views.flatMap(({ document }) => document.groups)) {
    for (const [name, value] of Object.entries({ ...amounts, eurBase: eur.base, eurTax: eur.tax })) {
      sums.set(`${rate} ${name}`, (sums.get(`${rate} ${name}`) ?? 0n) + unitsOf(value, 2));
    }
  }
  return new Set(sums.values());
}
