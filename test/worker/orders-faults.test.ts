/**
 * Every change of an order with every fault of D1 and of the object: it happens once, whole, or not at all.
 */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AnswerOutcome } from "../../src/ledger/orders/order-outcomes.ts";
import { answerGate, failBefore, gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectOrdersConsistent, type StoredBooks } from "../support/rules/consistency.ts";
import { aSentOrder, openCommerce } from "../support/worlds/order-calls.ts";
import {
  closes,
  DEEDS,
  type Dealing,
  dealing,
  plainly,
  readsOrders,
  sendThree,
  writesOrders,
} from "../support/worlds/order-changes.ts";
import { auditOf } from "../support/worlds/owners.ts";
import { ledgerStub, type Shop } from "../support/worlds/shop.ts";

const STALE = "fence:stale_head";
const UNAVAILABLE = { outcome: "unavailable", cause: "d1" };

describe.each(Object.entries(DEEDS))("%s", (_, { id, act, before, after }) => {
  let shop: Shop;
  let to: Dealing;
  let since: StoredBooks;

  beforeEach(async () => {
    shop = await openCommerce();
    to = dealing(shop);
    await sendThree(to);
    since = await expectOrdersConsistent(shop.connectionId);
    expect(await standing()).toBe(before);
  });

  /** After any fault: once, as answered, and the same change again changes nothing more. */
  afterEach(async () => {
    expect(faults.pending(), "every fault was met").toEqual([]);
    const { answers } = to;
    const books = await expectOrdersConsistent(shop.connectionId, { answers, since });
    expect(await standing()).toBe(after);
    expect(await act(to)).toMatchObject({ outcome: "taken", created: false });
    expect(await standing()).toBe(after);
    expect(await expectOrdersConsistent(shop.connectionId, { answers })).toEqual(books);
    expect((await auditOf(shop)).length).toBeLessThanOrEqual(1);
  });

  const standing = async () => plainly(await to.read(id));
  const isNew = before === undefined;
  const done = (outcome: AnswerOutcome, created = isNew) => {
    expect(outcome).toMatchObject({ outcome: "taken", created });
    expect(plainly(outcome)).toBe(after);
  };
  const nothingHappened = async () => {
    const { invoices, records } = await expectOrdersConsistent(shop.connectionId);
    expect({ invoices, records }).toEqual({ invoices: since.invoices, records: since.records });
    expect(await standing()).toBe(before);
  };
  const kill = async () => {
    await runInDurableObject(ledgerStub(shop), (_, state) => state.abort()).catch(() => undefined);
  };

  test("while D1 is down for its read: 503, and a retry is taken", async () => {
    faults.when(readsOrders, failBefore());
    expect(await act(to)).toMatchObject(UNAVAILABLE);
    await nothingHappened();
    done(await act(to));
  });

  test("while D1 is down for its batch: it is sent again", async () => {
    faults.when(writesOrders, failBefore());
    done(await act(to));
  });

  test("while D1 is down for its batch and the closing: 503, and a retry is taken", async () => {
    faults.when(writesOrders, failBefore());
    faults.when(closes, failBefore());
    expect(await act(to)).toMatchObject(UNAVAILABLE);
    await nothingHappened();
    done(await act(to));
  });

  test("with a lost answer is found, and answered as it is", async () => {
    faults.when(writesOrders, loseAnswer());
    done(await act(to));
  });

  test("with a lost answer and a lost closing: 503, and a retry finds it", async () => {
    faults.when(writesOrders, loseAnswer());
    faults.when(closes, loseAnswer());
    expect(await act(to)).toMatchObject(UNAVAILABLE);
    done(await act(to), false);
  });

  test("with a batch that lands after it was done anew: the batch is refused", async () => {
    const batch = faults.when(writesOrders, late());
    done(await act(to));
    await expect(batch.release()).rejects.toThrow(STALE);
  });

  test("with a batch that lands before it is closed: the batch counts", async () => {
    const batch = faults.when(writesOrders, late());
    const closing = faults.when(closes, gate());
    const acted = act(to);
    await closing.reached();
    await batch.release();
    closing.open();
    done(await acted);
  });

  test("with a batch that lands between closing and the next batch: it is refused", async () => {
    const batch = faults.when(writesOrders, late());
    const again = faults.when(writesOrders, gate());
    const acted = act(to);
    await again.reached();
    await expect(batch.release()).rejects.toThrow(STALE);
    again.open();
    done(await acted);
  });

  test("with a batch that lands after a 503, before the next call: a retry finds it", async () => {
    const batch = faults.when(writesOrders, late());
    faults.when(closes, failBefore());
    expect(await act(to)).toMatchObject(UNAVAILABLE);
    await batch.release();
    await to.send(aSentOrder("other"));
    done(await act(to), false);
  });

  test("with a batch that lands after a 503 and the next call: it is refused, and a retry is accepted", async () => {
    const batch = faults.when(writesOrders, late());
    faults.when(closes, failBefore());
    expect(await act(to)).toMatchObject(UNAVAILABLE);
    await to.send(aSentOrder("other"));
    await expect(batch.release()).rejects.toThrow(STALE);
    done(await act(to));
  });

  /** The batch is under way, neither sent nor given up, when the object ends. */
  async function killInBatch() {
    const batch = faults.when(writesOrders, late({ givenUp: "on demand" }));
    const ended = expect(act(to)).rejects.toThrow();
    await batch.reached();
    await kill();
    await ended;
    return batch;
  }

  test("killed in its batch, which never arrives: a retry is taken", async () => {
    await killInBatch();
    await nothingHappened();
    done(await act(to));
  });

  test("killed in its batch, which arrives before the retry: that finds it", async () => {
    const batch = await killInBatch();
    await batch.release();
    done(await act(to), false);
  });

  test("killed in its batch, which arrives after the retry: it is refused", async () => {
    const batch = await killInBatch();
    done(await act(to));
    await expect(batch.release()).rejects.toThrow(STALE);
  });

  test("killed in its batch, which arrives while that of the retry is under way: that finds it", async () => {
    const batch = await killInBatch();
    const held = faults.when(writesOrders, gate());
    const retried = act(to);
    await held.reached();
    await batch.release();
    held.open();
    done(await retried, false);
  });

  test("killed between commit and answer: a retry finds it", async () => {
    const held = faults.when(writesOrders, answerGate());
    const ended = expect(act(to)).rejects.toThrow();
    await held.answered();
    await kill();
    await ended;
    done(await act(to), false);
  });
});
