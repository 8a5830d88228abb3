/**
 * After any sequence of an order, the documents in force sum to the kept amounts, to the cent and per rate,
 * and none is doubled.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CorrectionEvent, OrderFacts } from "../../../src/domain/order/facts.ts";
import { decimal } from "../../../src/domain/shared/decimal.ts";
import { dividedHalfUp, textOf, unitsOf } from "../../support/builders/facts.ts";
import {
  A_PERSON,
  aDiscount,
  anOrder,
  CANCELLATION,
  type Course,
  course,
  linesOf,
  next,
  originsIn,
  refundOf,
  refundOfAmount,
  type Situation,
} from "../../support/builders/orders.ts";
import { often } from "../../support/rules/often.ts";

const RATES = ["21", "10", "4"] as const;
const FOREIGN: Situation = { rates: () => ({ outcome: "found", rate: decimal("1.0837") }) };

/** An order that gets a full invoice, with any amount. */
const NAMED = { ...A_PERSON, vatNumber: "12345678Z" };

/** Cents of base of each line, and where it belongs. */
const soldLine = fc.record({
  rate: fc.constantFrom(...RATES),
  base: fc.bigInt({ min: 1n, max: 9_000n }),
  kind: fc.constantFrom("product", "product", "product", "shipping", "fee"),
});
const anySale = fc.record({
  lines: fc.array(soldLine, { minLength: 1, maxLength: 6 }),
  discountPercent: fc.integer({ min: 0, max: 99 }),
  isForeign: fc.boolean(),
  isNamed: fc.boolean(),
});

type Sale = Parameters<Parameters<typeof anySale.map>[0]>[0];

function orderOf({ lines, discountPercent, isForeign, isNamed }: Sale): OrderFacts {
  const breakdown = linesOf(
    lines
      .map(({ rate, base, kind }) => {
        const tax = dividedHalfUp(base * BigInt(rate), 100n);
        return `${kind}:${textOf(base, 2)}+${textOf(tax, 2)}@${rate}`;
      })
      .join(" "),
  );
  const gross = lines.reduce(
    (sum, { rate, base }) => sum + base + dividedHalfUp(base * BigInt(rate), 100n),
    0n,
  );
  const discount = (gross * BigInt(discountPercent)) / 100n;
  return anOrder({
    breakdown,
    discounts: discount === 0n ? [] : [aDiscount(textOf(discount, 2))],
    ...(isForeign ? { currency: "USD" } : {}),
    client: isNamed || gross > 40_000n ? NAMED : A_PERSON,
  });
}

type Deed =
  | { readonly deed: "refund"; readonly percents: readonly number[]; readonly off: number }
  | { readonly deed: "amount"; readonly percent: number }
  | { readonly deed: "again"; readonly which: number }
  | { readonly deed: "changed"; readonly which: number }
  | { readonly deed: "shuffle" }
  | { readonly deed: "cancel" };

const percents = fc.array(fc.nat(110), { minLength: 3, maxLength: 3 });
const which = fc.nat(9);
const aRefund: fc.Arbitrary<Deed> = fc.record({
  deed: fc.constant("refund"),
  percents,
  off: fc.integer({ min: -2, max: 2 }),
});
const otherDeeds: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ deed: fc.constant("amount"), percent: fc.nat(110) }),
  fc.record({ deed: fc.constant("again"), which }),
  fc.record({ deed: fc.constant("changed"), which }),
  fc.constant({ deed: "shuffle" } as const),
  fc.constant({ deed: "cancel" } as const),
);
const anyDeed: fc.Arbitrary<Deed> = fc.oneof(aRefund, otherDeeds);

describe("random orders with random refunds", () => {
  test("invoice and rectifications sum to the kept amounts", () => {
    const used = new Set<string>();
    fc.assert(
      fc.property(anySale, fc.array(anyDeed, { maxLength: 8 }), (sale, deeds) => {
        const life = new Life(orderOf(sale));
        for (const each of deeds) {
          used.add(each.deed);
          life.take(each);
        }
        life.cancelAll();
      }),
      often(200),
    );
    const everyKind = ["again", "amount", "cancel", "changed", "refund", "shuffle"];
    expect([...used].sort(), "the changes are of every kind").toEqual(everyKind);
  });

  test("what went back before the invoice leaves what it leaves after it", () => {
    fc.assert(
      fc.property(
        anySale,
        fc.array(fc.array(fc.nat(60), { minLength: 3, maxLength: 3 }), { maxLength: 3 }),
        (sale, parts) => {
          const order = orderOf(sale);
          const after = new Life(order);
          for (const percents of parts) after.take({ deed: "refund", percents, off: 0 });
          const before = course({ ...order, events: after.events }, FOREIGN);
          expect(keptIn(before)).toEqual(keptIn(after.now));
        },
      ),
      often(150),
    );
  });
});

test("of a group with surcharge each part takes of base, tax and surcharge, and gives back none", () => {
  const surcharged = fc.constantFrom({ rate: 21n, whole: "26.2" }, { rate: 10n, whole: "11.4" });
  const cents = fc.bigInt({ min: 20n, max: 3_000n });
  const parts = fc.array(fc.bigInt({ min: 1n, max: 400n }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(surcharged, cents, parts, ({ rate, whole }, base, wanted) => {
      const percent = rate === 21n ? 262n : 114n;
      const tax = dividedHalfUp(base * percent, 1_000n);
      const breakdown = linesOf(`${textOf(base, 2)}+${textOf(tax, 2)}@${whole}`);
      const first = course(anOrder({ breakdown, client: NAMED }));
      const events: CorrectionEvent[] = [];
      let left = base + tax;
      for (const amount of wanted) {
        if (amount > left) continue;
        left -= amount;
        events.push(refundOfAmount(`r${events.length}`, textOf(amount, 2)));
      }
      const sums = { base: 0n, tax: 0n, surcharge: 0n };
      for (const { draft } of next(first, { events }).issued) {
        const isBack = draft.document.request.invoiceType !== "F1";
        for (const { amounts } of draft.document.groups) {
          for (const name of ["base", "tax", "surcharge"] as const) {
            const amount = unitsOf(amounts[name], 2);
            if (isBack) expect(amount <= 0n).toBe(true);
            sums[name] += amount;
            expect(sums[name] >= 0n).toBe(true);
          }
        }
      }
    }),
    often(300),
  );
});

/** One order through its life, with the test's own count of the kept amounts. */
class Life {
  now: Course;
  events: readonly CorrectionEvent[] = [];
  /** Cents of gross that are left, by rate. */
  private readonly left: Map<string, bigint>;
  private readonly invoiced: ReadonlyMap<string, Cents>;

  constructor(order: OrderFacts) {
    this.now = course(order, FOREIGN);
    this.invoiced = inForce(this.now);
    this.left = new Map([...this.invoiced].map(([rate, { gross }]) => [rate, gross]));
    const total = [...this.left.values()].reduce((sum, gross) => sum + gross, 0n);
    expect(total).toBe(unitsOf(order.total, 2));
  }

  take(deed: Deed): void {
    const event = this.eventOf(deed);
    if (deed.deed === "changed" && event) {
      this.events = this.events.map((each) => (each.id === event.id ? event : each));
    } else if (event && deed.deed !== "again") {
      this.events = [...this.events, event];
    }
    if (deed.deed === "shuffle") this.events = this.events.toReversed();
    const before = this.now.issued.length;
    this.now = next(this.now, { events: this.events }, FOREIGN);
    for (const { draft } of this.now.issued.slice(before)) {
      for (const { rate, amounts } of draft.document.groups) {
        const gross = unitsOf(amounts.base, 2) + unitsOf(amounts.tax, 2);
        this.left.set(rate, (this.left.get(rate) ?? 0n) + gross);
      }
    }
    this.check();
  }

  /** In the end everything goes back, and nothing is left of anything. */
  cancelAll(): void {
    this.take({ deed: "cancel" });
    for (const { base, gross, eur } of inForce(this.now).values()) {
      expect([base, gross, eur]).toEqual([0n, 0n, 0n]);
    }
    expect(this.now.context.history.acted.map(({ id }) => id)).toEqual([
      ...new Set(this.now.context.history.acted.map(({ id }) => id)),
    ]);
  }

  private eventOf(deed: Deed): CorrectionEvent | undefined {
    const id = `r${this.events.length}`;
    switch (deed.deed) {
      case "refund": {
        const lines = RATES.flatMap((rate, index) => {
          const gross = part(this.left.get(rate) ?? 0n, deed.percents[index] ?? 0) + BigInt(deed.off);
          return gross <= 0n || !this.left.has(rate) ? [] : [`${textOf(gross, 2)}+0@${rate}`];
        });
        return lines.length === 0 ? undefined : refundOf(id, lines.join(" "));
      }
      case "amount": {
        const all = [...this.left.values()].reduce((sum, gross) => sum + gross, 0n);
        const amount = decimal(textOf(-part(all, deed.percent), 2));
        return { id, type: "refund", amount, lines: [] };
      }
      case "again":
        return this.events[deed.which];
      case "changed": {
        const event = this.events[deed.which];
        return event && event.type === "refund" ? { ...event, type: "return" } : undefined;
      }
      case "cancel":
        return this.events.includes(CANCELLATION) ? undefined : CANCELLATION;
      case "shuffle":
        return undefined;
    }
  }

  private check(): void {
    const origins = originsIn(this.now);
    expect(new Set(origins).size).toBe(origins.length);
    for (const [rate, { base, gross }] of inForce(this.now)) {
      const whole = this.invoiced.get(rate);
      if (!whole) throw new Error(`a rate that was never invoiced: ${rate}`);
      expect(gross).toBe(this.left.get(rate));
      expect(gross >= 0n).toBe(true);
      const taken = whole.gross - gross;
      expect(base).toBe(whole.base - dividedHalfUp(taken * whole.base, whole.gross));
    }
  }
}

interface Cents {
  readonly base: bigint;
  readonly gross: bigint;
  readonly eur: bigint;
}

/** The sums of an order's documents, by rate. */
function inForce({ issued }: Course): Map<string, Cents> {
  const sums = new Map<string, Cents>();
  for (const { draft } of issued) {
    for (const { rate, amounts, eur } of draft.document.groups) {
      const known = sums.get(rate) ?? { base: 0n, gross: 0n, eur: 0n };
      sums.set(rate, {
        base: known.base + unitsOf(amounts.base, 2),
        gross: known.gross + unitsOf(amounts.base, 2) + unitsOf(amounts.tax, 2),
        eur: known.eur + unitsOf(eur.base, 2) + unitsOf(eur.tax, 2),
      });
    }
  }
  return new Map([...sums].sort());
}

/** In the order's currency: in euros each document is rounded for itself. */
function keptIn(of: Course): [string, bigint, bigint][] {
  return [...inForce(of)]
    .map(([rate, { base, gross }]): [string, bigint, bigint] => [rate, base, gross])
    .filter(([, base, gross]) => base !== 0n || gross !== 0n);
}

function part(whole: bigint, percent: number): bigint {
  return (whole * BigInt(percent)) / 100n;
}
