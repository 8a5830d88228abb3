/** A chunk of due orders is read while other calls are served; only its batch takes a turn of the queue. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Ledger } from "../../src/ledger/core/ledger.ts";
import { answerGate, gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { aSentOrder, aSubmission } from "../support/worlds/order-calls.ts";
import { asksWhatIsDue } from "../support/worlds/order-changes.ts";
import { statesOf } from "../support/worlds/owners.ts";
import { aConsent, anInvoice, callerOf, openShop, type Shop } from "../support/worlds/shop.ts";

const asksWhatIsCalled = (sql: readonly string[]) => sql.some((text) => text.includes('"shop_callback"'));
/** The chunk's own read; the first read of an alarm also asks for calls to the shop. */
const readsChunk = (sql: readonly string[]) => asksWhatIsDue(sql) && !asksWhatIsCalled(sql);

let shop: Shop;
let ledger: Ledger;

const submit = (id: string, change: Readonly<Record<string, unknown>> = {}) =>
  ledger.submitOrder(callerOf(shop), aSubmission(aSentOrder(id, change)));
const chunksRead = () => faults.trips().filter(({ sql }) => readsChunk(sql)).length;

describe("with deferred orders", () => {
  beforeEach(async () => {
    shop = await openShop({ consented: false });
    ledger = plainLedger(shop).ledger;
    for (const id of ["o1", "o2", "o3"]) await submit(id);
    expect((await ledger.act(shop.connectionId, "owner", aConsent("co000ahead"))).outcome).toBe("done");
    expect((await ledger.issueInvoice(callerOf(shop), anInvoice("warm"))).outcome).toBe("issued");
    faults.take();
  });

  test("direct invoices are issued while the chunk is being read, and it is not read again", async () => {
    const read = faults.when(readsChunk, gate());
    const woken = ledger.wake();
    await read.reached();
    expect((await ledger.issueInvoice(callerOf(shop), anInvoice("beside"))).outcome).toBe("issued");
    read.open();
    await woken;
    expect(await statesOf(shop)).toEqual({ invoiced: 3 });
    expect(chunksRead()).toBe(1);
    await expectBooksConsistent(shop.connectionId);
  });

  test("an order that changes after it was read is read again in the chunk's turn", async () => {
    const read = faults.when(readsChunk, answerGate());
    const woken = ledger.wake();
    await read.answered();
    expect(await submit("o2", { total: 121, note: "changed" })).toMatchObject({ outcome: "taken" });
    read.open();
    await woken;
    expect(await statesOf(shop)).toEqual({ invoiced: 3 });
    expect(chunksRead()).toBe(2);
    await expectBooksConsistent(shop.connectionId);
  });

  test("consent withdrawn after the read leaves the chunk deferred", async () => {
    const read = faults.when(readsChunk, answerGate());
    const woken = ledger.wake();
    await read.answered();
    const withdrawn = await ledger.act(shop.connectionId, "owner", { verb: "withdraw_consent" });
    expect(withdrawn.outcome).toBe("done");
    read.open();
    await woken;
    expect(await statesOf(shop)).toEqual({ deferred: 3 });
    await expectBooksConsistent(shop.connectionId);
  });
});

test("an alarm without orders or calls that are due asks for both once, outside the queue", async () => {
  shop = await openShop();
  ledger = plainLedger(shop).ledger;
  expect((await ledger.issueInvoice(callerOf(shop), anInvoice("a"))).outcome).toBe("issued");
  faults.take();
  const asked = faults.when(asksWhatIsDue, gate());
  const woken = ledger.wake();
  await asked.reached();
  expect((await ledger.issueInvoice(callerOf(shop), anInvoice("beside"))).outcome).toBe("issued");
  asked.open();
  await woken;
  expect(chunksRead()).toBe(0);
  expect(faults.trips().filter(({ sql }) => asksWhatIsCalled(sql))).toHaveLength(1);
});
