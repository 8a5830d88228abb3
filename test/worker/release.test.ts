/** Orders that waited for consent are decided automatically: each once, after any fault. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { CHUNK } from "../../src/ledger/orders/settle-orders.ts";
import { sweepDeps } from "../../src/wiring.ts";
import { sweep } from "../../src/work/sweep.ts";
import { abortAfter, failBefore, gate, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { clientOf, haveArrived, plainLedger } from "../support/worlds/ledger-client.ts";
import {
  aSentOrder,
  aSentRefund,
  openCommerce,
  orderConnector,
  toldOf,
} from "../support/worlds/order-calls.ts";
import {
  aDatedOrder,
  asksWhatIsDue,
  deferredOrders,
  downFrom,
  numberedIn,
  writesOrders,
} from "../support/worlds/order-changes.ts";
import { consent, MARTA, statesOf, writesAudit } from "../support/worlds/owners.ts";
import {
  aConsent,
  act,
  alarmHasAsked,
  ledgerStub,
  openShop,
  ring,
  type Shop,
} from "../support/worlds/shop.ts";

afterEach(() => vi.useRealTimers());

const runSweep = () => sweep(sweepDeps(apiOver(env)));
const withdraw = (shop: Shop) => act(shop, { verb: "withdraw_consent" }, MARTA);

/** The object when it is killed: its callers get an error. */
function abort(shop: Shop): Promise<void> {
  return runInDurableObject(ledgerStub(shop), (_, state) => state.abort("killed")).catch(() => {});
}

async function deleteAlarm(shop: Shop): Promise<void> {
  await runInDurableObject(ledgerStub(shop), (_, state) => state.storage.deleteAlarm());
}

function alarmOf(shop: Shop): Promise<number | null> {
  return runInDurableObject(ledgerStub(shop), (_, state) => state.storage.getAlarm());
}

/** Writes during the alarm set it once more: issued invoices are entered for lists. */
async function enterInvoices(shop: Shop): Promise<void> {
  expect(await ring(shop)).toBe(true);
}

describe("at consent", () => {
  test("they are decided oldest first, each once, in chunks", async () => {
    const { shop } = await deferredOrders(60);
    expect(await statesOf(shop)).toEqual({ deferred: 60 });
    await consent(shop);
    faults.take();
    expect(await ring(shop)).toBe(true);
    expect(await statesOf(shop)).toEqual({ invoiced: 60 });
    expect(await numberedIn(shop)).toEqual(downFrom(60));
    const batches = faults.trips().filter(({ sql }) => writesOrders(sql));
    expect(batches).toHaveLength(Math.ceil(60 / CHUNK));
    await expectBooksConsistent(shop.connectionId);
  });

  test("those of before the cutoff are not invoiced, and fall in when it moves", async () => {
    const shop = await openCommerce({ consented: false });
    const { send } = orderConnector(shop);
    await send(aSentOrder("old", { order_date: "2026-02-28 23:59:59" }));
    await send(aSentOrder("first", { order_date: "2026-03-01 00:00:00" }));
    await consent(shop, "2026-03-01");
    await ring(shop);
    expect(await statesOf(shop)).toEqual({ before_cutoff: 1, invoiced: 1 });
    await act(shop, { verb: "move_cutoff", cutoffDate: aConsent("", "2026-02-28").cutoffDate }, MARTA);
    await ring(shop);
    expect(await numberedIn(shop)).toEqual(["first", "old"]);
  });

  test("nothing is left that would wake the object again", async () => {
    const { shop } = await deferredOrders(3);
    await consent(shop);
    await ring(shop);
    await enterInvoices(shop);
    expect(await alarmOf(shop)).toBeNull();
    expect(await ring(shop)).toBe(false);
  });

  test("one that arrives in between is decided in its turn, and not again", async () => {
    const { shop, connector } = await deferredOrders(2);
    await consent(shop);
    expect(toldOf(await connector.send(aSentOrder("new")))).toMatch(/^invoiced /);
    expect(toldOf(await connector.send(aDatedOrder("o1", 2)))).toMatch(/^(deferred|invoiced) /);
    await ring(shop);
    expect((await numberedIn(shop)).toSorted()).toEqual(["new", "o1", "o2"]);
  });
});

describe("between two chunks", () => {
  test("withdrawn consent leaves the rest deferred; re-consent continues", async () => {
    const { shop } = await deferredOrders(CHUNK + 5);
    await consent(shop);
    const batch = faults.when(writesOrders, gate());
    const rung = ring(shop);
    await batch.reached();
    const withdrawn = act(shop, { verb: "withdraw_consent" }, MARTA);
    await haveArrived(shop, 2);
    batch.open();
    expect((await withdrawn).outcome).toBe("done");
    await rung;
    expect(await statesOf(shop)).toEqual({ deferred: 5, invoiced: CHUNK });
    await runSweep();
    await ring(shop);
    expect(await statesOf(shop)).toEqual({ deferred: 5, invoiced: CHUNK });
    await consent(shop);
    await ring(shop);
    expect(await statesOf(shop)).toEqual({ invoiced: CHUNK + 5 });
    await expectBooksConsistent(shop.connectionId);
  });

  test("consent withdrawn by another instance while the chunk is on its way: the chunk fails whole", async () => {
    const { shop } = await deferredOrders(3);
    await consent(shop);
    const batch = faults.when(writesOrders, gate());
    const rung = ring(shop);
    await batch.reached();
    const other = plainLedger(shop).ledger;
    expect((await other.act(shop.connectionId, MARTA, { verb: "withdraw_consent" })).outcome).toBe("done");
    batch.open();
    await rung;
    expect(await statesOf(shop)).toEqual({ deferred: 3 });
    expect(await numberedIn(shop)).toEqual([]);
  });

  test("a request that waits is served", async () => {
    const { shop } = await deferredOrders(2 * CHUNK, { connection: { kind: "api" } });
    await consent(shop);
    const batch = faults.when(writesOrders, gate());
    const rung = ring(shop);
    await batch.reached();
    const issued = clientOf(shop).issue("direct");
    await haveArrived(shop, 2);
    batch.open();
    expect((await issued).outcome).toBe("issued");
    await rung;
    expect((await numberedIn(shop)).indexOf("direct:direct")).toBe(CHUNK);
  });
});

describe("nothing is forgotten or issued twice", () => {
  test("when the object is killed between two chunks", async () => {
    const { shop } = await deferredOrders(CHUNK + 5);
    await consent(shop);
    faults.when(
      writesOrders,
      abortAfter(() => abort(shop)),
    );
    await ring(shop).catch(() => {});
    expect(await statesOf(shop)).toEqual({ deferred: 5, invoiced: CHUNK });
    await runSweep();
    await ring(shop);
    expect(await numberedIn(shop)).toEqual(downFrom(CHUNK + 5));
    await expectBooksConsistent(shop.connectionId);
  });

  test("when it is killed before its batch has left", async () => {
    const { shop } = await deferredOrders(4);
    await consent(shop);
    const batch = faults.when(writesOrders, gate());
    const rung = ring(shop).catch(() => {});
    await batch.reached();
    await abort(shop);
    await rung;
    await runSweep();
    await ring(shop);
    // Late from the network: its number is taken, so it fails whole.
    batch.open();
    expect(await numberedIn(shop)).toEqual(downFrom(4));
    await expectBooksConsistent(shop.connectionId);
  });

  test("when the answer to a chunk is lost", async () => {
    const { shop } = await deferredOrders(CHUNK + 5);
    await consent(shop);
    const lost = faults.when(writesOrders, loseAnswer());
    await ring(shop);
    await lost.reached();
    expect(await numberedIn(shop)).toEqual(downFrom(CHUNK + 5));
    await expectBooksConsistent(shop.connectionId);
  });

  test("when the database is down: it comes back for them", async () => {
    const { shop } = await deferredOrders(2);
    await consent(shop);
    const before = Date.now();
    faults.when(asksWhatIsDue, failBefore());
    await ring(shop);
    expect(await statesOf(shop)).toEqual({ deferred: 2 });
    expect(await alarmOf(shop)).toBeGreaterThan(before);
    await ring(shop);
    expect(await statesOf(shop)).toEqual({ invoiced: 2 });
  });

  test("when the alarm is lost: the sweep finds the connection", async () => {
    const { shop } = await deferredOrders(2);
    await consent(shop);
    await deleteAlarm(shop);
    expect(await ring(shop)).toBe(false);
    await runSweep();
    expect(await ring(shop)).toBe(true);
    expect(await statesOf(shop)).toEqual({ invoiced: 2 });
    await enterInvoices(shop);
    await runSweep();
    expect(await ring(shop)).toBe(false);
  });

  test("when the object is killed between the commit of the consent and its answer", async () => {
    const { shop } = await deferredOrders(2);
    faults.when(
      writesAudit,
      abortAfter(() => abort(shop)),
    );
    await consent(shop).catch(() => {});
    expect(await alarmOf(shop)).not.toBeNull();
    await ring(shop);
    expect(await statesOf(shop)).toEqual({ invoiced: 2 });
  });

  test("when the alarm rings before the batch of the consent is through: it waits for it", async () => {
    const { shop } = await deferredOrders(2);
    const batch = faults.when(writesAudit, gate());
    const consented = consent(shop);
    await batch.reached();
    const rung = ring(shop);
    await haveArrived(shop, 2);
    await alarmHasAsked(shop);
    batch.open();
    expect((await consented).outcome).toBe("done");
    expect(await rung).toBe(true);
    expect(await statesOf(shop)).toEqual({ invoiced: 2 });
  });

  test("when two instances release at once", async () => {
    const { shop } = await deferredOrders(CHUNK + 5);
    await consent(shop);
    await Promise.all([ring(shop), plainLedger(shop).ledger.wake(), plainLedger(shop).ledger.wake()]);
    await plainLedger(shop).ledger.wake();
    expect((await numberedIn(shop)).toSorted()).toEqual(downFrom(CHUNK + 5).toSorted());
    await expectBooksConsistent(shop.connectionId);
  });
});

describe("an order that cannot be decided", () => {
  const breakOrders = (shop: Shop, count: number) =>
    env.LEDGER_000.prepare(
      `UPDATE shop_order SET facts = json_remove(facts, '$.events') WHERE rowid IN (SELECT rowid
       FROM shop_order WHERE connection_id = ? ORDER BY ordered_at LIMIT ?)`,
    )
      .bind(shop.connectionId, count)
      .run();

  test.each([1, CHUNK, CHUNK + 3])("%i of them stop no other", async (broken) => {
    const { shop } = await deferredOrders(CHUNK + 10);
    await breakOrders(shop, broken);
    await consent(shop);
    await ring(shop);
    expect(await statesOf(shop)).toEqual({ deferred: broken, invoiced: CHUNK + 10 - broken });
    await enterInvoices(shop);
    // The sweep does the rest: the object sleeps.
    expect(await alarmOf(shop)).toBeNull();
  });

  test("without an installation nothing can be issued: the object sleeps", async () => {
    const { shop } = await deferredOrders(CHUNK);
    await env.LEDGER_000.prepare("UPDATE installation SET closed_at = 1 WHERE connection_id = ?")
      .bind(shop.connectionId)
      .run();
    await consent(shop);
    await ring(shop);
    expect(await statesOf(shop)).toEqual({ deferred: CHUNK });
    expect(await alarmOf(shop)).toBeNull();
  });
});

describe("an order of a day that lies ahead", () => {
  test("is decided when the day has come in the issuer's zone", async () => {
    const shop = await openCommerce({ account: { timeZone: "Atlantic/Canary", territory: "canarias" } });
    await ring(shop);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-12-01T10:00:00Z") });
    const { send, read } = orderConnector(shop);
    const line = { name: "Silla", quantity: 1, base_amount: 100, tax_rate: 7, tax_amount: 7 };
    const told = await send(
      aSentOrder("1", {
        order_date: "2026-12-01 09:00:00",
        operation_date: "2026-12-03",
        total: 107,
        breakdown: [line],
        client: { first_name: "Ana", last_name: "Pérez", country: "ES", postcode: "35001" },
      }),
    );
    expect(toldOf(told)).toBe("held order_date_in_future");
    await enterInvoices(shop);
    await runSweep();
    expect(await ring(shop)).toBe(false);
    // It is the third in Madrid, and the second in the Canaries.
    vi.setSystemTime(Date.parse("2026-12-02T23:30:00Z"));
    await runSweep();
    await ring(shop);
    expect(toldOf(await read("1"))).toBe("held order_date_in_future");
    vi.setSystemTime(Date.parse("2026-12-03T00:30:00Z"));
    await runSweep();
    expect(await ring(shop)).toBe(true);
    expect(toldOf(await read("1"))).toBe("invoiced F2 PED-1S-2026-000001 107");
  });
});

describe("while consent is withdrawn", () => {
  test("orders and corrections wait, replays and reads continue", async () => {
    const shop = await openShop({ connection: { kind: "api" } });
    const client = clientOf(shop);
    const { send, read } = orderConnector(shop);
    await client.issue("direct");
    const first = await send(aSentOrder("1"));
    await withdraw(shop);
    expect((await client.issue("direct")).outcome).toBe("replayed");
    expect((await client.read("direct")).outcome).toBe("found");
    const refused = { outcome: "refused", refusal: { code: "invoicing_not_enabled" } };
    expect(await client.issue("new")).toMatchObject(refused);
    expect(await client.cancel("direct")).toMatchObject(refused);
    expect(toldOf(await send(aSentOrder("1")))).toBe(toldOf(first));
    const refunded = aSentOrder("1", { correction_events: [aSentRefund("r1", 10, 2.1, 21)] });
    expect(toldOf(await send(refunded))).toMatch(/^deferred deferred F2 /);
    expect(toldOf(await send(aSentOrder("2")))).toBe("deferred deferred");
    await runSweep();
    await ring(shop);
    expect(await numberedIn(shop)).toEqual(["direct:direct", "1"]);
    // A later cutoff excludes orders without an invoice, and never corrections.
    await consent(shop, "2026-11-25");
    await ring(shop);
    expect(toldOf(await read("1"))).toMatch(/^partially_rectified F2 .* R5 /);
    expect(toldOf(await read("2"))).toBe("before_cutoff before_cutoff");
  });
});
