import fc from "fast-check";
import { expect, test } from "vitest";
import { compare, decimal } from "../../../src/domain/shared/decimal.ts";
import { expectOrdersConsistent } from "../../support/rules/consistency.ts";
import { often } from "../../support/rules/often.ts";
import { type Browser, ownerOf, type ShopConsole, shopConsole } from "../../support/worlds/console.ts";
import { aSentLine, aSentOrder } from "../../support/worlds/order-calls.ts";
import { ring } from "../../support/worlds/shop.ts";

/**
 * Any history of answers to several orders: each order is invoiced once, for what its customer paid, an order
 * that is left out waits, and what a job says of its orders is what the books have.
 */

type Step =
  | { readonly do: "send"; readonly order: number; readonly cents: number }
  | {
      readonly do: "answer";
      readonly by: number;
      readonly rate: "21" | "10";
      readonly except: readonly number[];
    }
  | { readonly do: "dismiss"; readonly by: number; readonly except: readonly number[] }
  | { readonly do: "again" | "ring" | "preview"; readonly by: number };

const just = <Name extends string>(...names: readonly Name[]) => fc.constantFrom(...names);
const MOST = 5;
const by = fc.nat({ max: 1 });
const except = fc.subarray([0, 1, 2, 3, 4], { maxLength: 2 });

const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: just("send"), order: fc.nat({ max: MOST - 1 }) },
      cents: fc.constantFrom(100, 5_000, 9_999, 20_000),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: just("answer"), by, rate: just("21", "21", "10"), except }) },
  { weight: 1, arbitrary: fc.record({ do: just("dismiss"), by, except }) },
  { weight: 4, arbitrary: fc.record({ do: just("again", "ring", "ring", "preview"), by }) },
);

const TEXT = '["untreated_total","cod_fee"]';
const FEE_EUR = 3.63;
const ALLOWED = ["question_settled", "answer_not_together", "answers_running"];

let keys = 0;

interface Sent {
  readonly idempotency_key: string;
  readonly except: readonly string[];
}

class World {
  readonly shop: ShopConsole;
  readonly people: readonly [Browser, Browser];
  readonly told = new Set<string>();
  readonly sent: Sent[] = [];
  /** The payment of each order, as the last payload before its invoice stated it. */
  readonly totals = new Map<string, Set<string>>();

  constructor(shop: ShopConsole, people: readonly [Browser, Browser]) {
    this.shop = shop;
    this.people = people;
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case "send":
        return this.send(step.order, step.cents);
      case "ring":
        return ring(this.shop.shop).then(() => undefined);
      case "preview":
        return this.preview(step.by);
      case "again":
        return this.again(step.by);
      case "answer": {
        const answer = {
          answer: "declare_treatment",
          code: "cod_fee",
          treatment: { as: "fee", rate: step.rate },
        };
        return this.answer(step.by, { answer, except: step.except.map(idOf) });
      }
      case "dismiss":
        return this.answer(step.by, {
          ...{ answer: { answer: "dismiss", why: "Prueba" }, except: step.except.map(idOf) },
        });
    }
  }

  private async send(order: number, cents: number): Promise<void> {
    const base = cents / 100;
    const tax = Math.round(base * 21) / 100;
    const total = Math.round((base + tax + FEE_EUR) * 100) / 100;
    const body = aSentOrder(idOf(order), {
      ...{ total, breakdown: [aSentLine(base, tax, 21)] },
      unmapped_totals: [{ code: "cod_fee", title: "Recargo", value: FEE_EUR }],
    });
    await this.shop.connector.send(body);
    const known = this.totals.get(idOf(order)) ?? new Set();
    this.totals.set(idOf(order), known.add(total.toFixed(2)));
  }

  private at(path: string, query?: Record<string, string>): string {
    return this.shop.at(path, query);
  }

  private question() {
    return { connection: this.shop.shop.connectionId, text: TEXT };
  }

  private async preview(who: number): Promise<void> {
    const answer = { answer: "declare_treatment", code: "cod_fee", treatment: { as: "fee", rate: "21" } };
    const asked = { question: this.question(), answer, except: [] };
    const { status, body } = await this.one(who).post(this.at("/review/questions/preview"), asked);
    this.told.add(`preview ${body.error_code ?? status}`);
    expect(status).toBeLessThan(500);
    if (status !== 200) return;
    const { items, consequence } = body.data;
    const issued = items.filter(
      ({ would }: { would: { would: string } | null }) => would?.would === "issued",
    );
    expect(consequence?.issued ?? 0).toBe(issued.length);
  }

  private one(who: number): Browser {
    return this.people[who === 0 ? 0 : 1];
  }

  private async answer(who: number, more: { answer: object; except: readonly string[] }): Promise<void> {
    const sent = {
      idempotency_key: `key-any-bulk-${++keys}`,
      question: this.question(),
      remember: false,
      ...more,
    };
    await this.post(who, sent);
  }

  private async post(who: number, sent: Sent): Promise<void> {
    const { status, body } = await this.one(who).post(this.at("/review/questions/answers"), sent);
    this.told.add(`answer ${body.error_code ?? status}`);
    if (status === 200) {
      if (!this.sent.includes(sent)) this.sent.push(sent);
      return;
    }
    expect([status, body.error_code]).toEqual([status, expect.toBeOneOf(ALLOWED)]);
    expect(this.sent).not.toContain(sent);
  }

  /** The last answer once more: its answer may have been lost. */
  private async again(who: number): Promise<void> {
    const last = this.sent.at(-1);
    if (last) await this.post(who, last);
  }

  /** All that is begun ends, and says what the books have. */
  async settle(): Promise<void> {
    for (let turn = 0; turn <= 2 * this.sent.length; turn += 1) await ring(this.shop.shop);
    const books = await expectOrdersConsistent(this.shop.shop.connectionId);
    const issued = new Map<string, number>();
    for (const { idempotency_key: id, except: left } of this.sent) {
      const query = { connection: this.shop.shop.connectionId, id };
      const { data } = (await this.shop.owner.get(this.at("/review/questions/answers", query))).body;
      expect([data.done, data.endedAt]).toEqual([data.orders, expect.any(String)]);
      for (const { orderId, outcome } of data.outcomes as { orderId: string; outcome: string }[]) {
        expect(left).not.toContain(orderId);
        this.told.add(`outcome ${outcome}`);
        if (outcome === "issued") issued.set(orderId, (issued.get(orderId) ?? 0) + 1);
      }
    }
    for (const [orderId, times] of issued) expect([orderId, times]).toEqual([orderId, 1]);
    for (const { idExternal } of books.orders) await this.expectPaid(idExternal, issued.has(idExternal));
  }

  /** An order that an answer has issued has one invoice, of a total that its shop has sent. */
  private async expectPaid(id: string, isIssued: boolean): Promise<void> {
    const { body } = await this.shop.owner.get(this.shop.of("/order", { order_id: id }));
    const documents = body.data.documents as readonly { total: string }[];
    expect([id, documents.length]).toEqual([id, isIssued ? 1 : 0]);
    const paid = [...(this.totals.get(id) ?? [])].map(decimal);
    for (const { total } of documents) {
      expect([id, paid.some((one) => compare(one, decimal(total)) === 0)]).toEqual([id, true]);
    }
  }
}

function idOf(order: number): string {
  return `bulk-${order}`;
}

/** Outcomes that the histories must reach. */
const WANTED = ["answer 200", "answer question_settled", "preview 200", "outcome issued", "outcome changed"];

test("an answer to several orders invoices each once, for what was paid", { timeout: 240_000 }, async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 8, maxLength: 24 }), async (steps) => {
      const shop = await shopConsole();
      const world = new World(shop, [shop.owner, await ownerOf(shop.shop)]);
      for (const order of [0, 1]) await world.take({ do: "send", order, cents: 5_000 });
      for (const step of steps) await world.take(step);
      await world.settle();
      for (const one of world.told) reached.add(one);
    }),
    { ...often(48, 7), endOnFailure: true },
  );
  expect(
    WANTED.filter((one) => !reached.has(one)),
    [...reached].join(", "),
  ).toEqual([]);
});
