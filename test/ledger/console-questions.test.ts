/** One answer to all orders that ask the same question: list, preview, the job, and what is remembered. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { OrderAnswer } from "../../src/domain/order/answers/table.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import type { RequestOf } from "../../src/ledger/verbs/table.ts";
import {
  ABOUT_FEE,
  ASKS_ABOUT_FEE,
  ASKS_ABOUT_FEE_AND_RECIPIENT,
  FEE_AS_CHARGE,
} from "../support/builders/asking-orders.ts";
import { failBefore, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { SOLD } from "../support/rules/kept-sums.ts";
import { type ShopConsole, shopConsole } from "../support/worlds/console.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { aSentLine, aSentOrder, aSubmission, openCommerce } from "../support/worlds/order-calls.ts";
import { auditOf, statesOf } from "../support/worlds/owners.ts";
import { callerOf, ring, type Shop } from "../support/worlds/shop.ts";

let shop: ShopConsole;
const asked = () => ({ connection: shop.shop.connectionId, text: ABOUT_FEE });
const preview = (more: object = {}) =>
  shop.owner.post(shop.at("/review/questions/preview"), { question: asked(), except: [], ...more });
const answer = (key: string, more: object = {}) =>
  shop.owner.post(shop.at("/review/questions/answers"), {
    ...{ idempotency_key: key, question: asked(), answer: FEE_AS_CHARGE, except: [], remember: false },
    ...more,
  });
const job = async (key: string) => {
  const query = { connection: shop.shop.connectionId, id: key };
  return (await shop.owner.get(shop.at("/review/questions/answers", query))).body.data;
};
const outcomesOf = async (key: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await job(key)).outcomes.map(({ orderId, outcome }: { orderId: string; outcome: string }) => [
      orderId,
      outcome,
    ]),
  );
const questions = async (query: Record<string, string> = {}) =>
  (await shop.owner.get(shop.at("/review/questions", query))).body.data;

describe("with three orders that ask about an amount", () => {
  beforeEach(async () => {
    shop = await shopConsole();
    await shop.connector.send(aSentOrder("a", { ...ASKS_ABOUT_FEE, order_date: "2026-11-02 10:00:00" }));
    await shop.connector.send(aSentOrder("b", ASKS_ABOUT_FEE));
    await shop.connector.send(aSentOrder("c", ASKS_ABOUT_FEE_AND_RECIPIENT));
    await shop.connector.send(
      aSentOrder("other", { ...ASKS_ABOUT_FEE_AND_RECIPIENT, unmapped_totals: [], total: 411.48 }),
    );
  });

  test("equal questions are listed once, with number, oldest day and possible answers", async () => {
    const { items, next } = await questions();
    expect(next).toBeNull();
    expect(items).toMatchObject([
      {
        ...{ connectionId: shop.shop.connectionId, text: ABOUT_FEE, about: ["cod_fee"], orders: 3 },
        ...{ dueDate: "2026-11-02", orderId: "a" },
        reason: { code: "untreated_total", answers: ["declare_treatment", "dismiss"] },
      },
      { text: '["recipient_incomplete"]', orders: 1, orderId: "other" },
    ]);
    const ofReason = await questions({ reason: "recipient_incomplete" });
    expect(ofReason.items).toHaveLength(1);
  });

  test("an order says what it asks, and the answers that the others can get with it", async () => {
    const read = async (id: string) => (await shop.owner.get(shop.of("/order", { order_id: id }))).body.data;
    expect((await read("a")).asks).toEqual({
      ...{ text: ABOUT_FEE, code: "untreated_total", about: "cod_fee" },
      answers: ["declare_treatment", "dismiss"],
    });
    // The data of a customer are of one order.
    expect((await read("other")).asks).toMatchObject({ code: "recipient_incomplete", answers: [] });
    const recipient = { answer: "dismiss", why: "Prueba" };
    await shop.owner.post(shop.of("/order/answers"), { order_id: "other", answers: [recipient] });
    expect((await read("other")).asks).toBeNull();
  });

  test("a preview says for each order what the answer would do, and stores nothing", async () => {
    const plain = (await preview()).body.data;
    expect(plain).toMatchObject({ orders: 3, isMore: false, consequence: null });
    expect(plain.items.map(({ would }: { would: unknown }) => would)).toEqual([null, null, null]);
    expect(plain.choices.rates).toContain("21");
    const { items, consequence } = (await preview({ answer: FEE_AS_CHARGE, except: ["b"] })).body.data;
    expect(items).toMatchObject([
      { orderId: "a", would: { would: "issued", total: "124.63", currency: "EUR" } },
      { orderId: "b", would: null },
      { orderId: "c", would: { would: "waiting", message: expect.stringMatching(/.+/) } },
    ]);
    expect(consequence).toEqual({
      issued: 1,
      totals: [{ currency: "EUR", total: "124.63" }],
      waiting: 1,
    });
    expect(await statesOf(shop.shop)).toEqual({ held: 4 });
  });

  test("the answer reaches every order but those left out, each with its outcome and its line", async () => {
    const begun = await answer("key-00000001", { except: ["b"] });
    expect(begun).toMatchObject({ status: 200, body: { data: { orders: 2 } } });
    await ring(shop.shop);
    expect(await job("key-00000001")).toMatchObject({
      ...{ orders: 2, done: 2, issued: 1, endedAt: expect.any(String) },
      outcomes: [
        { orderId: "a", outcome: "issued", detail: "PED-1S-2026-000001" },
        { orderId: "c", outcome: "waiting", detail: "recipient_incomplete" },
      ],
    });
    expect(await statesOf(shop.shop)).toEqual({ held: 3, invoiced: 1 });
    const verbs = (await auditOf(shop.shop)).map(({ verb, facts }) => [verb, facts.order ?? ""]);
    expect(verbs).toEqual([
      ["answer_question", ""],
      ["answer_order", "a"],
      ["answer_order", "c"],
    ]);
    const { items } = await questions();
    expect(items.map(({ orders }: { orders: number }) => orders)).toEqual([2, 1]);
    await expectBooksConsistent(shop.shop.connectionId);
  });

  test("a remembered answer decides the next orders, and not the order that was left out", async () => {
    await answer("key-00000002", { except: ["b"], remember: true });
    await ring(shop.shop);
    await ring(shop.shop);
    expect(await job("key-00000002")).toMatchObject({ orders: 2, done: 2, issued: 1 });
    expect(await outcomesOf("key-00000002")).toEqual({ a: "issued", b: "apart", c: "waiting" });
    const later = await shop.connector.send(aSentOrder("later", ASKS_ABOUT_FEE));
    expect(later).toMatchObject({ outcome: "taken", order: { state: "invoiced" } });
    expect(await statesOf(shop.shop)).toEqual({ held: 3, invoiced: 2 });
    const own = await shop.owner.post(shop.of("/order/answers"), { order_id: "b", answers: [FEE_AS_CHARGE] });
    expect(own.body.data.state).toBe("invoiced");
    await expectBooksConsistent(shop.shop.connectionId);
  });

  test("the same request again is the same job, with one line", async () => {
    await answer("key-00000003");
    await answer("key-00000003");
    await ring(shop.shop);
    expect((await answer("key-00000003")).body.data).toMatchObject({ orders: 3, done: 3 });
    const lines = (await auditOf(shop.shop)).filter(({ verb }) => verb === "answer_question");
    expect(lines).toHaveLength(1);
  });

  test("an order changed since it was seen is told and left alone, a later one is not taken", async () => {
    const { asOf } = (await preview({ answer: FEE_AS_CHARGE })).body.data;
    await shop.connector.send(
      aSentOrder("b", { ...ASKS_ABOUT_FEE, total: 245.63, breakdown: [aSentLine(200, 42, 21)] }),
    );
    await shop.connector.send(aSentOrder("new", ASKS_ABOUT_FEE));
    await answer("key-00000004", { as_of: asOf });
    await ring(shop.shop);
    expect(await outcomesOf("key-00000004")).toEqual({ a: "issued", b: "changed", c: "waiting" });
    expect((await job("key-00000004")).done).toBe(3);
  });

  test("of two people at once one acts, and the other is told", async () => {
    const other = { ...FEE_AS_CHARGE, treatment: { as: "fee", rate: "10" } };
    await answer("key-00000005");
    await answer("key-00000006", { answer: other });
    await ring(shop.shop);
    await ring(shop.shop);
    expect(await outcomesOf("key-00000005")).toEqual({ a: "issued", b: "issued", c: "waiting" });
    expect(await outcomesOf("key-00000006")).toEqual({ a: "changed", b: "changed", c: "changed" });
    expect((await answer("key-00000007")).body.error_code).toBe("question_settled");
  });

  test.each<[says: string, more: object, code: string]>([
    [
      "an answer about another amount",
      { answer: { answer: "declare_treatment", code: "box", treatment: { as: "payment" } } },
      "answer_not_together",
    ],
    ["an approval", { answer: { answer: "approve" } }, "answer_not_together"],
    [
      "a dismissal that should be remembered",
      { answer: { answer: "dismiss", why: "Pruebas" }, remember: true },
      "answer_not_remembered",
    ],
  ])("%s is refused, and nothing is begun", async (_, more, code) => {
    expect((await answer("key-00000008", more)).body.error_code).toBe(code);
    const unknown = await shop.owner.get(
      shop.at("/review/questions/answers", { connection: shop.shop.connectionId, id: "key-00000008" }),
    );
    expect(unknown.status).toBe(404);
  });

  test("a dismissal settles all of them", async () => {
    await answer("key-00000009", { answer: { answer: "dismiss", why: "Pedidos de prueba" } });
    await ring(shop.shop);
    expect(await outcomesOf("key-00000009")).toEqual({ a: "settled", b: "settled", c: "settled" });
    expect(await statesOf(shop.shop)).toEqual({ held: 1, stored: 3 });
  });
});

describe("with two orders that two corrections hold after their invoice", () => {
  test("a dismissal is previewed as it acts: the reason that is asked about, and no other", async () => {
    shop = await shopConsole();
    const events = [
      { id_external_event: "e", event_type: "refund", amount: -22.22 },
      { id_external_event: "v1", event_type: "void" },
    ];
    for (const id of ["x", "y"]) {
      await shop.connector.send(aSentOrder(id, SOLD));
      await shop.connector.send(aSentOrder(id, { ...SOLD, correction_events: events }));
    }
    const [{ text, orders, reason }] = (await questions()).items;
    expect([orders, reason.code]).toEqual([2, "refund_lines_needed"]);
    const dismissed = {
      question: { connection: shop.shop.connectionId, text },
      answer: { answer: "dismiss", why: "Acordado por teléfono" },
    };
    const { items, consequence } = (await preview(dismissed)).body.data;
    expect(items.map(({ would }: { would: { would: string } }) => would.would)).toEqual([
      "waiting",
      "waiting",
    ]);
    expect(consequence).toEqual({ issued: 0, totals: [], waiting: 2 });
    await answer("key-00000011", dismissed);
    await ring(shop.shop);
    expect(await outcomesOf("key-00000011")).toEqual({ x: "waiting", y: "waiting" });
    expect((await questions()).items).toMatchObject([{ orders: 2, reason: { code: "annulment_review" } }]);
    await expectBooksConsistent(shop.shop.connectionId);
  });
});

describe("a job that is cut off", () => {
  const given: OrderAnswer = {
    answer: "declare_treatment",
    code: "cod_fee",
    treatment: { as: "fee", rate: decimal("21") },
  };
  const request: RequestOf<"answer_question"> = {
    verb: "answer_question",
    ...{ id: "key-of-the-crash", question: ABOUT_FEE, answer: given, except: [], remember: false },
    asOf: Number.MAX_SAFE_INTEGER,
  };
  const ORDERS = 60;
  const writesOutcomes = (sql: readonly string[]) =>
    sql.some((text) => text.startsWith('update "review_job_order"'));

  async function outcomes({ connectionId }: Shop) {
    const { results } = await env.LEDGER_000.prepare(
      "SELECT outcome, count(*) AS orders FROM review_job_order WHERE connection_id = ? GROUP BY outcome",
    )
      .bind(connectionId)
      .all<{ outcome: string | null; orders: number }>();
    return results;
  }

  test.each([
    ["before its second batch", failBefore],
    ["after its second batch, whose answer was lost", loseAnswer],
  ])("%s goes on with the rest, and every order is answered once", async (_, fault) => {
    const opened = await openCommerce();
    const { ledger } = plainLedger(opened);
    const ids = Array.from({ length: ORDERS }, (_, index) => `o${String(index).padStart(2, "0")}`);
    for (const id of ids)
      await ledger.submitOrder(callerOf(opened), aSubmission(aSentOrder(id, ASKS_ABOUT_FEE)));
    expect((await ledger.act(opened.connectionId, "ana", request)).outcome).toBe("done");
    let batches = 0;
    const isSecond = (sql: readonly string[]) => {
      if (writesOutcomes(sql)) batches += 1;
      return writesOutcomes(sql) && batches === 2;
    };
    faults.when(isSecond, fault());
    await ledger.wake();
    // A new instance, as after a crash.
    const next = plainLedger(opened).ledger;
    await next.wake();
    expect(await outcomes(opened)).toEqual([{ outcome: "issued", orders: ORDERS }]);
    expect(await statesOf(opened)).toEqual({ invoiced: ORDERS });
    const lines = (await auditOf(opened)).filter(({ verb }) => verb === "answer_order");
    expect(lines).toHaveLength(ORDERS);
    await expectBooksConsistent(opened.connectionId);
  });
});
