/** Two instances on one database, and instances that end in the middle: what a deploy or a crash does. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { hashOfKey } from "../../src/domain/connection/api-key.ts";
import { answerGate, gate, late } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { booksIn, expectBooksConsistent } from "../support/rules/consistency.ts";
import { clientOf, kindsOf, type LedgerClient, plainLedger } from "../support/worlds/ledger-client.ts";
import { ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;

beforeEach(async () => {
  shop = await openShop();
});

describe.each<[string, () => [LedgerClient, LedgerClient]]>([
  ["two ledgers", () => [plainLedger(shop).client, plainLedger(shop).client]],
  [
    "two objects",
    () => [
      clientOf(shop, ledgerStub({ connectionId: "old" })),
      clientOf(shop, ledgerStub({ connectionId: "new" })),
    ],
  ],
])("%s of one connection", (_, open) => {
  let old: LedgerClient;
  let young: LedgerClient;

  beforeEach(async () => {
    [old, young] = open();
    await old.issue("first");
  });

  /** The old one's next batch waits while the young one does something. */
  async function overtake<T, U>(before: () => Promise<T>, meanwhile: () => Promise<U>): Promise<[T, U]> {
    const held = faults.next(gate());
    const waiting = before();
    await held.reached();
    const done = await meanwhile();
    held.open();
    return [await waiting, done];
  }

  const consistent = () => expectBooksConsistent(shop.connectionId, [...old.answers, ...young.answers]);

  test("number one after the other", async () => {
    const [a, b] = await overtake(
      () => old.issue("a"),
      () => young.issue("b"),
    );
    expect([a, b]).toMatchObject([{ invoice: { number: 3 } }, { invoice: { number: 2 } }]);
    expect(await young.issue("c")).toMatchObject({ outcome: "issued", invoice: { number: 4 } });
    expect(await old.issue("d")).toMatchObject({ outcome: "issued", invoice: { number: 5 } });
    await consistent();
  });

  test("give one external_id one number", async () => {
    const answers = await overtake(
      () => old.issue("a"),
      () => young.issue("a"),
    );
    expect(kindsOf(answers)).toEqual(["replayed", "issued"]);
    expect((await booksIn(shop.connectionId)).invoices).toHaveLength(2);
    await consistent();
  });

  test("cancel an invoice once", async () => {
    const held = faults.when((sql) => sql.some((text) => text.startsWith('insert into "record"')), gate());
    const slow = old.cancel("first");
    await held.reached();
    expect((await young.cancel("first")).outcome).toBe("cancelled");
    held.open();
    expect((await slow).outcome).toBe("replayed");
    await consistent();
  });

  test("never take back more than there is", async () => {
    const held = faults.when((sql) => sql.some((text) => text.startsWith('insert into "record"')), gate());
    const slow = old.takeBack("r1", "first", "60");
    await held.reached();
    expect((await young.takeBack("r2", "first", "60")).outcome).toBe("issued");
    held.open();
    expect(await slow).toMatchObject({ outcome: "refused", refusal: { code: "rectification_exceeds" } });
    await consistent();
  });

  test("a key revoked through the young one issues nothing through the old one", async () => {
    const [issued] = await overtake(
      () => old.issue("a"),
      () =>
        plainLedger(shop).ledger.act(shop.connectionId, "owner", {
          verb: "revoke_key",
          hash: hashOfKey(shop.key),
        }),
    );
    expect(issued.outcome).toBe("unauthorized");
    await consistent();
  });
});

describe("an object that was evicted", () => {
  test("continues from the end of the books", async () => {
    const client = clientOf(shop);
    await client.issue("a");
    await evictDurableObject(ledgerStub(shop));
    expect(await client.issue("b")).toMatchObject({ outcome: "issued", invoice: { number: 2 } });
    expect((await client.issue("a")).outcome).toBe("replayed");
    await expectBooksConsistent(shop.connectionId, client.answers);
  });
});

describe("an object killed in the middle of its batch", () => {
  let client: LedgerClient;

  beforeEach(async () => {
    client = clientOf(shop);
    await client.issue("warm");
  });

  const kill = async () => {
    await runInDurableObject(ledgerStub(shop), (_, state) => state.abort()).catch(() => undefined);
  };
  const consistent = () => expectBooksConsistent(shop.connectionId, client.answers);

  /** The batch is under way, neither sent nor given up, when the object ends. */
  async function killInBatch() {
    const batch = faults.next(late({ givenUp: "on demand" }));
    const ended = expect(client.issue("e")).rejects.toThrow();
    await batch.reached();
    await kill();
    await ended;
    return batch;
  }

  test("that never arrives: the retry is issued", async () => {
    await killInBatch();
    expect(await client.issue("e")).toMatchObject({ outcome: "issued", invoice: { number: 2 } });
    await consistent();
  });

  test("that arrives before the retry: the retry is a replay", async () => {
    const batch = await killInBatch();
    await batch.release();
    expect(await client.issue("e")).toMatchObject({ outcome: "replayed", invoice: { number: 2 } });
    await consistent();
  });

  test("that arrives after the retry: it is refused", async () => {
    const batch = await killInBatch();
    expect(await client.issue("e")).toMatchObject({ outcome: "issued", invoice: { number: 2 } });
    await expect(batch.release()).rejects.toThrow("fence:stale_head");
    await consistent();
  });

  test("that arrives while the retry's batch is under way: the retry is a replay", async () => {
    const batch = await killInBatch();
    const held = faults.when((sql) => sql.some((text) => text.startsWith('insert into "record"')), gate());
    const retried = client.issue("e");
    await held.reached();
    await batch.release();
    held.open();
    expect(await retried).toMatchObject({ outcome: "replayed", invoice: { number: 2 } });
    await consistent();
  });

  test("between commit and answer: the retry is a replay", async () => {
    const held = faults.next(answerGate());
    const ended = expect(client.issue("e")).rejects.toThrow();
    await held.answered();
    await kill();
    await ended;
    expect(await client.issue("e")).toMatchObject({ outcome: "replayed", invoice: { number: 2 } });
    await consistent();
  });
});
