/** Batches that D1 never accepts: only the calls at fault get an error. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { CommitResult, IssueBatch } from "../../src/db/ledger-state.ts";
import { type LedgerStore, ledgerStore } from "../../src/db/ledger-store.ts";
import { failBefore, gate, late } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { booksIn, expectBooksConsistent } from "../support/rules/consistency.ts";
import { kindsOf, type PlainLedger, plainLedger } from "../support/worlds/ledger-client.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;

beforeEach(async () => {
  shop = await openShop();
});

/** A ledger that passes its commits to the test first. */
function ledgerWith(commit: (batch: IssueBatch, real: LedgerStore) => Promise<CommitResult>): PlainLedger {
  const real = ledgerStore(wrapD1("LEDGER_000", env.LEDGER_000), shop.connectionId);
  return plainLedger(shop, { store: { ...real, commit: (batch) => commit(batch, real) } });
}

/** The calls that wait while a batch is held before them are one group. */
async function asGroup<T>(plain: PlainLedger, calls: () => Promise<T>): Promise<T> {
  await plain.client.issue("warm");
  const held = faults.next(gate());
  const first = plain.client.issue("first");
  await held.reached();
  const group = calls();
  held.open();
  await first;
  return group;
}

const carries = (batch: IssueBatch, externalId: string) =>
  batch.invoices.some((invoice) => invoice.view.externalId === externalId);

describe("a request that no batch survives", () => {
  const poisoned = () =>
    ledgerWith(async (batch, real) => {
      if (carries(batch, "poison")) throw new Error("D1_ERROR: internal error");
      return real.commit(batch);
    });

  test("fails alone; its neighbours are issued, without gap", async () => {
    const plain = poisoned();
    const { client } = plain;
    const ids = ["a", "b", "poison", "c", "a"];
    const answers = await asGroup(plain, () => Promise.all(ids.map((id) => client.issue(id))));
    expect(kindsOf(answers)).toEqual(["issued", "issued", "failed", "issued", "replayed"]);
    expect(plain.alarms.filter((alarm) => alarm === "poisonous_batch")).toHaveLength(1);
    expect((await client.issue("next")).outcome).toBe("issued");
    await expectBooksConsistent(shop.connectionId, client.answers);
  });

  test("fails when it comes alone, and leaves nothing", async () => {
    const { client } = poisoned();
    expect(await client.issue("poison")).toMatchObject({ outcome: "failed", cause: "poisonous_batch" });
    expect((await booksIn(shop.connectionId)).invoices).toEqual([]);
  });

  test("keeps the invoices issued before D1 went down in the middle", async () => {
    let commits = 0;
    const plain = ledgerWith(async (batch, real) => {
      if (carries(batch, "poison")) throw new Error("D1_ERROR: internal error");
      commits += 1;
      // warm, first and a are in the books; from then on nothing arrives.
      if (commits === 4) faults.next(failBefore(), { times: 2 });
      return real.commit(batch);
    });
    const { client } = plain;
    const answers = await asGroup(plain, () =>
      Promise.all(["a", "b", "poison"].map((id) => client.issue(id))),
    );
    expect(kindsOf(answers)).toEqual(["issued", "unavailable", "failed"]);
    expect((await client.issue("b")).outcome).toBe("issued");
    await expectBooksConsistent(shop.connectionId, client.answers);
  });
});

describe("a broken link", () => {
  const linkless = (times: number) => {
    let left = times;
    return ledgerWith(async (batch, real) => (left-- > 0 ? "link" : real.commit(batch)));
  };

  test("once is a stale head: read again, issued", async () => {
    const { client, alarms } = linkless(1);
    expect((await client.issue("e")).outcome).toBe("issued");
    expect(alarms).toEqual([]);
    await expectBooksConsistent(shop.connectionId, client.answers);
  });

  test("twice running is a fault: failed, and an alarm rings", async () => {
    const { client, alarms } = linkless(2);
    expect(await client.issue("e")).toMatchObject({ outcome: "failed", cause: "broken_link" });
    expect(alarms).toEqual(["broken_link"]);
  });
});

describe("a row that exists without a request", () => {
  const existing = (times: number) => {
    let left = times;
    return ledgerWith(async (batch, real) => (left-- > 0 ? "exists" : real.commit(batch)));
  };

  test("is a stale head, also where the request cites an invoice", async () => {
    const plain = existing(0);
    await plain.client.issue("e");
    const { client } = existing(1);
    faults.take();
    expect((await client.takeBack("r", "e", "10")).outcome).toBe("issued");
    // load, (refused batch,) look, load again, batch
    expect(faults.trips()).toHaveLength(4);
    await expectBooksConsistent(shop.connectionId, [...plain.client.answers, ...client.answers]);
  });

  test("for ever is an outage", async () => {
    const { client } = existing(9);
    expect(await client.issue("e")).toMatchObject({ outcome: "unavailable", cause: "contended" });
  });
});

describe("a frozen account", () => {
  const freeze = (frozen: 0 | 1) =>
    env.LEDGER_000.prepare("UPDATE account SET frozen = ? WHERE id = ?").bind(frozen, shop.accountId).run();

  test.each(["cold", "warm"])("issues nothing and repeats nothing, %s, until it thaws", async (memory) => {
    const { client } = plainLedger(shop);
    if (memory === "warm") await client.issue("e");
    await freeze(1);
    const frozen = { outcome: "unavailable", cause: "account_frozen" };
    expect(await client.issue("new")).toMatchObject(frozen);
    expect(await client.issue("e")).toMatchObject(frozen);
    await freeze(0);
    expect((await client.issue("new")).outcome).toBe("issued");
    await expectBooksConsistent(shop.connectionId, client.answers);
  });

  test("changes no key", async () => {
    const { ledger } = plainLedger(shop);
    await freeze(1);
    expect(
      await ledger.act(shop.connectionId, "owner", { verb: "open_key", id: "ky1", hash: "1" }),
    ).toMatchObject({
      cause: "account_frozen",
    });
  });

  test("keeps a lost batch open: it is closed after the thaw", async () => {
    const { client } = plainLedger(shop);
    await client.issue("warm");
    const batch = faults.next(late({ givenUp: "on demand" }));
    const issued = client.issue("e");
    await batch.reached();
    await freeze(1);
    batch.giveUp();
    expect(await issued).toMatchObject({ outcome: "unavailable", cause: "account_frozen" });
    await expect(batch.release()).rejects.toThrow("fence:stale_settings");
    await freeze(0);
    await batch.release();
    expect((await client.issue("e")).outcome).toBe("replayed");
    await expectBooksConsistent(shop.connectionId, client.answers);
  });
});
