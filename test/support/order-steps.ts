/** Steps that orders, their owner and their faults take in any order, on two ledgers of one database. */
import fc from "fast-check";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { FAULT_STEPS, type FaultStep, strike } from "./fault-steps.ts";
import { plainLedger } from "./ledger-client.ts";
import { A_SENT_COMPANY, aSentLine, aSentOrder, aSentRefund, type SentBody } from "./order-calls.ts";
import { type Dealing, dealingWith, NO_SALE } from "./order-deeds.ts";
import { MARTA } from "./owners.ts";
import { writesOrders } from "./releasing.ts";
import { aConsent, type Shop } from "./shop.ts";

export const SOLD = { total: 176, breakdown: [aSentLine(100, 21, 21), aSentLine(50, 5, 10)] };

/** What goes back of each rate, the share of those that name no rate being the owner's to say. */
export const REFUNDS: Readonly<
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

export type Step =
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

export const aStep: fc.Arbitrary<Step> = fc.oneof(
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

const FLAGS: Readonly<Record<Flag, SentBody>> = {
  plain: {},
  cancelled: { fiscal_event: "cancelled" },
  full: { fiscal_event: "full_invoice_requested", client: A_SENT_COMPANY },
  // Asks for nothing yet.
  incomplete: { fiscal_event: "none" },
};

/** Two ledgers on one database, as during a deploy, each of which may forget everything. */
export class World {
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
