/** An instance ends with a batch on its way: what the owner says to the next one is the last word. */
import { describe, expect, test } from "vitest";
import { normalizeOrder } from "../../src/domain/order/normalize-order.ts";
import { aboutFact } from "../../src/domain/order/shop-facts.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { decimal } from "../../src/domain/shared/decimal.ts";
import type { OwnerRequest } from "../../src/ledger/verbs/table.ts";
import { late } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { clientOf, plainLedger } from "../support/worlds/ledger-client.ts";
import {
  aSentLine,
  aSentOrder,
  aSubmission,
  openCommerce,
  orderConnector,
} from "../support/worlds/order-calls.ts";
import { numberedIn, VOID, writesOrders } from "../support/worlds/order-changes.ts";
import { answerOrder, auditOf, MARTA, writesAudit } from "../support/worlds/owners.ts";
import { aConsent, act, openShop } from "../support/worlds/shop.ts";

const STALE = /fence:stale/;

interface Contrary {
  /** On its way when its instance ends. */
  readonly lost: OwnerRequest;
  /** Said to the next instance, which finds nothing to change. */
  readonly last: OwnerRequest;
  readonly consented?: boolean;
}

const CONTRARIES: Readonly<Record<string, Contrary>> = {
  "a consent, then its withdrawal": {
    lost: aConsent("co000lost"),
    last: { verb: "withdraw_consent" },
    consented: false,
  },
  "a withdrawal, then the cutoff again": {
    lost: { verb: "withdraw_consent" },
    last: { verb: "move_cutoff", cutoffDate: civilDate("2026-01-01") },
  },
  "access off, then on": {
    lost: { verb: "switch_customer_access", enabled: false },
    last: { verb: "switch_customer_access", enabled: true },
  },
  "an origin, then without it": {
    lost: { verb: "add_origin", origin: "https://tienda.es" },
    last: { verb: "remove_origin", origin: "https://tienda.es" },
  },
  "a callback, then none": {
    lost: { verb: "register_callback", url: "https://tienda.es/pull" },
    last: { verb: "remove_callback" },
  },
  "a shop, then disconnected": {
    lost: {
      ...{ verb: "connect_shop", platform: "woocommerce", credentials: {}, settings: {} },
      statuses: { trash: "cancelled" },
    },
    last: { verb: "disconnect_shop" },
  },
  "a representation, then withdrawn": {
    lost: {
      ...{ verb: "grant_representation", documentSha256: "a".repeat(64), signedBy: "Ana Gil" },
      signedOn: civilDate("2026-11-01"),
    },
    last: { verb: "withdraw_representation" },
  },
  "an authorisation, then closed": {
    lost: { verb: "open_authorisation", authorisation: { number: "A-1", limit: decimal("2000") } },
    last: { verb: "close_authorisation", number: "A-1" },
  },
  "a rule for a tag, then without it": {
    lost: { verb: "set_tag_rule", rule: { tag: "vip", action: "hold" } },
    last: { verb: "remove_tag_rule", tag: "vip" },
  },
};

describe.each(Object.entries(CONTRARIES))("%s", (_, { lost, last, consented = true }) => {
  test("answered as unchanged: the earlier batch lands no more", async () => {
    const shop = await openCommerce({ consented });
    const [ended, next] = [plainLedger(shop).ledger, plainLedger(shop).ledger];
    const batch = faults.when(writesAudit, late({ givenUp: "on demand" }));
    void ended.act(shop.connectionId, MARTA, lost);
    await batch.reached();
    expect(await next.act(shop.connectionId, MARTA, last)).toEqual({ outcome: "done" });
    await expect(batch.release()).rejects.toThrow(STALE);
    expect(await auditOf(shop)).toEqual([]);
  });
});

test("a key that is opened after its revocation is revoked by the next one", async () => {
  const shop = await openCommerce();
  const hash = "f".repeat(64);
  const revoke = () => act(shop, { verb: "revoke_key", hash }, MARTA);
  expect(await revoke()).toEqual({ outcome: "done" });
  expect(await act(shop, { verb: "open_key", id: "ky000late", hash }, MARTA)).toMatchObject({
    outcome: "done",
  });
  expect(await revoke()).toEqual({ outcome: "done" });
  expect((await auditOf(shop)).map(({ verb }) => verb)).toEqual(["open_key", "revoke_key"]);
  const read = await plainLedger(shop).ledger.admit({
    connectionId: shop.connectionId,
    keyHash: hash,
    requestId: "r",
  });
  expect(read.outcome).toBe("unauthorized");
});

test("an owner's answer that is the stored one is the last, too", async () => {
  const body = aSentOrder("1", {
    ...{ tags: ["vip"], missing: [{ what: "tax_rate", where: "l1" }] },
    breakdown: [aSentLine(100, 21, 0, { line_id: "l1" })],
  });
  const { facts } = normalizeOrder(aSubmission(body).sent, "Europe/Madrid");
  const rateOf = (rate: string) =>
    ({
      answer: "enter_tax_rate",
      about: aboutFact({ what: "tax_rate", where: "l1" }, facts),
      rate: decimal(rate),
    }) as const;
  const shop = await openCommerce();
  await act(shop, { verb: "set_tag_rule", rule: { tag: "vip", action: "hold" } });
  await orderConnector(shop).send(body);
  expect(await answerOrder(shop, "1", rateOf("21"))).toMatchObject({ order: { state: "held" } });
  const lines = await auditOf(shop);
  const asking = { userId: MARTA, idExternal: "1", requestId: "test-answer" };
  const [ended, next] = [plainLedger(shop).ledger, plainLedger(shop).ledger];
  const batch = faults.when(writesOrders, late({ givenUp: "on demand" }));
  void ended.answerOrder(shop.connectionId, { ...asking, answer: rateOf("10") });
  await batch.reached();
  expect(await next.answerOrder(shop.connectionId, { ...asking, answer: rateOf("21") })).toMatchObject({
    order: { state: "held" },
  });
  await expect(batch.release()).rejects.toThrow(STALE);
  expect(await auditOf(shop)).toEqual(lines);
});

describe("told that it does not exist", () => {
  test("an invoice does not come afterwards", async () => {
    const shop = await openShop();
    const [ended, next] = [plainLedger(shop), plainLedger(shop)];
    const batch = faults.when(
      (sql) => sql.some((text) => text.includes('insert into "invoice"')),
      late({ givenUp: "on demand" }),
    );
    void clientOf(shop, ended.ledger).issue("1");
    await batch.reached();
    const client = clientOf(shop, next.ledger);
    expect(await client.cancel("1")).toMatchObject({ refusal: { code: "invoice_not_found" } });
    await expect(batch.release()).rejects.toThrow(STALE);
    // From then on nothing can be on its way, so the same answer needs no write.
    expect((await client.cancel("2")).d1Trips).toBe(1);
    expect(await numberedIn(shop)).toEqual([]);
    expect(await client.issue("1")).toMatchObject({ outcome: "issued" });
  });

  test("an order does not come without its event", async () => {
    const shop = await openCommerce();
    const [ended, next] = [plainLedger(shop), plainLedger(shop)];
    const batch = faults.when(writesOrders, late({ givenUp: "on demand" }));
    const body = aSentOrder("1");
    void orderConnector(shop, ended.ledger).send(body);
    await batch.reached();
    const connector = orderConnector(shop, next.ledger);
    expect(await connector.events("1", VOID)).toMatchObject({ refusal: { code: "order_not_found" } });
    await expect(batch.release()).rejects.toThrow(STALE);
    expect(await connector.read("1")).toMatchObject({ outcome: "unknown" });
    expect(await connector.send({ ...body, ...VOID })).toMatchObject({ outcome: "taken" });
    expect(await numberedIn(shop)).toEqual([]);
  });
});
