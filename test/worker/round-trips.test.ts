/** How often each call goes to D1: what the design promises, counted by the wrapped binding. */
import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults, type Trip } from "../support/faults/faults.ts";
import {
  aDifference,
  aReplacement,
  callsOf,
  clientOf,
  haveArrived,
  kindsOf,
  type LedgerClient,
  SIMPLIFIED,
} from "../support/worlds/ledger-client.ts";
import { ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let client: LedgerClient;

beforeEach(openBooks);

async function openBooks(): Promise<void> {
  shop = await openShop();
  client = clientOf(shop);
  await client.issue("full");
  await client.issue("ticket", SIMPLIFIED);
}

async function turnCold(): Promise<void> {
  await evictDurableObject(ledgerStub(shop));
}

/** Memory holds the books, but knows of no invoice. */
async function turnWarm(): Promise<void> {
  await turnCold();
  await client.issue("warm");
}

interface Told {
  readonly outcome: string;
  readonly d1Trips: number;
}

/** The cost of a call, which its answer also gives to the log line. */
async function costOf(call: () => Promise<Told>): Promise<{ outcome: string; trips: number }> {
  faults.take();
  const { outcome, d1Trips } = await call();
  const trips = faults.trips().length;
  expect(d1Trips).toBe(trips);
  return { outcome, trips };
}

const REFUSED = { invoiceType: "F1", regime: "art7_simplified" } as const;

describe("trips", () => {
  test.each<[string, () => Promise<Told>, string, { warm: number; cold: number }]>([
    ["a new F1", () => client.issue("new"), "issued", { warm: 1, cold: 2 }],
    ["a new F2", () => client.issue("new", SIMPLIFIED), "issued", { warm: 1, cold: 2 }],
    ["a new R1", () => client.issue("new", aDifference("full", "10")), "issued", { warm: 2, cold: 2 }],
    ["a new F3", () => client.issue("new", aReplacement("ticket")), "issued", { warm: 2, cold: 2 }],
    ["a cancellation", () => client.cancel("full"), "cancelled", { warm: 2, cold: 2 }],
    ["a refusal", () => client.issue("new", REFUSED), "refused", { warm: 1, cold: 1 }],
    ["a refused R1", () => client.issue("new", aDifference("none", "1")), "refused", { warm: 1, cold: 1 }],
    ["a refused cancellation", () => client.cancel("none"), "refused", { warm: 1, cold: 1 }],
    ["a replay", () => client.issue("full"), "replayed", { warm: 2, cold: 1 }],
    ["a conflict", () => client.issue("full", { description: "x" }), "conflict", { warm: 2, cold: 1 }],
    [
      "a conflict of a payload that is refused",
      () => client.issue("full", REFUSED),
      "conflict",
      { warm: 1, cold: 1 },
    ],
    ["a read", () => client.read("full"), "found", { warm: 1, cold: 1 }],
    ["a read of nothing", () => client.read("none"), "unknown", { warm: 1, cold: 1 }],
  ])("%s", async (_, call, outcome, trips) => {
    await turnCold();
    expect(await costOf(call)).toEqual({ outcome, trips: trips.cold });
    // The same again on a shop where it has not happened yet.
    await openBooks();
    await turnWarm();
    expect(await costOf(call)).toEqual({ outcome, trips: trips.warm });
  });

  test("a replay or conflict that memory knows of costs one", async () => {
    await turnWarm();
    expect(await costOf(() => client.issue("warm"))).toEqual({ outcome: "replayed", trips: 1 });
    const other = () => client.issue("warm", { description: "other" });
    expect(await costOf(other)).toEqual({ outcome: "conflict", trips: 1 });
  });

  test("a repeated cancellation costs one", async () => {
    await client.cancel("full");
    expect(await costOf(() => client.cancel("full"))).toEqual({ outcome: "replayed", trips: 1 });
  });

  test("a key that is not known costs the cold load, and nothing once that is done", async () => {
    await turnCold();
    const stranger = clientOf({ ...shop, key: "ck_live_other" });
    expect(await costOf(() => stranger.issue("new"))).toEqual({ outcome: "unauthorized", trips: 1 });
    expect(await costOf(() => stranger.read("full"))).toEqual({ outcome: "unauthorized", trips: 0 });
  });

  test("a read during a batch counts its own trips only", async () => {
    await turnWarm();
    faults.take();
    const held = faults.next(gate());
    const issued = client.issue("new");
    await held.reached();
    expect((await client.read("full")).d1Trips).toBe(1);
    held.open();
    expect((await issued).d1Trips).toBe(1);
    expect(faults.trips()).toHaveLength(2);
  });
});

describe("rows written", () => {
  const written = (trips: readonly Trip[]) => trips.reduce((sum, trip) => sum + trip.rowsWritten, 0);

  test.each([
    ["F1", undefined],
    ["F2", SIMPLIFIED],
  ])("at most 12 for an %s", async (_, change) => {
    await turnWarm();
    faults.take();
    await client.issue("new", change);
    expect(written(faults.trips())).toBeLessThanOrEqual(12);
  });

  test("a series is one row and its index once, on its first number", async () => {
    const other = await openShop();
    faults.take();
    await clientOf(other).issue("first");
    expect(written(faults.trips())).toBeLessThanOrEqual(14);
  });
});

describe("an unknown outcome costs one more", () => {
  beforeEach(turnWarm);

  test("that closes and reads, when the batch had landed", async () => {
    faults.next(loseAnswer());
    expect(await costOf(() => client.issue("new"))).toEqual({ outcome: "issued", trips: 2 });
  });

  test("before the batch is sent again, when it had not", async () => {
    faults.next(late());
    expect(await costOf(() => client.issue("new"))).toEqual({ outcome: "issued", trips: 3 });
  });
});

describe("64 at once", () => {
  const COUNT = 64;

  /** The first is held in its batch until all others wait for it. */
  async function issueBehindFirst(ids: readonly string[]) {
    const bound = clientOf(shop, callsOf(ledgerStub(shop)));
    faults.take();
    const held = faults.next(gate());
    const first = bound.issue("first");
    await held.reached();
    const others = ids.map((id) => bound.issue(id));
    await haveArrived(shop, ids.length + 1);
    held.open();
    return { first: await first, others: await Promise.all(others), trips: faults.trips().length };
  }

  test("cost two trips in all, numbered without gap in the order in which they came", async () => {
    await turnWarm();
    const ids = Array.from({ length: COUNT }, (_, index) => `e${index}`);
    const { first, others, trips } = await issueBehindFirst(ids);
    expect(trips).toBe(2);
    expect(kindsOf(others)).toEqual(ids.map(() => "issued"));
    const numbers = [first, ...others].flatMap((one) =>
      one.outcome === "issued" ? [one.invoice.number] : [],
    );
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    expect(new Set(others.map((one) => one.d1Trips))).toEqual(new Set([1]));
  });

  test("with a replay among them: first, refused batch, read, batch; the others notice nothing", async () => {
    await turnWarm();
    const ids = Array.from({ length: COUNT }, (_, index) => (index === 30 ? "full" : `e${index}`));
    const { others, trips } = await issueBehindFirst(ids);
    expect(trips).toBe(4);
    expect(kindsOf(others)).toEqual(ids.map((id) => (id === "full" ? "replayed" : "issued")));
    expect(new Set(others.map((one) => one.d1Trips))).toEqual(new Set([3]));
  });
});
