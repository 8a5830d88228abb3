/** How often orders go to D1 besides what `orders-ledger.test.ts` counts: answers, deferral, mixed groups. */
import { evictDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectOrdersConsistent } from "../support/rules/consistency.ts";
import { callsOf, clientOf, haveArrived } from "../support/worlds/ledger-client.ts";
import { aSentOrder, openCommerce, orderConnector, orderIn } from "../support/worlds/order-calls.ts";
import {
  DEEDS,
  type Dealing,
  dealing,
  HELD,
  plainly,
  REFUNDED,
  sendThree,
  writesOrders,
} from "../support/worlds/order-changes.ts";
import { ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let to: Dealing;

afterEach(async () => {
  await expectOrdersConsistent(shop.connectionId, { answers: to.answers });
});

async function openBooks(): Promise<void> {
  shop = await openCommerce();
  to = dealing(shop);
  await sendThree(to);
}

const turnCold = () => evictDurableObject(ledgerStub(shop));

/** The cost of a call, which its answer also gives to the log line. */
async function costOf(call: () => Promise<{ readonly d1Trips: number }>): Promise<number> {
  faults.take();
  const { d1Trips } = await call();
  expect(faults.trips()).toHaveLength(d1Trips);
  return d1Trips;
}

describe.each(Object.entries(DEEDS))("%s", (name, { act, id }) => {
  // An owner's answer is the last word: the fence follows it, though nothing is written.
  const again = name.startsWith("an owner's") ? 2 : 1;
  beforeEach(openBooks);

  test("costs two, warm or cold, and one when it comes again, two for an owner", async () => {
    await turnCold();
    expect(await costOf(() => act(to))).toBe(2);
    expect(await costOf(() => act(to))).toBe(again);
    await turnCold();
    expect(await costOf(() => act(to))).toBe(again);
    expect(await costOf(() => to.read(id))).toBe(1);
    await turnCold();
    expect(await costOf(() => to.read(id))).toBe(1);
    await openBooks();
    await to.send(aSentOrder("warm"));
    expect(await costOf(() => act(to))).toBe(2);
  });

  test("costs one more where the answer of its batch is lost, two where it never arrived", async () => {
    faults.when(writesOrders, loseAnswer());
    // The read, the batch, the closing that finds it: nothing is left to write.
    expect(await costOf(() => act(to))).toBe(3);
    await openBooks();
    faults.when(writesOrders, late());
    expect(await costOf(() => act(to))).toBe(4);
  });
});

describe("without consent", () => {
  beforeEach(async () => {
    shop = await openCommerce({ consented: false });
    to = dealing(shop);
  });

  test("an order costs two, and one when it comes again", async () => {
    expect(await costOf(() => to.send(aSentOrder("1")))).toBe(2);
    expect(await costOf(() => to.send(aSentOrder("2", HELD)))).toBe(2);
    expect(await costOf(() => to.send(aSentOrder("1")))).toBe(1);
    expect(await costOf(() => to.send(aSentOrder("1", REFUNDED)))).toBe(2);
    expect(plainly(await to.read("1"))).toBe("deferred deferred");
  });
});

describe("a preview", () => {
  beforeEach(openBooks);

  test.each([
    ["of a new order", "new", {}],
    ["of a refund", "known", REFUNDED],
    ["of a known, unchanged one", "known", {}],
  ])("%s costs one, warm or cold, and leaves nothing", async (_, id, body) => {
    const before = await expectOrdersConsistent(shop.connectionId);
    expect(await costOf(() => to.preview(aSentOrder(id, body)))).toBe(1);
    await turnCold();
    expect(await costOf(() => to.preview(aSentOrder(id, body)))).toBe(1);
    expect(await expectOrdersConsistent(shop.connectionId)).toEqual(before);
  });
});

describe("on a connection that also issues directly", () => {
  beforeEach(async () => {
    shop = await openShop();
    to = dealing(shop);
    await clientOf(shop).issue("warm");
    await to.send(aSentOrder("warm"));
  });

  test("64 orders after one held cost two more, all numbered without gap", async () => {
    const bound = orderConnector(shop, callsOf(ledgerStub(shop)));
    faults.take();
    const held = faults.when(writesOrders, gate());
    const first = bound.send(aSentOrder("first"));
    await held.reached();
    const others = Array.from({ length: 64 }, (_, index) => bound.send(aSentOrder(`o${index}`)));
    await haveArrived(shop, 65);
    held.open();
    const answers = await Promise.all([first, ...others]);
    expect(faults.trips()).toHaveLength(4);
    const numbers = answers.map((answer) => orderIn(answer).invoices[0]?.issued?.number);
    expect(numbers).toEqual(Array.from({ length: 65 }, (_, index) => index + 2));
  });

  test("orders and invoices that wait together are one group each, and neither waits for single ones", async () => {
    const stub = ledgerStub(shop);
    const [bound, direct] = [orderConnector(shop, callsOf(stub)), clientOf(shop, callsOf(stub))];
    faults.take();
    const held = faults.when(writesOrders, gate());
    const first = bound.send(aSentOrder("first"));
    await held.reached();
    const ids = Array.from({ length: 20 }, (_, index) => `e${index}`);
    const pairs = ids.map((id) => [bound.send(aSentOrder(id)), direct.issue(id)] as const);
    await haveArrived(shop, 41);
    held.open();
    await first;
    const outcomes = await Promise.all(pairs.flat());
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(ids.flatMap(() => ["taken", "issued"]));
    // Read and batch of the first; then read and batch of the orders, and the batch of the invoices.
    expect(faults.trips()).toHaveLength(5);
    const { invoices, orders } = await expectOrdersConsistent(shop.connectionId);
    expect(orders).toHaveLength(22);
    expect(invoices).toHaveLength(43);
  });
});

test("one order 20 times in parallel is one invoice, and all answers agree", async () => {
  shop = await openCommerce();
  to = dealing(shop);
  const answers = await Promise.all(Array.from({ length: 20 }, () => to.send(aSentOrder("same"))));
  const [first, ...others] = answers.map(orderIn);
  for (const other of others) expect(other).toEqual(first);
  expect(answers.filter((answer) => "created" in answer && answer.created)).toHaveLength(1);
  expect((await expectOrdersConsistent(shop.connectionId)).invoices).toHaveLength(1);
});
