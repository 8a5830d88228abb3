/** Any order of a connector gets an answer, never an exception, and its documents add up. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { destinationsOf } from "../../../src/domain/billing/sales-settings.ts";
import type {
  CorrectionEvent,
  Discount,
  MissingFact,
  OrderLine,
  TaxTotal,
  UnmappedTotal,
} from "../../../src/domain/order/facts.ts";
import {
  type Decimal,
  decimal,
  percentOf,
  round,
  subtract,
  sum,
} from "../../../src/domain/shared/decimal.ts";
import { answering, placed } from "../../support/builders/answers.ts";
import { anOrder, course, decide, next, type Situation } from "../../support/builders/orders.ts";
import { often } from "../../support/rules/often.ts";

/** Mostly what shops send, sometimes what none should. */
function mostly<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

const cents = (min: number, max: number) =>
  fc.integer({ min, max }).map((units) => decimal(String(units / 100)));
const oddAmount = fc
  .constantFrom("0", "-0.01", "-100", "0.0000001", "999999999999", "-999999999999.999999")
  .map(decimal);
const amount: fc.Arbitrary<Decimal> = mostly(cents(1, 9_000), oddAmount);
const rate = mostly(
  fc.constantFrom("21", "21", "10", "4", "0").map(decimal),
  fc.constantFrom("26.2", "5", "-21", "1000", "0.000001").map(decimal),
);
const kind = mostly(
  fc.constantFrom("promotional", "gift_card", "loyalty"),
  fc.constantFrom("customer_credit", "unknown"),
);

const line: fc.Arbitrary<OrderLine> = fc
  .record({
    kind: mostly(
      fc.constantFrom("product", "product", "shipping", "fee"),
      fc.constant("gift_voucher" as const),
    ),
    quantity: mostly(
      fc.integer({ min: 1, max: 5 }).map((count) => decimal(String(count))),
      oddAmount,
    ),
    base: amount,
    odd: mostly(fc.constant(undefined), amount),
    taxRate: rate,
    name: fc.string(),
    lineId: fc.constantFrom("a", "b"),
  })
  .map(({ odd, ...each }) => ({ ...each, tax: odd ?? percentOf(each.base, each.taxRate, 2) }));

const discount: fc.Arbitrary<Discount> = fc.record({
  amount: mostly(cents(1, 2_000), oddAmount),
  kind,
  lines: fc.constantFrom([], [], ["a"], ["nobody"]),
  included: mostly(fc.constant(false), fc.constant(true)),
});

const unmapped: fc.Arbitrary<UnmappedTotal> = mostly(
  fc.oneof(
    fc.record({ code: fc.constant("fee"), value: cents(1, 500), kind }),
    fc.record({ code: fc.constantFrom("pay", "off"), value: cents(-2_000, -1), kind }),
  ),
  fc.record({ code: fc.constantFrom("pay", "fee", "off", "?", "toString"), value: amount, kind }),
);

const stated: fc.Arbitrary<TaxTotal> = fc.record(
  { rate, base: amount, tax: amount, surchargeRate: rate, surcharge: amount },
  { requiredKeys: ["rate", "tax"] },
);

/** The lines' own sums, a cent more or less, or anything. */
function taxTotalsOf(lines: readonly OrderLine[], moved: Decimal, odd: readonly TaxTotal[]): TaxTotal[] {
  const taxed = [...new Set(lines.map(({ taxRate }) => taxRate))].filter((each) => each !== "0");
  const own = taxed.map((each) => {
    const taxes = lines.filter(({ taxRate }) => taxRate === each).map(({ tax }) => tax);
    return { rate: each, tax: sum([...taxes, moved]) };
  });
  return [...own, ...odd];
}

const event: fc.Arbitrary<CorrectionEvent> = fc.record({
  id: fc.constantFrom("x", "refund:x", "y", "fiscal_event:cancelled"),
  type: mostly(fc.constantFrom("refund", "return", "unknown"), fc.constantFrom("cancellation", "void")),
  amount: mostly(cents(-2_000, -1), oddAmount),
  lines: fc.array(fc.record({ baseDelta: amount, taxDelta: amount, taxRate: rate }), { maxLength: 2 }),
});

const facts = fc.record({
  currency: mostly(fc.constantFrom("EUR", "EUR", "USD", "JPY", "KWD"), fc.constant("ZZZ")),
  breakdown: fc.array(line, { maxLength: 4 }),
  discounts: mostly(fc.constant<Discount[]>([]), fc.array(discount, { maxLength: 2 })),
  unmappedTotals: fc.oneof(fc.constant<UnmappedTotal[]>([]), fc.array(unmapped, { maxLength: 2 })),
  events: fc.oneof(fc.constant<CorrectionEvent[]>([]), fc.array(event, { maxLength: 2 })),
  asksFullInvoice: fc.boolean(),
  client: fc.record({
    vatNumber: mostly(
      fc.constantFrom("", "12345678Z"),
      fc.constantFrom("BE0477472701", "x<>\u0000", "B12345674"),
    ),
    company: mostly(fc.constant(""), fc.string()),
    firstName: mostly(fc.constant("Ana"), fc.string()),
    lastName: mostly(fc.constant("Pérez"), fc.string()),
    country: mostly(fc.constant("ES"), fc.constantFrom("FR", "US", "??", "GB")),
  }),
});

const totalsSaid = fc.oneof(
  fc.constant(undefined),
  fc.record({
    moved: fc.constantFrom(...["0", "0.01", "-0.01"].map(decimal)),
    odd: mostly(fc.constant<TaxTotal[]>([]), fc.array(stated, { maxLength: 2 })),
    counts: fc.boolean(),
  }),
);

const sales = fc.record({
  treatments: fc.constant({
    pay: { as: "payment" },
    fee: { as: "fee", rate: decimal("21") },
    off: { as: "discount" },
  } as const),
  voucherKind: fc.constantFrom("multi_purpose", "single_purpose"),
  zeroRateBasis: fc.constantFrom("E1", "S1"),
  destinations: fc.constantFrom("domestic", "oss", "export", "intra_community").map(destinationsOf),
});

const rates: NonNullable<Situation["rates"]> = () => ({ outcome: "found", rate: decimal("1.0837") });

test("any facts at all", () => {
  let issuedOrders = 0;
  const length = often(800);
  fc.assert(
    fc.property(facts, sales, mostly(fc.constant(undefined), amount), totalsSaid, (...drawn) => {
      const [sent, declared, total, said] = drawn;
      const situation: Situation = { sales: declared, rates };
      const lines = anOrder(total === undefined ? sent : { ...sent, total });
      const taxTotals = said && taxTotalsOf(sent.breakdown, said.moved, said.odd);
      const moved = said && taxTotals && said.counts ? { total: sum([lines.total, said.moved]) } : {};
      const order = { ...lines, ...(taxTotals ? { taxTotals } : {}), ...moved };
      const first = course(order, situation);
      expect(next(first, {}, situation).issued).toEqual(first.issued);
      const [invoice] = first.issued;
      if (!invoice) return;
      issuedOrders += 1;
      const { totals, groups } = invoice.draft.document;
      expect(groups.length).toBeGreaterThan(0);
      if (invoice.acted.length > 0) return;
      const vouchers = order.breakdown.filter(
        (each) => each.kind === "gift_voucher" && declared.voucherKind === "multi_purpose",
      );
      const { payments = [] } = invoice.draft.document;
      const paid = sum(payments.map((payment) => payment.amount));
      const aside = sum(vouchers.map((voucher) => voucher.base));
      const scale = order.currency === "JPY" ? 0 : order.currency === "KWD" ? 3 : 2;
      const expected = round(subtract(sum([order.total, paid]), aside), scale);
      expect(totals.total).toBe(expected);
    }),
    length,
  );
  expect(issuedOrders).toBeGreaterThan(length.numRuns / 8);
});

const doubted: fc.Arbitrary<MissingFact> = fc.record(
  {
    what: fc.constantFrom("tax_rate", "vat_number", "country", "transactions", "toString", "?"),
    where: fc.constantFrom("a", "b", "nobody"),
    stated: fc.constantFrom("20", "EUR", "-1e9", ""),
    computed: fc.constantFrom("0", "x"),
  },
  { requiredKeys: ["what"] },
);

test("what was collected changes no decision", () => {
  fc.assert(
    fc.property(facts, sales, amount, (sent, declared, amountPaid) => {
      const situation: Situation = { sales: declared, rates };
      const plain = decide(anOrder(sent), situation);
      const paid = decide(anOrder({ ...sent, amountPaid }), situation);
      expect([paid.state, paid.reasons]).toEqual([plain.state, plain.reasons]);
      const unpaid = paid.effects.map((effect) => ({ ...effect, collected: undefined }));
      expect(unpaid).toEqual(plain.effects.map((effect) => ({ ...effect, collected: undefined })));
    }),
    often(300),
  );
});

test("an order whose shop lacks something issues nothing until it is released, then as its lines are", () => {
  fc.assert(
    fc.property(
      facts,
      sales,
      fc.array(doubted, { minLength: 1, maxLength: 3 }),
      (sent, declared, missing) => {
        const situation: Situation = { sales: declared, rates };
        const plain = decide(anOrder(sent), situation);
        const held = placed(anOrder({ ...sent, missing }), situation);
        expect(held.course.issued).toEqual([]);
        if (held.course.decision.state !== "held") {
          expect(held.course.decision).toEqual(plain);
          return;
        }
        const released = answering(held, { answer: "release" });
        expect(released.course.context.history.invoice !== undefined).toBe(plain.effects.length > 0);
        const [first] = released.course.issued;
        const [would] = plain.effects;
        expect(first?.draft).toEqual(would?.effect === "issue" ? would.draft : undefined);
      },
    ),
    often(300),
  );
});
