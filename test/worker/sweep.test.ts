/** The sweep wakes who was kept from work, and who has work that came from elsewhere. */
import { createScheduledController, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { DueLedger } from "../../src/db/due/due-store.ts";
import { rateStore } from "../../src/db/rates/rate-store.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import { sweepDeps, watchDeps } from "../../src/wiring.ts";
import { importRates } from "../../src/work/rates/import-rates.ts";
import { RATES_CRON } from "../../src/work/rates/update-rates.ts";
import { HOURLY_CRON } from "../../src/work/retention/forget.ts";
import { sweep } from "../../src/work/sweep.ts";
import worker from "../../src/worker.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapEnv } from "../support/faults/wrapped-d1.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { aSentOrder, openCommerce, orderConnector, orderIn, toldOf } from "../support/worlds/order-calls.ts";
import { deferredOrders } from "../support/worlds/order-changes.ts";
import { consent, MARTA, statesOf } from "../support/worlds/owners.ts";
import { act, ledgerStub, ring, type Shop } from "../support/worlds/shop.ts";

const EVERY_MINUTE = "* * * * *";

/** Which connections it wakes. */
async function woken(change: Partial<Parameters<typeof sweep>[0]> = {}): Promise<readonly string[]> {
  const ids: string[] = [];
  const wake = async (connectionId: string) => {
    ids.push(connectionId);
  };
  await sweep({ ...sweepDeps(apiOver(env)), wake, ...change });
  return ids;
}

/** Nothing is left to do, and no alarm set. */
async function putToSleep(shop: Shop): Promise<void> {
  await ring(shop);
  expect(await ring(shop)).toBe(false);
}

describe("rates", () => {
  /** Paid on a Tuesday before the publication of that day: Monday's rate. */
  const inDollars = aSentOrder("usd", { currency: "USD", paid_at: "2026-11-24T10:00:00+01:00" });
  const rates = async (...rows: readonly (readonly [string, string, string])[]) => {
    const read = rows.map(([day, currency, rate]) => ({
      day: civilDate(day),
      currency,
      rate: decimal(rate),
    }));
    const ledgers = [{ ledger: "000", ...rateStore(env.LEDGER_000) }];
    const imported = await importRates({ rows: read }, { ledgers, now: () => Date.parse("2026-11-28") });
    expect(imported).toMatchObject({ ok: true, value: { needed: rows.length, failed: [] } });
  };

  async function heldForRate(): Promise<ReturnType<typeof orderConnector>> {
    const shop = await openCommerce();
    await putToSleep(shop);
    const connector = orderConnector(shop);
    expect(toldOf(await connector.send(inDollars))).toBe("held exchange_rate_unavailable");
    return connector;
  }

  test("the row arrives: the order is invoiced at exactly that rate", async () => {
    const { shop, read } = await heldForRate();
    expect(await woken()).toEqual([]);
    await rates(["2026-11-23", "USD", "1.1618"]);
    await sweep(sweepDeps(apiOver(env)));
    expect(await ring(shop)).toBe(true);
    expect(toldOf(await read("usd"))).toBe("invoiced F2 PED-1S-2026-000001 121");
    const document = await env.LEDGER_000.prepare(
      "SELECT document FROM invoice_document JOIN invoice ON id = invoice_id WHERE connection_id = ?",
    )
      .bind(shop.connectionId)
      .first<string>("document");
    expect(JSON.parse(document ?? "")).toMatchObject({
      request: { currency: "USD", exchangeRate: "1.1618", exchangeRateDate: "2026-11-23" },
      // 100.00 / 1.1618 and 21.00 / 1.1618.
      totalsEur: { base: "86.07", tax: "18.08", total: "104.15" },
    });
    expect(await woken()).toEqual([]);
  });

  test("another day or another currency releases nothing", async () => {
    const { shop, read } = await heldForRate();
    await rates(["2026-11-20", "USD", "1.2"], ["2026-11-24", "USD", "1.3"], ["2026-11-23", "GBP", "0.8"]);
    expect(await woken()).toEqual([]);
    await plainLedger(shop).ledger.wake();
    expect(toldOf(await read("usd"))).toBe("held exchange_rate_unavailable");
  });

  test("without consent the row is waited with", async () => {
    const { shop } = await heldForRate();
    await act(shop, { verb: "withdraw_consent" }, MARTA);
    await rates(["2026-11-23", "USD", "1.1618"]);
    expect(await woken()).toEqual([]);
  });
});

describe("an authorisation of the account", () => {
  test("opened at one connection, it releases what another one holds", async () => {
    const shop = await openCommerce();
    const other = await openCommerce({ accountId: shop.accountId });
    const { send, read } = orderConnector(other);
    const authorisation = { number: "A-1", limit: decimal("2000") };
    await act(shop, { verb: "open_authorisation", authorisation }, MARTA);
    await act(other, { verb: "declare_sales", change: { underAuthorisation: true } }, MARTA);
    await act(shop, { verb: "close_authorisation", number: "A-1" }, MARTA);
    const breakdown = [{ name: "Mesa", quantity: 1, base_amount: 1000, tax_rate: 21, tax_amount: 210 }];
    expect(toldOf(await send(aSentOrder("1", { total: 1210, breakdown })))).toBe("held recipient_incomplete");
    await putToSleep(other);
    await putToSleep(shop);
    await act(shop, { verb: "open_authorisation", authorisation }, MARTA);
    expect(await woken()).toEqual([other.connectionId]);
    await sweep(sweepDeps(apiOver(env)));
    await ring(other);
    expect(toldOf(await read("1"))).toBe("invoiced F2 PED-2S-2026-000001 1210");
    expect(orderIn(await read("1")).reasons).toEqual([]);
  });
});

describe("who is woken", () => {
  test("none without work, none without consent, none of a frozen account", async () => {
    const { shop } = await deferredOrders(2);
    expect(await woken()).toEqual([]);
    await consent(shop);
    expect(await woken()).toEqual([shop.connectionId]);
    const freeze = (frozen: number) =>
      env.LEDGER_000.prepare("UPDATE account SET frozen = ? WHERE id = ?").bind(frozen, shop.accountId).run();
    await freeze(1);
    expect(await woken()).toEqual([]);
    // Its object sleeps too, and logs no failure.
    const { ledger, alarms } = plainLedger(shop);
    expect(await ledger.wake()).toBeUndefined();
    expect(alarms).toEqual([]);
    await freeze(0);
    expect(await woken()).toEqual([shop.connectionId]);
    await ring(shop);
    expect(await statesOf(shop)).toEqual({ invoiced: 2 });
    expect(await woken()).toEqual([]);
  });

  test("no more in one run than requested, and in the end all", async () => {
    const shops = [await deferredOrders(1), await deferredOrders(1), await deferredOrders(1)];
    for (const { shop } of shops) await consent(shop);
    const [ledger] = sweepDeps(apiOver(env)).ledgers;
    const asked = { overdueSince: 0, today: civilDate("2026-11-28"), limit: 2 };
    const first = (await ledger?.connectionsWithDueWork(asked)) ?? [];
    expect(new Set(first).size).toBe(2);
    expect((await woken()).toSorted()).toEqual(shops.map(({ shop }) => shop.connectionId).toSorted());
  });

  test("connections of every ledger", async () => {
    const shop = await openCommerce({ ledger: "001", consented: false });
    await orderConnector(shop).send(aSentOrder("1"));
    await consent(shop);
    expect(await woken()).toEqual([shop.connectionId]);
  });
});

describe("what fails stops no other", () => {
  const failing: DueLedger = {
    ledger: "999",
    connectionsWithDueWork: () => Promise.reject(new Error("D1 is down")),
  };

  test("a ledger", async () => {
    const { shop } = await deferredOrders(1);
    await consent(shop);
    const told: object[] = [];
    const { ledgers } = sweepDeps(apiOver(env));
    const ids = await woken({ ledgers: [failing, ...ledgers], log: (line) => told.push(line) });
    expect(ids).toEqual([shop.connectionId]);
    expect(told).toMatchObject([{ level: "alarm", alarm: "job_failed", job: "sweep", ledger: "999" }]);
  });

  test("an object", async () => {
    const shops = [await deferredOrders(1), await deferredOrders(1)];
    for (const { shop } of shops) await consent(shop);
    const told: object[] = [];
    const tried: string[] = [];
    await woken({
      log: (line) => told.push(line),
      wake: async (connectionId) => {
        tried.push(connectionId);
        if (tried.length === 1) throw new Error("the object is overloaded");
      },
    });
    expect(tried).toHaveLength(2);
    expect(told).toMatchObject([{ alarm: "job_failed", connection_id: tried[0] }]);
  });
});

test.each([EVERY_MINUTE, RATES_CRON])("cron %s sweeps", async (cron) => {
  const { shop } = await deferredOrders(2);
  await consent(shop);
  await runInDurableObject(ledgerStub(shop), (_, state) => state.storage.deleteAlarm());
  await worker.scheduled(createScheduledController({ cron, scheduledTime: new Date() }), env);
  expect(await ring(shop)).toBe(true);
  expect(await statesOf(shop)).toEqual({ invoiced: 2 });
});

test("waking an object that has nothing to do is harmless", async () => {
  const shop = await openCommerce();
  await ledgerStub(shop).wakeUp(shop.connectionId);
  expect(await ring(shop)).toBe(true);
  expect(await ring(shop)).toBe(false);
});

test("the hourly cron looks how full every ledger is", async () => {
  const controller = createScheduledController({ cron: HOURLY_CRON, scheduledTime: new Date() });
  faults.take();
  await worker.scheduled(controller, wrapEnv(env));
  const looks = faults.take().filter(({ sql }) => sql.join() === "SELECT 1");
  expect(looks.map(({ binding }) => binding)).toEqual(["LEDGER_000", "LEDGER_001"]);
  const sizes = await Promise.all(watchDeps(apiOver(env)).ledgers.map(({ sizeBytes }) => sizeBytes()));
  expect(sizes).toHaveLength(2);
  for (const bytes of sizes) expect(bytes).toBeGreaterThan(100_000);
});
