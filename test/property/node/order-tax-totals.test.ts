/** A shop's tax by rate is invoiced to the cent; the cents of rounding are kept in the total. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OrderLine, TaxTotal } from "../../../src/domain/order/facts.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { dividedHalfUp, textOf, unitsOf } from "../../support/builders/facts.ts";
import { A_PERSON, anOrder, decide, linesOf, onlyIssue } from "../../support/builders/orders.ts";
import { often } from "../../support/rules/often.ts";

const NAMED = { ...A_PERSON, vatNumber: "12345678Z" };
const RATES = [21n, 10n, 4n] as const;

/** Bases of the lines of a rate in ten thousandths, what the shop's rounding moves of the tax, in cents. */
const soldAt = fc.record({
  bases: fc.array(fc.bigInt({ min: 10_000n, max: 3_000_000n }), { minLength: 1, maxLength: 3 }),
  moved: fc.bigInt({ min: -1n, max: 1n }),
  saysBase: fc.boolean(),
});

test("taxes as stated, bases as stated or the remainder, and the order's total", () => {
  fc.assert(
    fc.property(fc.array(soldAt, { minLength: 1, maxLength: 3 }), (sold) => {
      const rates = sold.map(({ bases, moved, saysBase }, index) => {
        const rate = RATES[index] ?? 21n;
        const base = sum(bases);
        const tax = dividedHalfUp(base * rate, 10_000n) + moved;
        const lines = bases.map((each) => `${textOf(each, 4)}+${textOf(each * rate, 6)}@${rate}`);
        return { rate, lines, base, stated: dividedHalfUp(base, 100n), tax, saysBase };
      });
      const exact = sum(rates.map(({ base, stated, saysBase }) => (saysBase ? stated * 100n : base)));
      const total = dividedHalfUp(exact, 100n) + sum(rates.map(({ tax }) => tax));
      const taxTotals = rates.map(({ rate, stated, tax, saysBase }): TaxTotal => {
        const base = saysBase ? { base: decimal(textOf(stated, 2)) } : {};
        return { rate: decimal(String(rate)), tax: decimal(textOf(tax, 2)), ...base };
      });
      const order = anOrder({
        breakdown: rates.flatMap(({ lines }) => linesOf(lines.join(" "))),
        taxTotals,
        total: decimal(textOf(total, 2)),
        client: NAMED,
      });
      const { groups, totals } = onlyIssue(decide(order)).draft.document;
      expect(unitsOf(totals.total, 2)).toBe(total);
      expect(groups.map(({ amounts }) => unitsOf(amounts.tax, 2))).toEqual(rates.map(({ tax }) => tax));
      for (const [index, { saysBase, stated, base }] of rates.entries()) {
        const invoiced = unitsOf(groups[index]?.amounts.base ?? decimal("0"), 2);
        if (saysBase) expect(invoiced).toBe(stated);
        else expect([base / 100n, base / 100n + 1n]).toContain(invoiced);
      }
    }),
    often(400),
  );
});

test("a difference within rounding is the tax's of the rate chosen, beyond it the order waits", () => {
  const line = fc.bigInt({ min: 100n, max: 100_000n });
  const rows = fc.array(line, { minLength: 1, maxLength: 14 });
  fc.assert(
    fc.property(rows, fc.bigInt({ min: -14n, max: 14n }), fc.boolean(), (bases, moved, isChosen) => {
      const lines = bases.map((base): OrderLine => lineAt21(base));
      const tax = sum(bases.map((base) => dividedHalfUp(base * 21n, 100n)));
      const total = sum(bases) + tax + moved;
      const order = anOrder({
        breakdown: lines,
        total: decimal(textOf(total, 2)),
        client: NAMED,
        ...(isChosen ? {} : { totalTax: decimal(textOf(tax + moved, 2)) }),
      });
      const decision = decide(order, isChosen ? { sales: { roundingRate: decimal("21") } } : {});
      const most = BigInt(Math.min(bases.length, 10));
      if (moved > most || moved < -most) {
        expect(decision.reasons.map(({ code }) => code)).toEqual(["totals_mismatch"]);
        return;
      }
      const { totals } = onlyIssue(decision).draft.document;
      expect([totals.base, totals.tax, totals.total].map((each) => unitsOf(each, 2))).toEqual([
        sum(bases),
        tax + moved,
        total,
      ]);
    }),
    often(400),
  );
});

function lineAt21(base: bigint): OrderLine {
  const [line] = linesOf(`${textOf(base, 2)}+${textOf(dividedHalfUp(base * 21n, 100n), 2)}@21`);
  if (!line) throw new Error("no line");
  return line;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, each) => all + each, 0n);
}
