/** Traces of tests: nothing that waits, nothing that is added up, nothing that keeps a year. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { orderListReads } from "../../src/console/orders/listed-orders.ts";
import { overviewReads } from "../../src/console/overview/queries.ts";
import { viewOverview } from "../../src/console/overview/view.ts";
import { submissionReads } from "../../src/console/submission/queries.ts";
import { plainReads } from "../../src/db/database.ts";
import { dueStore } from "../../src/db/due/due-store.ts";
import { COMPANY } from "../../src/domain/limits.ts";
import { obstaclesOf } from "../../src/domain/retention/keeping.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { directCaller } from "../support/worlds/http-calls.ts";
import { countedTwice, linesOf, listOf, sumsIn } from "../support/worlds/invoice-lists.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { aShopSince, letGo, onTheDay, planOf, settleBooks, workOff } from "../support/worlds/old-years.ts";
import { aSentOrder, orderConnector } from "../support/worlds/order-calls.ts";
import { deferredOrders, HELD } from "../support/worlds/order-changes.ts";
import { readCorrections } from "../support/worlds/owners.ts";
import {
  aConsent,
  act,
  openShop,
  openTestAccount,
  ring,
  type Shop,
  type ShopOptions,
  verify,
} from "../support/worlds/shop.ts";
import { bodyIn, exchangeOn } from "../support/worlds/webhooks.ts";

afterEach(() => {
  vi.useRealTimers();
});

const PRODUCTION: ShopOptions = { connection: { environment: "production" } };
const aTrial = (options: ShopOptions = {}) => openShop({ ...PRODUCTION, ...options, verified: false });

async function idOf(shop: Shop, externalId: string): Promise<string> {
  const read = await clientOf(shop).read(externalId);
  if (read.outcome !== "found") throw new Error(read.outcome);
  return read.invoice.invoiceId;
}

const connectionsDue = (overdueSince: number) =>
  dueStore(env.LEDGER_000, {
    isOn: true,
    wantsRepresentation: true,
    mayCallOut: true,
  }).connectionsWithDueWork({
    ...{ overdueSince, today: civilDate("2026-11-27"), limit: 100 },
  });

describe("the record of a connection for tests", () => {
  test("says from the start that it is not submitted, and so do its corrections", async () => {
    const shop = await aTrial();
    const caller = directCaller(shop);
    const issued = await caller.issue("a", "F1", "1x100@21");
    expect(issued.data).toMatchObject({ verifactu: { state: "not_submitted" } });
    await clientOf(shop).cancel("a");
    const read = await clientOf(shop).read("a");
    expect(read).toMatchObject({
      invoice: { alta: { state: "not_submitted" }, cancellation: { state: "not_submitted" } },
    });
  });

  test("a held one waits for no owner in the overview, where a real one does", async () => {
    const connection = { kind: "commerce", name: "Tienda", environment: "production" } as const;
    const tests = await openShop({ verified: false, connection });
    await verify(tests.accountId);
    const real = await openShop({ accountId: tests.accountId, connection });
    const heldIn = async () =>
      (await overviewReads(env.LEDGER_000).readAttention(tests.accountId)).held.orders;
    await orderConnector(tests).send(aSentOrder("test", HELD));
    expect(await heldIn()).toBe(0);
    await orderConnector(real).send(aSentOrder("real", HELD));
    expect(await heldIn()).toBe(1);
  });

  test("asks for no wait, and may be amended like an accepted one", async () => {
    const shop = await aTrial();
    await clientOf(shop).issue("a");
    expect(await readCorrections(shop, await idOf(shop, "a"))).toMatchObject({
      corrections: { advice: { code: "nothing_to_submit" }, need: "none", amend: { offered: true } },
    });
  });

  test.each([
    ["becomes one to be submitted", "UPDATE record SET state = 'pending_submission'"],
    ["gets an answer", "UPDATE record SET state = 'accepted', changed_seq = 1"],
  ])("never %s", async (_, change) => {
    const shop = await aTrial();
    await clientOf(shop).issue("a");
    const run = env.LEDGER_000.prepare(`${change} WHERE connection_id = ?`).bind(shop.connectionId).run();
    await expect(run).rejects.toThrow("immutable: record");
  });

  test.each([
    ["of a trial is never written as one to be submitted", true, "pending_submission"],
    ["of a test is never written as none", false, "not_submitted"],
  ])("%s", async (_, trial, state) => {
    const shop = trial ? await aTrial() : await openShop(PRODUCTION);
    await clientOf(shop).issue("a");
    const copy = env.LEDGER_000.prepare(
      `INSERT INTO record SELECT installation_id, 2, connection_id, account_id, 'amend:' || invoice_id || ':1',
        invoice_id, kind, hash, hash, content, '', '', ?, NULL, NULL FROM record WHERE connection_id = ?`,
    ).bind(state, shop.connectionId);
    await expect(copy.run()).rejects.toThrow("fence:link");
  });

  test("is no step of the sweep, however many there are", async () => {
    const shop = await aTrial();
    for (const id of ["a", "b", "c"]) await clientOf(shop).issue(id);
    await ring(shop);
    const unsubmitted = "SELECT count(*) AS v FROM record WHERE state IN ('pending_submission', 'submitted')";
    expect(await env.LEDGER_000.prepare(unsubmitted).first("v")).toBe(0);
    expect(await connectionsDue(Date.now() + 600_000)).toEqual([]);
  });

  test("is missing no representation", async () => {
    const shop = await aTrial();
    await clientOf(shop).issue("a");
    const noticeOf = ({ accountId }: Shop) => submissionReads(env.LEDGER_000).readNotice(accountId, true);
    expect(await noticeOf(shop)).toMatchObject({ unsent: 0, stopped: { unsent: 0 } });
    const real = await openShop(PRODUCTION);
    await clientOf(real).issue("a");
    expect(await noticeOf(real)).toMatchObject({ unsent: 1 });
  });

  test("keeps no year from leaving", async () => {
    const shop = await aShopSince(2018, { ...PRODUCTION, verified: false });
    onTheDay("2018-03-01");
    for (const id of ["a", "b"]) await clientOf(shop).issue(id);
    await clientOf(shop).cancel("b");
    await settleBooks(shop);
    vi.useRealTimers();
    const plan = await planOf(shop, 2018);
    expect(obstaclesOf(plan, civilDate("2026-11-28"))).toEqual([]);
    await letGo(shop, 2018);
    await workOff();
    for (const table of ["invoice", "record", "invoice_entry", "invoice_total"]) {
      expect(await env.LEDGER_000.prepare(`SELECT count(*) AS v FROM ${table}`).first("v")).toBe(0);
    }
  });
});

describe("the sums", () => {
  /** Two tests, one of them cancelled, and an invoice of a second connection once the company is verified. */
  async function testsAndAnInvoice(options: ShopOptions): Promise<Shop> {
    const tests = await openShop({ ...options, verified: false });
    for (const id of ["a", "b"]) await clientOf(tests).issue(id);
    await clientOf(tests).cancel("b");
    await verify(tests.accountId);
    const real = await openShop({ ...options, accountId: tests.accountId });
    await clientOf(real).issue("real");
    return tests;
  }

  async function monthOf(accountId: string) {
    const asked = { month: new Date().toISOString().slice(0, 7), latest: 10 };
    const read = await overviewReads(env.LEDGER_000).readOverview(accountId, asked);
    const { month, days, latest } = viewOverview(read, { ...asked, today: `${asked.month}-01` });
    const open = days.reduce((sum, day) => sum + day.open, 0);
    return { invoices: month.invoices, total: month.amounts.total, open, latest: latest.length };
  }

  test.each<[string, ShopOptions, string]>([
    ["in production", PRODUCTION, "API-T1"],
    ["in a test deployment", {}, "API-1"],
  ])("is the invoice and no test %s, before the entries are made and after", async (_, options, stem) => {
    const tests = await testsAndAnInvoice(options);
    const { accountId, connectionId } = tests;
    const year = new Date().getFullYear();
    for (const at of ["before", "after"]) {
      const list = await listOf(accountId);
      expect([at, list.items.map(({ test }) => test ?? false)]).toEqual([at, [false, true, true]]);
      expect(sumsIn(list)).toBe("1 invoices, 0 cancelled: 100 + 21 = 121");
      expect(list.sums.tests).toBe(2);
      const ofTests = await listOf(accountId, { connectionId });
      expect(linesOf(ofTests).map((line) => line.split(" ")[0])).toEqual([
        `${stem}-${year}-000002`,
        `${stem}-${year}-000001`,
      ]);
      expect(sumsIn(ofTests)).toBe("0 invoices, 0 cancelled: 0 + 0 = 0");
      expect(await monthOf(accountId)).toEqual({ invoices: 1, total: "12100", open: 1, latest: 3 });
      if (at === "before") await settleAll(accountId);
    }
    expect((await listOf(accountId, { search: "b12345674" })).sums).toMatchObject({ invoices: 1, tests: 2 });
    const [kept, made] = await countedTwice();
    expect(kept).toEqual(made);
  });

  async function settleAll(accountId: string): Promise<void> {
    const { results } = await env.LEDGER_000.prepare("SELECT id FROM connection WHERE account_id = ?")
      .bind(accountId)
      .all<{ id: string }>();
    for (const { id } of results) await ring({ accountId, connectionId: id, key: "" });
  }

  test("counts the tests of a state apart", async () => {
    const { accountId } = await testsAndAnInvoice(PRODUCTION);
    await settleAll(accountId);
    const of = async (state: "not_submitted" | "pending_submission") =>
      (await listOf(accountId, { state })).sums;
    expect(await of("not_submitted")).toMatchObject({ invoices: 0, tests: 2 });
    expect(await of("pending_submission")).toMatchObject({ invoices: 1, tests: 0 });
  });

  test("an order of a shop shows which of its documents are tests", async () => {
    const commerce = { kind: "commerce", name: "Tienda" } as const;
    const tests = await aTrial({ connection: { ...PRODUCTION.connection, ...commerce } });
    await orderConnector(tests).send(aSentOrder("1"));
    const reads = orderListReads(plainReads(env.LEDGER_000));
    const documentsOf = async ({ accountId }: Shop) =>
      (await reads.list(accountId, { states: ["invoiced"] }, { limit: 10 })).rows[0]?.documents;
    expect(await documentsOf(tests)).toMatchObject([{ test: true }]);
    const real = await openShop({ connection: { ...PRODUCTION.connection, ...commerce } });
    await orderConnector(real).send(aSentOrder("1"));
    const [document] = (await documentsOf(real)) ?? [];
    expect(document).not.toHaveProperty("test");
  });
});

describe("a webhook", () => {
  test.each([
    ["says of a test that it is one", false, true],
    ["says nothing of tests of an invoice", true, undefined],
  ])("%s", async (_, verified, expected) => {
    const shop = await openShop({ verified });
    const exchange = exchangeOn(shop);
    await exchange.register({ events: ["invoice.issued"] });
    await exchange.client.issue("e-1");
    await exchange.ledger.wake();
    const [message] = exchange.sent;
    expect(message && (bodyIn(message).data as { test?: true }).test).toBe(expected);
  });
});

describe("connections", () => {
  test("for tests are counted separately, and take no place of the others", async () => {
    const accountId = await openTestAccount("000", {}, { verified: false });
    const another = { ...PRODUCTION, accountId, consented: false };
    for (let opened = 0; opened < COMPANY.connectionsForTests; opened += 1) await openShop(another);
    await expect(openShop(another)).rejects.toThrow("quota_exceeded");
    await verify(accountId);
    for (let opened = 0; opened < COMPANY.connections; opened += 1) await openShop(another);
    await expect(openShop(another)).rejects.toThrow("quota_exceeded");
  });
});

describe("a contested company", () => {
  test("after its 72 hours is woken for no deferred order before the claim is settled", async () => {
    const { shop } = await deferredOrders(2);
    const stop = (at: number | null) =>
      env.LEDGER_000.prepare("UPDATE account SET issuing_ends_at = ? WHERE id = ?")
        .bind(at, shop.accountId)
        .run();
    const given = await act(shop, aConsent("co000contested"));
    expect(given.outcome).toBe("done");
    const now = Date.now();
    expect(await connectionsDue(now)).toEqual([shop.connectionId]);
    await stop(now + 3_600_000);
    expect(await connectionsDue(now)).toEqual([shop.connectionId]);
    await stop(now - 1);
    expect(await connectionsDue(now)).toEqual([]);
    await stop(null);
    expect(await connectionsDue(now)).toEqual([shop.connectionId]);
  });
});
