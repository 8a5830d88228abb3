/** The owner's step 2: its refusals, its effects, and that it is recorded once. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { StoreChoice } from "../../src/domain/connection/setup.ts";
import { answerGate, failBefore, gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { kindsOf, type PlainLedger, plainLedger } from "../support/worlds/ledger-client.ts";
import { ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";
import {
  aClientReport,
  completeSetup,
  connectorOf,
  inventoryReport,
  MODULE_QUESTION,
  openGuidedShop,
  statusReport,
  type Told,
} from "../support/worlds/shop-reports.ts";

let shop: Shop;
let plain: PlainLedger;

beforeEach(async () => {
  shop = await openGuidedShop({ consented: true });
  plain = plainLedger(shop);
});

const tell = (report: Parameters<ReturnType<typeof connectorOf>>[0], ledger = plain.ledger): Promise<Told> =>
  connectorOf(shop, ledger)(report);

const complete = (storeIds: StoreChoice, ledger = plain.ledger) =>
  ledger.act(shop.connectionId, "us1", { verb: "complete_setup", storeIds });

async function standingNow(): Promise<unknown> {
  const told = await connectorOf(shop, plainLedger(shop).ledger)(MODULE_QUESTION);
  return told.outcome === "recorded" ? told.standing.setup : told.outcome;
}

async function auditLog(of = shop): Promise<Record<string, unknown>[]> {
  const rows = env.LEDGER_000.prepare(
    "SELECT * FROM audit_log WHERE account_id = ? AND verb = 'complete_setup' ORDER BY rowid",
  );
  return (await rows.bind(of.accountId).all()).results;
}

const settingsVersion = () =>
  env.LEDGER_000.prepare("SELECT settings_version AS version FROM account WHERE id = ?")
    .bind(shop.accountId)
    .first<number>("version");

describe("the states", () => {
  test("begin before the inventory, and only the first one moves them", async () => {
    expect(await standingNow()).toEqual({ state: "pending_inventory", storeIds: null });
    await tell(statusReport("1"));
    await tell({ resource: "module", module: { platform: "magento" } });
    expect(await standingNow()).toEqual({ state: "pending_inventory", storeIds: null });
    const before = await settingsVersion();
    expect(await tell(inventoryReport("1"))).toMatchObject({
      created: 1,
      standing: { setup: { state: "pending_configuration", storeIds: null }, consented: true },
    });
    await tell(inventoryReport("2"));
    expect(await settingsVersion()).toBe(Number(before) + 1);
    expect(await standingNow()).toEqual({ state: "pending_configuration", storeIds: null });
  });

  test("configured opens customers at once, for a warm object and for a cold one", async () => {
    await tell(inventoryReport("1"));
    expect((await tell(aClientReport("a"))).outcome).toBe("refused");
    expect(await complete("all")).toEqual({ outcome: "done" });
    expect(await tell(aClientReport("a"))).toMatchObject({ outcome: "recorded", created: 1 });
    expect((await tell(aClientReport("b"), plainLedger(shop).ledger)).outcome).toBe("recorded");
  });

  test("a refusal for the setup costs no trip once the gate is known", async () => {
    await tell(aClientReport("a"));
    expect(await tell(aClientReport("a"))).toMatchObject({
      outcome: "refused",
      refusal: { code: "sync_not_ready" },
      d1Trips: 0,
    });
  });

  test("two first inventories in one group move it once", async () => {
    await tell(statusReport("warm"));
    const held = faults.next(gate());
    const first = tell(statusReport("first"));
    await held.reached();
    const waiting = [tell(inventoryReport("1")), tell(inventoryReport("2")), tell(statusReport("2"))];
    held.open();
    const answers = await Promise.all([first, ...waiting]);
    expect(kindsOf(answers)).toEqual(["recorded", "recorded", "recorded", "recorded"]);
    expect((await tell(aClientReport("a"))).outcome).toBe("refused");
  });

  test("a connection without guide has no selection until its owner makes one", async () => {
    const old = await openShop({ connection: { kind: "commerce" } });
    const { ledger } = plainLedger(old);
    const ask = connectorOf(old, ledger);
    await ask(inventoryReport("1", "2"));
    expect(await ask(MODULE_QUESTION)).toMatchObject({
      standing: { setup: { state: "configured", storeIds: null } },
    });
    expect(await complete(["2"], ledger)).toEqual({ outcome: "done" });
    expect(await ask(MODULE_QUESTION)).toMatchObject({
      standing: { setup: { state: "configured", storeIds: "2" } },
    });
  });
});

describe("completing step 2", () => {
  test("is in the audit log with who, when and what", async () => {
    await tell(inventoryReport("b", "a", "c"));
    await complete(["c", "b"]);
    expect(await standingNow()).toEqual({ state: "configured", storeIds: "b,c" });
    expect(await auditLog()).toEqual([
      {
        id: expect.stringMatching(/^al000[0-9a-z]{16}$/),
        account_id: shop.accountId,
        connection_id: shop.connectionId,
        user_id: "us1",
        at: expect.any(Number),
        verb: "complete_setup",
        order_id: null,
        facts: '{"store_ids":"b,c"}',
      },
    ]);
  });

  test("again with another choice changes it and is a second change; with the same it is none", async () => {
    await tell(inventoryReport("1", "2"));
    for (const choice of ["all", ["1"], ["1", "1"], ["1"]] as const)
      expect(await complete(choice)).toEqual({ outcome: "done" });
    expect(await standingNow()).toEqual({ state: "configured", storeIds: "1" });
    expect((await auditLog()).map(({ facts }) => facts)).toEqual(['{"store_ids":""}', '{"store_ids":"1"}']);
  });

  test("raises the settings version, so that no decision uses the old selection", async () => {
    await tell(inventoryReport("1"));
    const before = await settingsVersion();
    await complete("all");
    expect(await settingsVersion()).toBe(Number(before) + 1);
    expect((await tell(statusReport("1"))).outcome).toBe("recorded");
  });

  test.each<[string, StoreChoice, string, object]>([
    ["an unreported store", ["1", "9"], "store_unknown", { stores: "9" }],
    ["no store at all", [], "no_store_chosen", {}],
  ])("%s is refused, and nothing is written", async (_, choice, code, facts) => {
    await tell(inventoryReport("1"));
    faults.take();
    expect(await complete(choice)).toEqual({ outcome: "refused", refusal: { code, facts } });
    expect(faults.trips().every(({ rowsWritten }) => rowsWritten === 0)).toBe(true);
    expect(await standingNow()).toEqual({ state: "pending_configuration", storeIds: null });
    expect(await auditLog()).toEqual([]);
  });

  test("before any inventory it is refused", async () => {
    expect(await complete("all")).toMatchObject({ refusal: { code: "inventory_missing" } });
    expect(await standingNow()).toEqual({ state: "pending_inventory", storeIds: null });
  });

  test("stores of another connection are unknown, also in the same account", async () => {
    const sister = await openGuidedShop({ accountId: shop.accountId });
    await connectorOf(sister)(inventoryReport("of the sister"));
    await tell(inventoryReport("1"));
    expect(await complete(["of the sister"])).toMatchObject({ refusal: { code: "store_unknown" } });
    await complete(["1"]);
    expect(await connectorOf(sister)(MODULE_QUESTION)).toMatchObject({
      standing: { setup: { state: "pending_configuration" } },
    });
  });

  test("a kind that takes no orders has no step 2", async () => {
    const other = await openShop({ connection: { kind: "accounting" }, consented: false });
    const { ledger } = plainLedger(other);
    expect(await complete("all", ledger)).toMatchObject({
      refusal: { code: "orders_not_supported_by_connection" },
    });
  });
});

describe("when D1 fails", () => {
  test("the answer of step 2 is lost: it is done, and written down once", async () => {
    await tell(inventoryReport("1"));
    await plain.client.read("warm");
    faults.when(writesAudit, loseAnswer());
    expect(await complete(["1"])).toEqual({ outcome: "done" });
    expect(await auditLog()).toHaveLength(1);
    expect((await tell(aClientReport("a"))).outcome).toBe("recorded");
  });

  test("step 2 is given up and arrives later: too late for the fence, written down once", async () => {
    await tell(inventoryReport("1"));
    const lost = faults.when(writesAudit, late());
    expect(await complete(["1"])).toEqual({ outcome: "done" });
    await expect(lost.release()).rejects.toThrow("fence:stale_head");
    expect(await auditLog()).toHaveLength(1);
  });

  test("step 2 fails and so does its closing: 503, and orders still wait", async () => {
    await tell(inventoryReport("1"));
    faults.when(writesAudit, failBefore());
    faults.when((sql) => sql.length > 5, failBefore());
    expect(await complete("all")).toMatchObject({ outcome: "unavailable" });
    expect((await tell(aClientReport("a"))).outcome).toBe("refused");
    expect(await complete("all")).toEqual({ outcome: "done" });
    expect(await auditLog()).toHaveLength(1);
  });

  test("the answer of the first inventory is lost: it has moved the setup all the same", async () => {
    await tell(statusReport("warm"));
    faults.when(writesStores, loseAnswer());
    expect(await tell(inventoryReport("1"))).toMatchObject({
      outcome: "recorded",
      standing: { setup: { state: "pending_configuration" } },
    });
    expect(await complete("all")).toEqual({ outcome: "done" });
  });

  test("the first inventory arrives after step 2 of another instance: it takes nothing back", async () => {
    await tell(statusReport("warm"));
    const held = faults.when(writesStores, late({ givenUp: "on demand" }));
    const inventory = tell(inventoryReport("1"));
    await held.reached();
    const young = plainLedger(shop).ledger;
    await tell(inventoryReport("1"), young);
    await complete("all", young);
    await expect(held.release()).rejects.toThrow("fence:stale_head");
    held.giveUp();
    expect(await inventory).toMatchObject({ standing: { setup: { state: "configured", storeIds: "" } } });
  });
});

const writesAudit = (sql: readonly string[]) => sql.some((text) => text.includes('insert into "audit_log"'));
const writesStores = (sql: readonly string[]) =>
  sql.some((text) => text.includes('insert into "shop_store"'));

describe("changes that meet", () => {
  test("an inventory of another instance during step 2: the choice is judged again", async () => {
    await tell(inventoryReport("1"));
    const held = faults.when(writesAudit, gate());
    const completed = complete(["1"]);
    await held.reached();
    await tell(inventoryReport("2"), plainLedger(shop).ledger);
    held.open();
    expect(await completed).toEqual({ outcome: "done" });
    expect(await auditLog()).toHaveLength(1);
    expect(await standingNow()).toEqual({ state: "configured", storeIds: "1" });
  });

  test("two instances complete it at once: one after the other, the last choice counts", async () => {
    await tell(inventoryReport("1", "2"));
    const held = faults.when(writesAudit, gate());
    const first = complete(["1"]);
    await held.reached();
    expect(await complete(["2"], plainLedger(shop).ledger)).toEqual({ outcome: "done" });
    held.open();
    expect(await first).toEqual({ outcome: "done" });
    expect((await auditLog()).map(({ facts }) => facts)).toEqual(['{"store_ids":"2"}', '{"store_ids":"1"}']);
    expect(await standingNow()).toEqual({ state: "configured", storeIds: "1" });
  });

  test("step 2 during the cold load of a question: it is loaded again", async () => {
    await connectorOf(shop)(inventoryReport("1"));
    await evictDurableObject(ledgerStub(shop));
    const load = faults.next(answerGate());
    const told = connectorOf(shop)(MODULE_QUESTION);
    await load.answered();
    const completed = completeSetup(shop, { userId: "us1", storeIds: "all" });
    expect(await completed).toEqual({ outcome: "done" });
    load.open();
    expect(await told).toMatchObject({ standing: { setup: { state: "configured", storeIds: "" } } });
  });

  test("an instance that remembers the time before learns it from the owner's repeat", async () => {
    await tell(inventoryReport("1"));
    await tell(aClientReport("a"));
    await complete("all", plainLedger(shop).ledger);
    expect((await tell(aClientReport("a"))).outcome).toBe("refused");
    expect(await complete("all")).toEqual({ outcome: "done" });
    expect((await tell(aClientReport("a"))).outcome).toBe("recorded");
    expect(await auditLog()).toHaveLength(1);
  });

  test("a sister connection keeps issuing while one is set up", async () => {
    const sister = await openShop({ accountId: shop.accountId });
    const { client } = plainLedger(sister);
    await client.issue("e1");
    await tell(inventoryReport("1"));
    await complete("all");
    expect((await client.issue("e2")).outcome).toBe("issued");
    await expectBooksConsistent(sister.connectionId, client.answers);
  });
});

test("only a commerce connection can be opened with a guide", async () => {
  await expect(openShop({ connection: { kind: "api", guided: true } })).rejects.toThrow("guided setup");
});
