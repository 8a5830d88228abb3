/** D1 that is down, hangs, or loses its answers: no caller gets an uncertain answer. */
import { beforeEach, describe, expect, test } from "vitest";
import { D1_DEADLINE_MS, withDeadline } from "../../src/platform/limits.ts";
import { failBefore, gate, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { manualTimers } from "../support/faults/manual-timers.ts";
import { booksIn, expectBooksConsistent } from "../support/rules/consistency.ts";
import {
  callsOf,
  clientOf,
  haveArrived,
  kindsOf,
  type LedgerClient,
  plainLedger,
} from "../support/worlds/ledger-client.ts";
import { ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let client: LedgerClient;

beforeEach(async () => {
  shop = await openShop();
  client = clientOf(shop);
});

const consistent = () => expectBooksConsistent(shop.connectionId, client.answers);

describe("D1 is down", () => {
  test.each([
    ["for a cold load", 0],
    ["for a batch and its closing", 1],
  ])("%s: 503, nothing is stored, and a retry is issued", async (_, issuedBefore) => {
    for (let count = 0; count < issuedBefore; count++) await client.issue(`before-${count}`);
    faults.next(failBefore(), { times: 2 });
    expect(await client.issue("e")).toMatchObject({ outcome: "unavailable", cause: "d1" });
    faults.reset();
    expect((await booksIn(shop.connectionId)).invoices).toHaveLength(issuedBefore);
    expect((await client.issue("e")).outcome).toBe("issued");
    await consistent();
  });

  test("for one batch only: it is sent again", async () => {
    await client.issue("warm");
    faults.next(failBefore());
    expect((await client.issue("e")).outcome).toBe("issued");
    await consistent();
  });

  test("for a read: 503, with what it cost", async () => {
    await client.issue("e");
    faults.next(failBefore());
    expect(await client.read("e")).toMatchObject({ outcome: "unavailable", cause: "d1", d1Trips: 1 });
    expect((await client.read("e")).outcome).toBe("found");
  });

  test("for a refusal's confirmation: 503, never an unconfirmed no", async () => {
    await client.issue("warm");
    faults.next(failBefore());
    const refused = { regime: "art7_simplified" } as const;
    expect((await client.issue("e", refused)).outcome).toBe("unavailable");
    expect((await client.issue("e", refused)).outcome).toBe("refused");
  });
});

describe("the answer is lost after the commit", () => {
  test("of an issuance: it is found and answered as issued", async () => {
    await client.issue("warm");
    faults.next(loseAnswer());
    expect(await client.issue("e")).toMatchObject({ outcome: "issued", invoice: { number: 2 } });
    expect((await client.issue("next")).outcome).toBe("issued");
    await consistent();
  });

  test("of a cancellation: it is found and answered as cancelled", async () => {
    await client.issue("e");
    faults.when((sql) => sql.some((text) => text.startsWith("insert")), loseAnswer());
    expect((await client.cancel("e")).outcome).toBe("cancelled");
    expect((await client.cancel("e")).outcome).toBe("replayed");
    await consistent();
  });

  test("of an issuance and of its closing: 503, and the retry is a replay", async () => {
    await client.issue("warm");
    faults.next(loseAnswer(), { times: 2 });
    expect((await client.issue("e")).outcome).toBe("unavailable");
    expect(await client.issue("e")).toMatchObject({ outcome: "replayed", invoice: { number: 2 } });
    await consistent();
  });

  test("of a group: each gets its own answer, equal requests one new and one replay", async () => {
    await client.issue("warm");
    const bound = clientOf(shop, callsOf(ledgerStub(shop)));
    const held = faults.next(gate());
    faults.next(loseAnswer());
    const first = bound.issue("first");
    await held.reached();
    const group = Promise.all([bound.issue("a"), bound.issue("b"), bound.issue("a")]);
    await haveArrived(shop, 4);
    held.open();
    await first;
    expect(kindsOf(await group)).toEqual(["issued", "issued", "replayed"]);
    await expectBooksConsistent(shop.connectionId, bound.answers);
  });
});

describe("D1 does not answer", () => {
  test("within its deadline: the batch is given up, closed and sent again; late, it is refused", async () => {
    const timers = manualTimers();
    const plain = plainLedger(shop, {
      withDeadline: (call) => withDeadline(call, D1_DEADLINE_MS, timers.after),
    });
    await plain.client.issue("warm");
    const hanging = faults.next(gate());
    const issued = plain.client.issue("e");
    await hanging.reached();
    timers.elapse(D1_DEADLINE_MS);
    expect(await issued).toMatchObject({ outcome: "issued", invoice: { number: 2 } });
    hanging.open();
    await plain.client.issue("next");
    expect(plain.alarms).toEqual(["d1_failed"]);
    await expectBooksConsistent(shop.connectionId, plain.client.answers);
  });

  test("at all: 503", async () => {
    const timers = manualTimers();
    const plain = plainLedger(shop, {
      withDeadline: (call) => withDeadline(call, D1_DEADLINE_MS, timers.after),
    });
    const hanging = faults.next(gate());
    const issued = plain.client.issue("e");
    await hanging.reached();
    timers.elapse(D1_DEADLINE_MS);
    expect(await issued).toMatchObject({ outcome: "unavailable", cause: "d1", d1Trips: 1 });
  });
});
