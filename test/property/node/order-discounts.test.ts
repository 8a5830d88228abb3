/** A discount is spread over the products, to the cent. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { grossOf } from "../../../src/domain/invoice/tax-groups.ts";
import { dividedHalfUp, textOf, unitsOf } from "../../support/builders/facts.ts";
import { A_PERSON, aDiscount, anOrder, decide, linesOf, onlyIssue } from "../../support/builders/orders.ts";
import { often } from "../../support/rules/often.ts";

/** Falling, so that a stable sort gives ties to the higher one. */
const RATES = ["21", "10", "4"] as const;
const NAMED = { ...A_PERSON, vatNumber: "12345678Z" };

test("over goods of several rates: sums exactly, in proportion, by the largest remainder", () => {
  const gross = fc.array(fc.bigInt({ min: 1n, max: 50_000n }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(gross, fc.nat(999), (sold, permille) => {
      const discount = (total(sold) * BigInt(permille)) / 1000n;
      const lines = sold.map((each, index) => lineOfGross(each, RATES[index] ?? "21")).join(" ");
      const discounts = discount === 0n ? [] : [aDiscount(textOf(discount, 2))];
      const order = anOrder({ breakdown: linesOf(lines), discounts, client: NAMED });
      const { groups } = onlyIssue(decide(order)).draft.document;
      const kept = new Map(groups.map(({ rate, amounts }) => [String(rate), unitsOf(grossOf(amounts), 2)]));
      for (const [index, share] of spreadByHand(sold, discount).entries()) {
        expect(kept.get(RATES[index] ?? "") ?? 0n).toBe((sold[index] ?? 0n) - share);
      }
    }),
    often(300),
  );
});

function lineOfGross(gross: bigint, rate: string): string {
  const base = dividedHalfUp(gross * 100n, 100n + BigInt(rate));
  return `${textOf(base, 2)}+${textOf(gross - base, 2)}@${rate}`;
}

function spreadByHand(sold: readonly bigint[], discount: bigint): bigint[] {
  const whole = total(sold);
  const floors = sold.map((each) => (each * discount) / whole);
  const missing = Number(discount - total(floors));
  const order = sold
    .map((each, index) => ({ index, remainder: (each * discount) % whole }))
    .sort((a, b) => Number(b.remainder - a.remainder));
  const favoured = new Set(order.slice(0, missing).map(({ index }) => index));
  return floors.map((floor, index) => floor + (favoured.has(index) ? 1n : 0n));
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, each) => sum + each, 0n);
}
