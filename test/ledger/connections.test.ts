/** Connections of an account: ordinals, keys, and the ledger that their ids name. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { hashOfKey } from "../../src/domain/connection/api-key.ts";
import { faults } from "../support/faults/faults.ts";
import { booksIn, expectBooksConsistent } from "../support/rules/consistency.ts";
import { aDifference, clientOf, kindsOf, plainLedger } from "../support/worlds/ledger-client.ts";
import { ledgerStub, openShop, openTestAccount, type Shop } from "../support/worlds/shop.ts";

async function numberOfFirst(shop: Shop): Promise<string> {
  const issued = await clientOf(shop).issue("e");
  return issued.outcome === "issued" ? issued.invoice.fullNumber : issued.outcome;
}

describe("ordinals", () => {
  test("count the connections of an account, of every kind; each has series of its own", async () => {
    const accountId = await openTestAccount();
    const first = await openShop({ accountId });
    await openShop({ accountId, connection: { kind: "commerce" } });
    const third = await openShop({ accountId });
    const elsewhere = await openShop();
    const numbers = await Promise.all([first, third, elsewhere].map(numberOfFirst));
    expect(numbers).toEqual(["API-1-2026-000001", "API-3-2026-000001", "API-1-2026-000001"]);
  });

  test("are given once also to connections that are opened at the same time", async () => {
    const accountId = await openTestAccount();
    const shops = await Promise.all([1, 2, 3, 4].map(() => openShop({ accountId })));
    expect(new Set(await Promise.all(shops.map(numberOfFirst))).size).toBe(4);
  });

  test("are never given again, because no connection is ever deleted", async () => {
    const shop = await openShop();
    const deletion = env.LEDGER_000.prepare("DELETE FROM connection WHERE id = ?").bind(shop.connectionId);
    await expect(deletion.run()).rejects.toThrow("FOREIGN KEY");
  });
});

describe("keys", () => {
  const second = "ck_live_second";
  const openSecond = (shop: Shop) =>
    ledgerStub(shop).act(shop.connectionId, "owner", {
      verb: "open_key",
      id: "ky000second",
      hash: hashOfKey(second),
    });

  test("two are alive until the owner ends the overlap; then one stops at once, without D1", async () => {
    const shop = await openShop();
    const [old, young] = [clientOf(shop), clientOf({ ...shop, key: second })];
    expect((await openSecond(shop)).outcome).toBe("done");
    expect(kindsOf([await old.issue("a"), await young.issue("b"), await young.issue("a")])).toEqual([
      "issued",
      "issued",
      "replayed",
    ]);
    await ledgerStub(shop).act(shop.connectionId, "owner", { verb: "revoke_key", hash: hashOfKey(shop.key) });
    expect((await young.issue("c")).outcome).toBe("issued");
    faults.take();
    expect(await old.issue("d")).toEqual({ outcome: "unauthorized", d1Trips: 0 });
    expect(await old.read("a")).toEqual({ outcome: "unauthorized", d1Trips: 0 });
    expect(await old.cancel("a")).toEqual({ outcome: "unauthorized", d1Trips: 0 });
    expect(faults.trips()).toEqual([]);
    await evictDurableObject(ledgerStub(shop));
    expect(kindsOf([await old.issue("d"), await young.issue("d")])).toEqual(["unauthorized", "issued"]);
    await expectBooksConsistent(shop.connectionId, [...old.answers, ...young.answers]);
  });

  test("of other connections open nothing, neither of the same account nor of another", async () => {
    const shop = await openShop();
    const sister = await openShop({ accountId: shop.accountId });
    const stranger = await openShop();
    await clientOf(shop).issue("e");
    for (const { key } of [sister, stranger]) {
      const intruder = clientOf({ ...shop, key });
      expect(
        kindsOf([await intruder.issue("e"), await intruder.cancel("e"), await intruder.read("e")]),
      ).toEqual(["unauthorized", "unauthorized", "unauthorized"]);
    }
    expect((await booksIn(shop.connectionId)).records).toHaveLength(1);
  });

  test("a connection that was never opened has none", async () => {
    const shop = { ...(await openShop()), connectionId: "cn0000000000000000000" };
    expect((await clientOf(shop).issue("e")).outcome).toBe("unauthorized");
    expect((await clientOf(shop).read("e")).outcome).toBe("unauthorized");
  });
});

describe("the limit of requests", () => {
  const limited = (rateLimit: number | null) => openShop({ connection: { rateLimit } });

  test("counts every call with a key once, also calls answered after a load", async () => {
    const { client } = plainLedger(await limited(3), { now: () => 0 });
    expect(kindsOf([await client.issue("a"), await client.read("a"), await client.issue("a")])).toEqual([
      "issued",
      "found",
      "replayed",
    ]);
    const tooMany = { outcome: "rate_limited", retryAfterSeconds: 20, d1Trips: 0 };
    expect(await client.issue("b")).toEqual(tooMany);
    expect(await client.read("a")).toEqual(tooMany);
    expect(await client.cancel("a")).toEqual(tooMany);
  });

  test("is the default where the connection has none, and 0 is no limit", async () => {
    const options = { now: () => 0, defaultRateLimit: 1 };
    const byDefault = plainLedger(await limited(null), options).client;
    expect(kindsOf([await byDefault.issue("a"), await byDefault.issue("b")])).toEqual([
      "issued",
      "rate_limited",
    ]);
    const without = plainLedger(await limited(0), options).client;
    expect(kindsOf([await without.issue("a"), await without.issue("b")])).toEqual(["issued", "issued"]);
  });

  test("is not used up by keys that are not known", async () => {
    const shop = await limited(1);
    const { ledger, client } = plainLedger(shop, { now: () => 0 });
    const stranger = clientOf({ ...shop, key: "other" }, ledger);
    expect(kindsOf([await stranger.issue("a"), await stranger.read("a"), await client.issue("a")])).toEqual([
      "unauthorized",
      "unauthorized",
      "issued",
    ]);
  });
});

describe("the second ledger", () => {
  test("works like the first, and leaves the first alone", async () => {
    const shop = await openShop({ ledger: "001" });
    const client = clientOf(shop);
    faults.take();
    const outcomes = [
      await client.issue("a"),
      await client.issue("b"),
      await client.issue("a"),
      await client.issue("r", aDifference("a", "10")),
      await client.cancel("b"),
      await client.read("a"),
    ];
    expect(kindsOf(outcomes)).toEqual(["issued", "issued", "replayed", "issued", "cancelled", "found"]);
    await evictDurableObject(ledgerStub(shop));
    expect((await client.issue("c")).outcome).toBe("issued");
    expect(new Set(faults.trips().map((trip) => trip.binding))).toEqual(new Set(["LEDGER_001"]));
    const { invoices } = await expectBooksConsistent(shop.connectionId, client.answers);
    expect(invoices.map((row) => row.id.slice(0, 5))).toEqual(Array(4).fill("in001"));
    expect((await env.LEDGER_000.prepare("SELECT id FROM invoice").all()).results).toEqual([]);
  });
});
