/** An abandoned batch arrives at D1 after all, before or after its replacement. */
import { beforeEach, describe, expect, test } from "vitest";
import { hashOfKey } from "../../src/domain/connection/api-key.ts";
import { answerGate, failBefore, gate, late } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { booksIn, expectBooksConsistent } from "../support/rules/consistency.ts";
import { clientOf, type LedgerClient } from "../support/worlds/ledger-client.ts";
import { aConsent, act, ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

const STALE = "fence:stale_head";

let shop: Shop;
let client: LedgerClient;

const consistent = () => expectBooksConsistent(shop.connectionId, client.answers);

beforeEach(async () => {
  shop = await openShop();
  client = clientOf(shop);
});

describe("an invoice", () => {
  beforeEach(async () => {
    await client.issue("warm");
  });

  test("that lands after it was issued anew is refused", async () => {
    const batch = faults.next(late());
    expect(await client.issue("e")).toMatchObject({ outcome: "issued", invoice: { number: 2 } });
    await expect(batch.release()).rejects.toThrow(STALE);
    expect((await client.issue("next")).outcome).toBe("issued");
    await consistent();
  });

  test("that lands before it is closed is the one", async () => {
    const batch = faults.next(late());
    const closing = faults.next(gate());
    const issued = client.issue("e");
    await closing.reached();
    await batch.release();
    closing.open();
    expect(await issued).toMatchObject({ outcome: "issued", invoice: { number: 2 } });
    expect((await booksIn(shop.connectionId)).invoices).toHaveLength(2);
    await consistent();
  });

  test("that lands between closing and the next batch is refused", async () => {
    const batch = faults.next(late());
    const again = faults.when((sql) => sql.some((text) => text.startsWith('insert into "invoice"')), gate());
    const issued = client.issue("e");
    await again.reached();
    await expect(batch.release()).rejects.toThrow(STALE);
    again.open();
    expect(await issued).toMatchObject({ outcome: "issued", invoice: { number: 2 } });
    await consistent();
  });

  test("that lands after a 503, before the next call: the retry is a replay", async () => {
    const batch = faults.next(late());
    faults.next(failBefore());
    expect((await client.issue("e")).outcome).toBe("unavailable");
    await batch.release();
    expect(await client.issue("other")).toMatchObject({ outcome: "issued", invoice: { number: 3 } });
    expect(await client.issue("e")).toMatchObject({ outcome: "replayed", invoice: { number: 2 } });
    await consistent();
  });

  test("that lands after a 503 and the next call is refused, and the retry is issued", async () => {
    const batch = faults.next(late());
    faults.next(failBefore());
    expect((await client.issue("e")).outcome).toBe("unavailable");
    expect(await client.issue("other")).toMatchObject({ outcome: "issued", invoice: { number: 2 } });
    await expect(batch.release()).rejects.toThrow(STALE);
    expect(await client.issue("e")).toMatchObject({ outcome: "issued", invoice: { number: 3 } });
    await consistent();
  });
});

describe("a revocation", () => {
  const revoke = () =>
    ledgerStub(shop).act(shop.connectionId, "owner", { verb: "revoke_key", hash: hashOfKey(shop.key) });

  test("that lands after it was written anew is refused", async () => {
    const batch = faults.when((sql) => sql.some((text) => text.startsWith("update")), late());
    expect((await revoke()).outcome).toBe("done");
    await expect(batch.release()).rejects.toThrow(STALE);
    expect((await client.issue("e")).outcome).toBe("unauthorized");
  });

  test("that lands after a 503, before the next call, holds from then on", async () => {
    await client.issue("warm");
    const batch = faults.next(late());
    faults.next(failBefore());
    expect((await revoke()).outcome).toBe("unavailable");
    expect((await client.read("warm")).outcome).toBe("found");
    await batch.release();
    expect((await client.read("warm")).outcome).toBe("unauthorized");
    expect((await client.issue("e")).outcome).toBe("unauthorized");
    await consistent();
  });

  test("that lands while a read is loading is seen by that read", async () => {
    await client.issue("warm");
    const batch = faults.next(late());
    faults.next(failBefore());
    expect((await revoke()).outcome).toBe("unavailable");
    const load = faults.next(answerGate());
    const read = client.read("warm");
    await load.answered();
    await batch.release();
    expect((await client.issue("e")).outcome).toBe("unauthorized");
    load.open();
    expect((await read).outcome).toBe("unauthorized");
  });

  test("that lands after a 503 and the next call is refused, and the key stays alive", async () => {
    await client.issue("warm");
    const batch = faults.next(late());
    faults.next(failBefore());
    expect((await revoke()).outcome).toBe("unavailable");
    expect((await client.issue("e")).outcome).toBe("issued");
    await expect(batch.release()).rejects.toThrow(STALE);
    expect((await client.issue("next")).outcome).toBe("issued");
    expect((await revoke()).outcome).toBe("done");
    expect((await client.issue("last")).outcome).toBe("unauthorized");
    await consistent();
  });
});

describe("a consent", () => {
  const consent = () => act(shop, aConsent("co000first"));

  beforeEach(async () => {
    shop = await openShop({ consented: false });
    client = clientOf(shop);
    expect((await client.issue("e")).outcome).toBe("refused");
  });

  test("that lands after it was written anew is refused", async () => {
    const batch = faults.next(late());
    expect((await consent()).outcome).toBe("done");
    await expect(batch.release()).rejects.toThrow(/fence:stale/);
    expect((await client.issue("e")).outcome).toBe("issued");
    await consistent();
  });

  test("that lands after a 503, before the next call, counts", async () => {
    const batch = faults.next(late());
    faults.next(failBefore());
    expect((await consent()).outcome).toBe("unavailable");
    await batch.release();
    expect((await client.issue("e")).outcome).toBe("issued");
    await consistent();
  });

  test("that lands after a 503 and the next call is refused, and there is none", async () => {
    const batch = faults.next(late());
    faults.next(failBefore());
    expect((await consent()).outcome).toBe("unavailable");
    expect((await client.issue("e")).outcome).toBe("refused");
    await expect(batch.release()).rejects.toThrow(STALE);
    expect((await client.issue("e")).outcome).toBe("refused");
    expect((await consent()).outcome).toBe("done");
    expect((await client.issue("e")).outcome).toBe("issued");
    await consistent();
  });
});
