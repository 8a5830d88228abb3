/** Any orders in any sequence, with any faults: each cent is accounted for. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  absolute,
  type Decimal,
  decimal,
  isAtMost,
  isZero,
  percentOf,
  subtract,
  sum,
  ZERO,
} from "../../../src/domain/shared/decimal.ts";
import { faults } from "../../support/faults.ts";
import { plainLedger } from "../../support/ledger-client.ts";
import {
  generationsOf,
  grossByRate,
  type OrderBooks,
  remainingGroups,
  type StoredOrderRow,
} from "../../support/order-books.ts";
import { aSentOrder, openCommerce, orderIn } from "../../support/order-calls.ts";
import { expectOrdersConsistent } from "../../support/order-consistency.ts";
import { dealingWith } from "../../support/order-deeds.ts";
import { aStep, REFUNDS, SOLD, World } from "../../support/order-steps.ts";

const CENT = decimal("0.01");
const SOLD_BY_RATE = { "21": decimal("121"), "10": decimal("55") };

/** The remainder of each rate is the sale less exactly the events that acted, to the cent. */
function expectKept(order: StoredOrderRow, books: OrderBooks): void {
  const { idExternal, state } = order;
  const generations = generationsOf(order, books);
  const { first } = generations.at(-1) ?? {};
  if (!first || state === "cancelled") return;
  const acted = order.acted.filter(({ generation = 1 }) => generation === generations.length);
  for (const { id, taken, how } of acted) {
    const refund = REFUNDS[id];
    const grossAt = (rate: Decimal) =>
      sum(taken.filter((part) => part.rate === rate).map(({ gross }) => gross));
    if (refund && how !== "annulled") {
      expect([grossAt(decimal("21")), grossAt(decimal("10"))], `${idExternal} ${id}`).toEqual([
        decimal(refund.at21),
        decimal(refund.at10),
      ]);
    }
  }
  const groups = remainingGroups(first, books);
  const left = grossByRate(groups);
  for (const [rate, sold] of Object.entries(SOLD_BY_RATE)) {
    const gone = acted.flatMap(({ taken }) => taken.filter((part) => part.rate === rate));
    const kept = subtract(sold, sum(gone.map(({ gross }) => gross)));
    expect(left.get(decimal(rate)) ?? ZERO, `${idExternal} at ${rate} %`).toBe(kept);
    const ofRate = groups.filter((group) => group.rate === rate).map(({ amounts }) => amounts);
    const base = sum(ofRate.map((amounts) => amounts.base));
    const tax = sum(ofRate.map((amounts) => amounts.tax));
    const off = absolute(subtract(tax, percentOf(base, decimal(rate), 2)));
    expect(isAtMost(off, CENT), `${idExternal}: ${base} of base and ${tax} of tax at ${rate} %`).toBe(true);
  }
  if (state === "rectified") expect([...left.values()].every(isZero)).toBe(true);
}

/** Every caller of every ledger gets the same answer, and a repeat changes nothing. */
async function expectSettled(world: World, books: OrderBooks): Promise<void> {
  const fresh = dealingWith(world.shop, plainLedger(world.shop).ledger);
  for (const { idExternal } of books.orders) {
    const reads = [await world.to(0).read(idExternal), await world.to(1).read(idExternal)];
    const one = orderIn(await fresh.read(idExternal));
    for (const other of reads) expect(orderIn(other)).toEqual(one);
  }
}

test("each event acts once, and documents sum to the kept amounts", { timeout: 240_000 }, async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 6, maxLength: 20 }), async (steps) => {
      faults.reset();
      const world = new World(await openCommerce());
      for (const step of steps) await world.take(step);
      faults.reset();
      const since = await expectOrdersConsistent(world.shop.connectionId, { answers: world.told });
      // At the end: orders that waited for consent are decided, and every caller without an answer asks
      // again.
      await world.consent(0);
      await world.ledger(0).wake();
      for (const id of ["1", "2", "3:x"]) await world.hear(world.to(1).send(aSentOrder(id, SOLD)));
      const look = { answers: world.told, since };
      const books = await expectOrdersConsistent(world.shop.connectionId, look);
      for (const order of books.orders) expectKept(order, books);
      await expectSettled(world, books);
      expect(books.orders.filter(({ state }) => state === "deferred")).toEqual([]);
      for (const { outcome } of world.told) reached.add(outcome);
      for (const { state } of [...since.orders, ...books.orders]) reached.add(state);
    }),
    { numRuns: 60, seed: 20_261_128 },
  );
  const everything = ["failed", "refused", "taken", "unavailable"];
  const states = ["cancelled", "deferred", "held", "invoiced", "partially_rectified", "rectified", "stored"];
  expect([...reached].toSorted(), "the steps reach every outcome").toEqual(
    [...everything, ...states].toSorted(),
  );
});
