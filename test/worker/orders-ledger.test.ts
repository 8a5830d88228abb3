/** Orders in the ledger: the cost of each call, and the rules that hold after every fault. */

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { failBefore, gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectOrdersConsistent } from "../support/rules/consistency.ts";
import { callsOf, clientOf, haveArrived, plainLedger } from "../support/worlds/ledger-client.ts";
import {
  A_SENT_COMPANY,
  aSentLine,
  aSentOrder,
  aSentRefund,
  type Connector,
  openCommerce,
  orderConnector,
  orderIn,
  type SentBody,
  toldOf,
} from "../support/worlds/order-calls.ts";
import { act, ledgerStub, openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let connector: Connector;

beforeEach(openBooks);

async function openBooks(): Promise<void> {
  shop = await openCommerce();
  connector = orderConnector(shop);
  await connector.send(aSentOrder("known"));
  await connector.send(aSentOrder("held", HELD));
}

const HELD: SentBody = { total: 1210, breakdown: [aSentLine(1000, 210, 21)] };
const REFUNDED: SentBody = { correction_events: [aSentRefund("r1", 10, 2.1, 21)] };
const FULL: SentBody = { fiscal_event: "full_invoice_requested", client: A_SENT_COMPANY };

/** The order rows agree with the invoices, both ways, and the books are whole. */
const consistent = async (of: Shop = shop) => (await expectOrdersConsistent(of.connectionId)).orders;

async function turnWarm(): Promise<void> {
  await evictDurableObject(ledgerStub(shop));
  await connector.send(aSentOrder("warm"));
}

describe("trips", () => {
  test.each<[string, () => Promise<{ readonly d1Trips: number }>, { warm: number; cold: number }]>([
    ["a new order that is invoiced", () => connector.send(aSentOrder("new")), { warm: 2, cold: 2 }],
    ["a new order that is held", () => connector.send(aSentOrder("new", HELD)), { warm: 2, cold: 2 }],
    ["a correction", () => connector.send(aSentOrder("known", REFUNDED)), { warm: 2, cold: 2 }],
    ["a full invoice later", () => connector.send(aSentOrder("known", FULL)), { warm: 2, cold: 2 }],
    [
      "a correction and a full invoice at once",
      () => connector.send(aSentOrder("known", { ...FULL, ...REFUNDED })),
      { warm: 2, cold: 2 },
    ],
    [
      "a cancellation",
      () => connector.send(aSentOrder("known", { fiscal_event: "cancelled" })),
      { warm: 2, cold: 2 },
    ],
    [
      "a changed fact",
      () => connector.send(aSentOrder("held", { ...HELD, status: "x" })),
      { warm: 2, cold: 2 },
    ],
    ["an identical resend", () => connector.send(aSentOrder("known")), { warm: 1, cold: 1 }],
    [
      "an identical resend of a held one",
      () => connector.send(aSentOrder("held", HELD)),
      { warm: 1, cold: 1 },
    ],
    ["a preview", () => connector.preview(aSentOrder("new")), { warm: 1, cold: 1 }],
    ["a read", () => connector.read("known"), { warm: 1, cold: 1 }],
    ["a read of nothing", () => connector.read("none"), { warm: 1, cold: 1 }],
  ])("%s", async (_, call, trips) => {
    await evictDurableObject(ledgerStub(shop));
    faults.take();
    expect((await call()).d1Trips).toBe(trips.cold);
    expect(faults.take()).toHaveLength(trips.cold);
    await openBooks();
    await turnWarm();
    faults.take();
    expect((await call()).d1Trips).toBe(trips.warm);
    expect(faults.trips()).toHaveLength(trips.warm);
    await consistent();
  });

  test("64 different orders after the first cost four in all, numbered without gap", async () => {
    await turnWarm();
    const bound = orderConnector(shop, callsOf(ledgerStub(shop)));
    faults.take();
    const held = faults.next(gate());
    const first = bound.send(aSentOrder("first"));
    await held.reached();
    const others = Array.from({ length: 63 }, (_, index) => bound.send(aSentOrder(`o${index}`)));
    await haveArrived(shop, 64);
    held.open();
    const answers = await Promise.all([first, ...others]);
    expect(faults.trips()).toHaveLength(4);
    const numbers = answers.map((answer) => orderIn(answer).invoices[0]?.issued?.number);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    await consistent();
  });
});

describe("one order", () => {
  test("20 times at once is one invoice, and one of them has created it", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => connector.send(aSentOrder("same"))));
    expect(new Set(answers.map(toldOf)).size).toBe(1);
    expect(answers.filter((answer) => "created" in answer && answer.created)).toHaveLength(1);
    await consistent();
  });

  test("sent again unchanged changes nothing, after any declaration of the owner", async () => {
    const cod = { total: 124, unmapped_totals: [{ code: "cod", value: 3 }] };
    const approved = { verb: "declare_sales", change: { issuingMode: "none" } } as const;
    expect(toldOf(await connector.send(aSentOrder("cod", cod)))).toBe("held untreated_total");
    await act(shop, { verb: "declare_sales", change: { issuingMode: "review" } });
    await connector.send(aSentOrder("later"));
    await act(shop, approved);
    expect(toldOf(await connector.send(aSentOrder("known")))).toMatch(/^invoiced F2/);
    await consistent();
  });

  test("does not go backwards, but events of an older copy act", async () => {
    const newer = { total: 242, breakdown: [aSentLine(200, 42, 21)], updated_at: "2026-11-22T10:00:00Z" };
    const older = { ...REFUNDED, updated_at: "2026-11-21T10:00:00Z" };
    await connector.send(aSentOrder("dated", newer));
    const told = orderIn(await connector.send(aSentOrder("dated", older)));
    expect(told.warnings.map(({ code }) => code)).toContain("stale_payload");
    expect(toldOf(await connector.read("dated"))).toBe(
      "partially_rectified F2 PED-1S-2026-000002 242 R5 PED-1RS-2026-000001 -12.1",
    );
    await consistent();
  });

  test("with reordered and repeated events is rectified once for each", async () => {
    const [a, b] = [aSentRefund("a", 10, 2.1, 21), aSentRefund("b", 20, 4.2, 21)];
    await connector.send(aSentOrder("known", { correction_events: [a] }));
    await connector.send(aSentOrder("known", { correction_events: [b, a] }));
    const told = await connector.send(aSentOrder("known", { correction_events: [a, b, a] }));
    expect(orderIn(told).invoices.map(({ totals }) => totals.total)).toEqual(["121", "-12.1", "-24.2"]);
    const changed = { ...a, lines: [{ base_delta: -5, tax_rate: 21, tax_delta: -1.05 }] };
    expect(toldOf(await connector.send(aSentOrder("known", { correction_events: [changed] })))).toMatch(
      /^held correction_event_changed/,
    );
    await consistent();
  });

  test("that outgrows its row is refused, and nothing of it is stored", async () => {
    const name = "ñ".repeat(250);
    const events = (from: number) =>
      Array.from({ length: 1_000 }, (_, index) => ({
        ...aSentRefund(`e${from + index}`, 0.01, 0, 21),
        reason: name,
        event_type: "unknown",
      }));
    const outcomes: string[] = [];
    for (const from of [0, 1_000, 2_000, 3_000, 4_000]) {
      outcomes.push((await connector.send(aSentOrder("known", { correction_events: events(from) }))).outcome);
    }
    expect(outcomes).toContain("refused");
    expect(toldOf(await connector.read("known"))).toMatch(/^invoiced F2/);
    await consistent();
  });
});

describe("after every fault", () => {
  beforeEach(turnWarm);

  test("the answer of the batch is lost: it is new, and issued once", async () => {
    faults.when((sql) => sql.some((text) => text.includes("shop_order_sent")), loseAnswer());
    const told = await connector.send(aSentOrder("new"));
    expect(told).toMatchObject({ outcome: "taken", created: true });
    expect(orderIn(told).invoices).toHaveLength(1);
    await consistent();
  });

  test("the database is down: 503, nothing is stored, and a retry is taken", async () => {
    faults.next(failBefore());
    expect(await connector.send(aSentOrder("new"))).toMatchObject({ outcome: "unavailable" });
    expect(await connector.read("new")).toMatchObject({ outcome: "unknown" });
    expect(toldOf(await connector.send(aSentOrder("new")))).toMatch(/^invoiced/);
    await consistent();
  });

  test("a late batch is never written together with the one sent instead", async () => {
    const batch = faults.when((sql) => sql.some((text) => text.includes("shop_order_sent")), late());
    expect(await connector.send(aSentOrder("new"))).toMatchObject({ outcome: "taken", created: true });
    await expect(batch.release()).rejects.toThrow(/stale_head/);
    await consistent();
  });

  test("the object dies in the middle of its batch: the retry is answered, once", async () => {
    const held = faults.when((sql) => sql.some((text) => text.includes("shop_order_sent")), gate());
    const stub = ledgerStub(shop);
    const lost = orderConnector(shop, callsOf(stub))
      .send(aSentOrder("new"))
      .catch(() => "lost");
    await held.reached();
    await runInDurableObject(stub, (_, state) => state.abort()).catch(() => {});
    held.open();
    await lost;
    expect(orderIn(await connector.send(aSentOrder("new"))).invoices).toHaveLength(1);
    await consistent();
  });

  test("two instances decide one order at once: one invoice", async () => {
    const instances = [plainLedger(shop).ledger, plainLedger(shop).ledger];
    const answers = await Promise.all(
      instances.map((ledger) => orderConnector(shop, ledger).send(aSentOrder("same"))),
    );
    expect(new Set(answers.map(toldOf)).size).toBe(1);
    await consistent();
  });

  test("the owner withdraws while an order is decided: it waits", async () => {
    const { ledger } = plainLedger(shop);
    const bound = orderConnector(shop, ledger);
    await bound.send(aSentOrder("warm2"));
    const held = faults.when((sql) => sql.some((text) => text.includes("shop_order_sent")), gate());
    const sending = bound.send(aSentOrder("new"));
    await held.reached();
    await act(shop, { verb: "withdraw_consent" });
    held.open();
    expect(toldOf(await sending)).toBe("deferred deferred");
    await consistent();
  });
});

test("orders and direct invoices of one connection have numbers of their own and one chain", async () => {
  const api = await openShop();
  const both = orderConnector(api);
  const direct = clientOf(api);
  const answers = await Promise.all([
    both.send(aSentOrder("1")),
    direct.issue("1"),
    both.send(aSentOrder("2")),
    direct.issue("2"),
  ]);
  expect(answers.map(({ outcome }) => outcome)).toEqual(["taken", "issued", "taken", "issued"]);
  // An order is no direct invoice, with any ids.
  expect(await direct.read("order:1")).toMatchObject({ outcome: "unknown" });
  expect(await consistent(api)).toHaveLength(2);
});
