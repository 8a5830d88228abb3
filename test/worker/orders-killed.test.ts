/** Every change of an order during which its object is killed. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { answerGate, gate, late } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { faultyChange } from "../support/worlds/faulty-change.ts";
import { DEEDS, writesOrders } from "../support/worlds/order-changes.ts";
import { ledgerStub } from "../support/worlds/shop.ts";

const STALE = "fence:stale_head";

describe.each(Object.entries(DEEDS))("%s", (_, deed) => {
  const change = faultyChange(deed);
  const kill = async () => {
    await runInDurableObject(ledgerStub(change.shop), (_, state) => state.abort()).catch(() => undefined);
  };

  /** The batch is under way, neither sent nor given up, when the object ends. */
  async function killInBatch() {
    const batch = faults.when(writesOrders, late({ givenUp: "on demand" }));
    const ended = expect(change.act()).rejects.toThrow();
    await batch.reached();
    await kill();
    await ended;
    return batch;
  }

  test("killed in its batch, which never arrives: a retry is taken", async () => {
    await killInBatch();
    await change.nothingHappened();
    change.done(await change.act());
  });

  test("killed in its batch, which arrives before the retry: that finds it", async () => {
    const batch = await killInBatch();
    await batch.release();
    change.done(await change.act(), false);
  });

  test("killed in its batch, which arrives after the retry: it is refused", async () => {
    const batch = await killInBatch();
    change.done(await change.act());
    await expect(batch.release()).rejects.toThrow(STALE);
  });

  test("killed in its batch, which arrives while that of the retry is under way: that finds it", async () => {
    const batch = await killInBatch();
    const held = faults.when(writesOrders, gate());
    const retried = change.act();
    await held.reached();
    await batch.release();
    held.open();
    change.done(await retried, false);
  });

  test("killed between commit and answer: a retry finds it", async () => {
    const held = faults.when(writesOrders, answerGate());
    const ended = expect(change.act()).rejects.toThrow();
    await held.answered();
    await kill();
    await ended;
    change.done(await change.act(), false);
  });
});
