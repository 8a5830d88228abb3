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
import { FAULT_STEPS, type FaultStep, strike } from "../../support/faults/fault-kinds.ts";
import { faults } from "../../support/faults/faults.ts";
import { expectOrdersConsistent } from "../../support/rules/consistency.ts";
import { often } from "../../support/rules/often.ts";
import {
  generationsOf,
  grossByRate,
  type OrderBooks,
  remainingGroups,
  type StoredOrderRow,
} from "../../support/rules/order-rules.ts";
import { plainLedger } from "../../support/worlds/ledger-client.ts";
import {
  A_SENT_COMPANY,
  aSentLine,
  aSentOrder,
  aSentRefund,
  openCommerce,
  orderIn,
  type SentBody,
} from "../../support/worlds/order-calls.ts";
import { type Dealing, dealingWith, NO_SALE, writesOrders } from "../../support/worlds/order-changes.ts";
import { MARTA } from "../../support/worlds/owners.ts";
import { aConsent, type Shop } from "../../support/worlds/shop.ts";

/** Any orders in any sequence, with any faults: each cent is accounted for. */

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
  const [reached, used] = [new Set<string>(), new Set<string>()];
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 6, maxLength: 20 }), async (steps) => {
      faults.reset();
      const world = new World(await openCommerce());
      for (const step of steps) {
        for (const operator of operatorsOf(step)) used.add(operator);
        await world.take(step);
      }
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
    often(60, 4),
  );
  const everything = ["failed", "refused", "taken", "unavailable"];
  const states = ["cancelled", "deferred", "held", "invoiced", "partially_rectified", "rectified", "stored"];
  expect([...reached].toSorted(), "the steps reach every outcome").toEqual(
    [...everything, ...states].toSorted(),
  );
  expect([...used].toSorted(), "the steps are of every kind").toEqual(EVERY_OPERATOR.toSorted());
});

/** Steps that orders, their owner and their faults take in any order, on two ledgers of one database. */

const SOLD = { total: 176, breakdown: [aSentLine(100, 21, 21), aSentLine(50, 5, 10)] };

/** The refund of each rate; the owner decides on the share of refunds without a rate. */
const REFUNDS: Readonly<
  Record<string, { readonly body: SentBody; readonly at21: string; readonly at10: string }>
> = {
  a: { body: aSentRefund("a", 8.26, 1.74, 21), at21: "10", at10: "0" },
  b: { body: aSentRefund("b", 9.09, 0.91, 10), at21: "0", at10: "10" },
  c: { body: aSentRefund("c", 60, 12.6, 21), at21: "72.6", at10: "0" },
  d: {
    body: {
      id_external_event: "d",
      event_type: "return",
      lines: [
        { base_delta: -27.27, tax_rate: 10, tax_delta: -2.73 },
        { base_delta: -27.54, tax_rate: 21, tax_delta: -5.79 },
      ],
    },
    at21: "33.33",
    at10: "30",
  },
  e: { body: { id_external_event: "e", event_type: "refund", amount: -22.22 }, at21: "11.11", at10: "11.11" },
};
const EVENTS = [...Object.keys(REFUNDS), "v1"];
const eventBody = (id: string): SentBody =>
  REFUNDS[id]?.body ?? { id_external_event: id, event_type: "void" };

type Flag = "plain" | "cancelled" | "full" | "incomplete";

type Step =
  | {
      readonly do: "send";
      readonly id: string;
      readonly to: number;
      readonly events: readonly string[];
      readonly flag: Flag;
      readonly isOld: boolean;
    }
  | { readonly do: "answer"; readonly id: string; readonly to: number; readonly answer: AnswerName }
  | { readonly do: "together"; readonly id: string; readonly events: readonly string[] }
  | { readonly do: "withdraw" | "consent" | "wake" | "evict"; readonly to: number }
  | { readonly do: FaultStep };

const ANSWERS = {
  share: {
    answer: "share_event",
    eventId: "e",
    shares: [
      { rate: decimal("21"), gross: decimal("11.11") },
      { rate: decimal("10"), gross: decimal("11.11") },
    ],
  },
  noSale: NO_SALE,
  cancel: { answer: "issue_cancellation" },
  issue: { answer: "issue" },
  dismiss: { answer: "dismiss", why: "settled by telephone" },
  full: { answer: "ask_full_invoice" },
} as const;
type AnswerName = keyof typeof ANSWERS;

const anId = fc.constantFrom("1", "2", "3:x");
const aLedger = fc.nat({ max: 1 });
const events = fc
  .subarray(EVENTS, { maxLength: 3 })
  .chain((ids) => fc.shuffledSubarray(ids, { minLength: ids.length }));
const just = <T extends string>(...names: readonly T[]) => fc.constantFrom(...names);

const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: just("send"),
      id: anId,
      to: aLedger,
      events,
      flag: just<Flag>("plain", "plain", "plain", "cancelled", "full", "incomplete"),
      isOld: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: just("answer"),
      id: anId,
      to: aLedger,
      answer: fc.constantFrom(...(Object.keys(ANSWERS) as AnswerName[])),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: just("together"), id: anId, events }) },
  { weight: 2, arbitrary: fc.record({ do: just("withdraw", "consent", "wake", "evict"), to: aLedger }) },
  { weight: 3, arbitrary: fc.record({ do: just(...FAULT_STEPS) }) },
);

/** Kinds of a step: what is done, and what is drawn for it. */
function operatorsOf(step: Step): string[] {
  if (step.do === "answer") return [`answer ${step.answer}`];
  if (step.do === "together") return [step.do, ...step.events.map((id) => `event ${id}`)];
  if (step.do !== "send") return [step.do];
  const age = step.isOld ? "old" : "new";
  return [`send ${step.flag}`, `send ${age}`, ...step.events.map((id) => `event ${id}`)];
}

const FLAGS: Readonly<Record<Flag, SentBody>> = {
  plain: {},
  cancelled: { fiscal_event: "cancelled" },
  full: { fiscal_event: "full_invoice_requested", client: A_SENT_COMPANY },
  // Asks for nothing yet.
  incomplete: { fiscal_event: "none" },
};

const EVERY_OPERATOR: readonly string[] = [
  ...Object.keys(FLAGS).map((flag) => `send ${flag}`),
  ...["send old", "send new", "together", "withdraw", "consent", "wake", "evict"],
  ...EVENTS.map((id) => `event ${id}`),
  ...Object.keys(ANSWERS).map((name) => `answer ${name}`),
  ...FAULT_STEPS,
];

/** Two ledgers on one database, as during a deploy, each of which may forget everything. */
class World {
  readonly shop: Shop;
  readonly told: Dealing["answers"][number][] = [];
  #dealings: Dealing[];
  #ledgers: ReturnType<typeof plainLedger>[];
  #sent = 0;

  constructor(shop: Shop) {
    this.shop = shop;
    this.#ledgers = [plainLedger(shop), plainLedger(shop)];
    this.#dealings = this.#ledgers.map(({ ledger }) => dealingWith(shop, ledger));
  }

  async take(step: Step): Promise<unknown> {
    switch (step.do) {
      case "send":
        return this.hear(this.to(step.to).send(this.#body(step)));
      case "answer":
        return this.hear(this.to(step.to).answer(step.id, ANSWERS[step.answer]));
      case "together":
        return this.#together(step);
      case "withdraw":
        return this.ledger(step.to).act(this.shop.connectionId, MARTA, { verb: "withdraw_consent" });
      case "consent":
        return this.consent(step.to);
      case "wake":
        return this.ledger(step.to).wake();
      case "evict":
        return this.#evict(step.to);
      default:
        return strike(step.do, writesOrders);
    }
  }

  async hear(answer: Promise<Dealing["answers"][number]>): Promise<void> {
    this.told.push(await answer);
  }

  to(index: number): Dealing {
    return this.#dealings[index] ?? this.#dealings[0] ?? fail();
  }

  ledger(index: number) {
    return (this.#ledgers[index] ?? this.#ledgers[0] ?? fail()).ledger;
  }

  consent(index: number) {
    return this.ledger(index).act(
      this.shop.connectionId,
      MARTA,
      aConsent(`co${this.shop.connectionId}${this.#next()}`),
    );
  }

  #next(): string {
    this.#sent += 1;
    return String(this.#sent).padStart(4, "0");
  }

  /** Each body says when it was changed: later than those before it, or long ago. */
  #body({ id, events: ids, flag, isOld }: Extract<Step, { do: "send" }>): SentBody {
    const minute = this.#next();
    const time = `2026-11-2${isOld ? 1 : 5}T${minute.slice(0, 2)}:${minute.slice(2)}:00Z`;
    return aSentOrder(id, {
      ...SOLD,
      ...FLAGS[flag],
      updated_at: time,
      correction_events: ids.map(eventBody),
    });
  }

  /** One event after the other and all of them at once, through both ledgers. */
  #together({ id, events: ids }: Extract<Step, { do: "together" }>): Promise<unknown> {
    const bodies = [[], ...ids.map((event) => [event]), ids];
    return Promise.all(
      bodies.map((some, index) => {
        const sent = aSentOrder(id, { ...SOLD, correction_events: some.map(eventBody) });
        return this.hear(this.to(index % 2).send(sent));
      }),
    );
  }

  #evict(index: number): void {
    const fresh = plainLedger(this.shop);
    this.#ledgers[index] = fresh;
    this.#dealings[index] = dealingWith(this.shop, fresh.ledger);
  }
}

function fail(): never {
  throw new Error("there are two ledgers");
}
