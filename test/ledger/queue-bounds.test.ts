/** Calls that wait too long, or exceed the queue, are refused before anything is sent. */
import { beforeEach, describe, expect, test } from "vitest";
import { QUEUE_BOUNDS } from "../../src/ledger/core/queue.ts";
import { type Gate, gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { type ManualTimers, manualTimers } from "../support/faults/manual-timers.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { kindsOf, type PlainLedger, plainLedger } from "../support/worlds/ledger-client.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let timers: ManualTimers;

beforeEach(async () => {
  shop = await openShop();
  timers = manualTimers();
});

/** A ledger with its first batch held until the gate opens. */
async function busyWith(bounds: Partial<typeof QUEUE_BOUNDS>): Promise<{ plain: PlainLedger; held: Gate }> {
  const plain = plainLedger(shop, { bounds: { ...QUEUE_BOUNDS, ...bounds }, after: timers.after });
  await plain.client.issue("warm");
  const held = faults.next(gate());
  void plain.client.issue("first");
  await held.reached();
  faults.take();
  return { plain, held };
}

const LARGE = { description: "ñ".repeat(900) };
/** About what a request with that description weighs; its characters alone would be half of it. */
const LARGE_BYTES = 2_300;

describe("turned away", () => {
  test("beyond so many waiting; the waiting ones are served", async () => {
    const { plain, held } = await busyWith({ waiting: 2 });
    const waiting = [plain.client.issue("a"), plain.client.issue("b")];
    expect(await plain.client.issue("c")).toEqual({
      outcome: "unavailable",
      retryAfterSeconds: 2,
      cause: "queue_full",
      d1Trips: 0,
    });
    held.open();
    expect(kindsOf(await Promise.all(waiting))).toEqual(["issued", "issued"]);
    expect((await plain.client.issue("c")).outcome).toBe("issued");
    await expectBooksConsistent(shop.connectionId, plain.client.answers);
  });

  test("beyond so many bytes of UTF-8 waiting", async () => {
    const { plain, held } = await busyWith({ waitingBytes: 1.5 * LARGE_BYTES });
    const waiting = plain.client.issue("a", LARGE);
    expect(await plain.client.issue("b", LARGE)).toMatchObject({ cause: "queue_full" });
    held.open();
    expect((await waiting).outcome).toBe("issued");
    expect((await plain.client.issue("b", LARGE)).outcome).toBe("issued");
  });

  test("after waiting too long; nothing of it is sent", async () => {
    const { plain, held } = await busyWith({});
    const waiting = [plain.client.issue("a"), plain.client.cancel("warm")];
    timers.elapse(QUEUE_BOUNDS.waitMs);
    const late = { outcome: "unavailable", cause: "queue_late", d1Trips: 0 };
    expect(await Promise.all(waiting)).toMatchObject([late, late]);
    held.open();
    expect(await plain.client.issue("next")).toMatchObject({ outcome: "issued", invoice: { number: 3 } });
    await expectBooksConsistent(shop.connectionId, plain.client.answers);
  });

  test("not once it is being served", async () => {
    const { plain, held } = await busyWith({});
    const waiting = plain.client.issue("a");
    const second = faults.next(gate());
    held.open();
    await second.reached();
    timers.elapse(QUEUE_BOUNDS.waitMs);
    second.open();
    expect((await waiting).outcome).toBe("issued");
  });

  test("an owner's verb too: a key that was not revoked counts again", async () => {
    const { plain, held } = await busyWith({});
    const revoked = plain.ledger.act(shop.connectionId, "owner", { verb: "revoke_key", hash: "none" });
    timers.elapse(QUEUE_BOUNDS.waitMs);
    expect(await revoked).toMatchObject({ outcome: "unavailable", cause: "queue_late" });
    held.open();
    expect((await plain.client.issue("a")).outcome).toBe("issued");
  });
});

describe("a group", () => {
  test.each<[string, Partial<typeof QUEUE_BOUNDS>, object, number]>([
    ["holds all that wait", {}, {}, 1],
    ["holds no more than so many", { group: 2 }, {}, 2],
    ["holds no more than so many bytes of UTF-8", { groupBytes: 2.5 * LARGE_BYTES }, LARGE, 2],
    ["serves a call larger than a group alone", { groupBytes: 10 }, {}, 4],
  ])("%s", async (_, bounds, change, groups) => {
    const { plain, held } = await busyWith(bounds);
    const waiting = ["a", "b", "c", "d"].map((id) => plain.client.issue(id, change));
    held.open();
    expect(kindsOf(await Promise.all(waiting))).toEqual(["issued", "issued", "issued", "issued"]);
    expect(faults.trips()).toHaveLength(groups);
    await expectBooksConsistent(shop.connectionId, plain.client.answers);
  });

  test("does not mix with an owner's verb, before or after it", async () => {
    const { plain, held } = await busyWith({});
    const key = { verb: "open_key", id: "ky000second", hash: "second" } as const;
    const waiting = [
      plain.client.issue("a"),
      plain.ledger.act(shop.connectionId, "owner", key),
      plain.client.issue("b"),
    ];
    held.open();
    expect(kindsOf(await Promise.all(waiting))).toEqual(["issued", "done", "issued"]);
  });

  test("answers every valid key, and no other", async () => {
    const { plain, held } = await busyWith({});
    const stranger = plainLedger({ ...shop, key: "other" }).client;
    const answers = Promise.all([plain.client.issue("a"), stranger.issue("b"), plain.client.issue("c")]);
    held.open();
    expect(kindsOf(await answers)).toEqual(["issued", "unauthorized", "issued"]);
  });
});
