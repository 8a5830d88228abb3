/** Every change of an order with every fault of D1. */
import { describe, expect, test } from "vitest";
import { failBefore, gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { faultyChange } from "../support/worlds/faulty-change.ts";
import { aSentOrder } from "../support/worlds/order-calls.ts";
import { closes, DEEDS, readsOrders, writesOrders } from "../support/worlds/order-changes.ts";

const STALE = "fence:stale_head";
const UNAVAILABLE = { outcome: "unavailable", cause: "d1" };

describe.each(Object.entries(DEEDS))("%s", (_, deed) => {
  const change = faultyChange(deed);

  test("while D1 is down for its read: 503, and a retry is taken", async () => {
    faults.when(readsOrders, failBefore());
    expect(await change.act()).toMatchObject(UNAVAILABLE);
    await change.nothingHappened();
    change.done(await change.act());
  });

  test("while D1 is down for its batch: it is sent again", async () => {
    faults.when(writesOrders, failBefore());
    change.done(await change.act());
  });

  test("while D1 is down for its batch and the closing: 503, and a retry is taken", async () => {
    faults.when(writesOrders, failBefore());
    faults.when(closes, failBefore());
    expect(await change.act()).toMatchObject(UNAVAILABLE);
    await change.nothingHappened();
    change.done(await change.act());
  });

  test("with a lost answer is found, and answered as it is", async () => {
    faults.when(writesOrders, loseAnswer());
    change.done(await change.act());
  });

  test("with a lost answer and a lost closing: 503, and a retry finds it", async () => {
    faults.when(writesOrders, loseAnswer());
    faults.when(closes, loseAnswer());
    expect(await change.act()).toMatchObject(UNAVAILABLE);
    change.done(await change.act(), false);
  });

  test("with a batch that lands after it was done anew: the batch is refused", async () => {
    const batch = faults.when(writesOrders, late());
    change.done(await change.act());
    await expect(batch.release()).rejects.toThrow(STALE);
  });

  test("with a batch that lands before it is closed: the batch counts", async () => {
    const batch = faults.when(writesOrders, late());
    const closing = faults.when(closes, gate());
    const acted = change.act();
    await closing.reached();
    await batch.release();
    closing.open();
    change.done(await acted);
  });

  test("with a batch that lands between closing and the next batch: it is refused", async () => {
    const batch = faults.when(writesOrders, late());
    const again = faults.when(writesOrders, gate());
    const acted = change.act();
    await again.reached();
    await expect(batch.release()).rejects.toThrow(STALE);
    again.open();
    change.done(await acted);
  });

  test("with a batch that lands after a 503, before the next call: a retry finds it", async () => {
    const batch = faults.when(writesOrders, late());
    faults.when(closes, failBefore());
    expect(await change.act()).toMatchObject(UNAVAILABLE);
    await batch.release();
    await change.to.send(aSentOrder("other"));
    change.done(await change.act(), false);
  });

  test("with a batch that lands after a 503 and the next call: it is refused, and a retry is accepted", async () => {
    const batch = faults.when(writesOrders, late());
    faults.when(closes, failBefore());
    expect(await change.act()).toMatchObject(UNAVAILABLE);
    await change.to.send(aSentOrder("other"));
    await expect(batch.release()).rejects.toThrow(STALE);
    change.done(await change.act());
  });
});
