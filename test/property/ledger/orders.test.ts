import fc from "fast-check";
import { expect, test } from "vitest";
import { FAULT_STEPS, type FaultStep, strike } from "../../support/faults/fault-kinds.ts";
import { faults } from "../../support/faults/faults.ts";
import { expectOrdersConsistent } from "../../support/rules/consistency.ts";
import { keptProblems, REFUNDS, SHARED, SOLD } from "../../support/rules/kept-sums.ts";
import { often } from "../../support/rules/often.ts";
import type { OrderBooks } from "../../support/rules/order-rules.ts";
import { plainLedger } from "../../support/worlds/ledger-client.ts";
import {
  A_SENT_COMPANY,
  aSentOrder,
  openCommerce,
  orderIn,
  type SentBody,
} from "../../support/worlds/order-calls.ts";
import { type Dealing, dealingWith, NO_SALE, writesOrders } from "../../support/worlds/order-changes.ts";
import { MARTA } from "../../support/worlds/owners.ts";
import { aConsent, type Shop } from "../../support/worlds/shop.ts";

/** Any orders in any sequence, with any faults: each cent is accounted for. */

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
      expect(books.orders.flatMap((order) => keptProblems(order, books))).toEqual([]);
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
  share: SHARED,
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
