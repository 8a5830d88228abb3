/** Copies of an order that come in the wrong order, twice, or changed: facts never go back, events act once. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { faults } from "../support/faults/faults.ts";
import { expectOrdersConsistent } from "../support/rules/consistency.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import {
  aSentLine,
  aSentOrder,
  aSentRefund,
  openCommerce,
  orderIn,
  type SentBody,
} from "../support/worlds/order-calls.ts";
import {
  COMPLETE,
  type Dealing,
  dealing,
  dealingWith,
  FULL,
  HELD,
  plainly,
  writesOrders,
} from "../support/worlds/order-changes.ts";
import { consent } from "../support/worlds/owners.ts";
import { act, ring, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let to: Dealing;

beforeEach(async () => {
  shop = await openCommerce();
  to = dealing(shop);
});

afterEach(async () => {
  await expectOrdersConsistent(shop.connectionId, { answers: to.answers });
});

const OLD = { updated_at: "2026-11-21T10:00:00Z" };
const NEW = { updated_at: "2026-11-22T10:00:00Z" };
const R1 = aSentRefund("r1", 10, 2.1, 21);
const R2 = aSentRefund("r2", 20, 4.2, 21);
const R1_CHANGED = aSentRefund("r1", 15, 3.15, 21);
const events = (...of: readonly SentBody[]): SentBody => ({ correction_events: of });
const DEARER = { total: 242, breakdown: [aSentLine(200, 42, 21)] };

async function sendAll(...bodies: readonly SentBody[]) {
  const told = [];
  for (const body of bodies) told.push(await to.send(aSentOrder("1", body)));
  return told;
}

const warningsIn = (outcome: Parameters<typeof orderIn>[0]) =>
  orderIn(outcome).warnings.map(({ code }) => code);

describe("an older copy after a newer one", () => {
  test.each<[string, SentBody, SentBody, string]>([
    [
      "changes no fact of an order that waits",
      { ...HELD, ...NEW },
      { ...COMPLETE, ...OLD },
      "held recipient_incomplete",
    ],
    ["changes no fact of an invoiced one", { ...DEARER, ...NEW }, OLD, "invoiced F2 242"],
    ["acts with an event that is new", NEW, { ...events(R1), ...OLD }, "partially_rectified F2 121 R5 -12.1"],
    [
      "acts with a new event next to an earlier one",
      { ...events(R1), ...NEW },
      { ...events(R2, R1), ...OLD },
      // Netted into the invoice, as it came with it.
      "partially_rectified F2 108.9 R5 -24.2",
    ],
    [
      "takes nothing back of an event that changed since",
      { ...events(R1), ...NEW },
      { ...events(R1_CHANGED), ...OLD },
      "invoiced F2 108.9",
    ],
    ["forgets no event that it does not know yet", { ...events(R1), ...NEW }, OLD, "invoiced F2 108.9"],
    [
      "of before its cancellation does not bring it back",
      { fiscal_event: "cancelled", ...NEW },
      OLD,
      "cancelled cancelled_before_invoice",
    ],
    ["asks for no full invoice", NEW, { ...FULL, ...OLD }, "invoiced F2 121"],
  ])("%s", async (_, newer, older, after) => {
    const [, told] = await sendAll(newer, older);
    if (!told) throw new Error("two were sent");
    expect(plainly(told)).toBe(after);
    expect(warningsIn(told)).toContain("stale_payload");
    // A warning for the sender, and no fact of the order.
    expect(warningsIn(await to.read("1"))).not.toContain("stale_payload");
    const books = await expectOrdersConsistent(shop.connectionId);
    expect(await sendAll(older).then(([again]) => again && plainly(again))).toBe(after);
    expect(plainly(await to.send(aSentOrder("1", newer)))).toBe(after);
    expect((await expectOrdersConsistent(shop.connectionId)).invoices).toEqual(books.invoices);
  });

  test("keeps the body and the fingerprint of the newer one", async () => {
    await sendAll({ ...DEARER, ...NEW }, OLD);
    const { orders } = await expectOrdersConsistent(shop.connectionId);
    expect(orders.map(({ facts }) => facts.total)).toEqual(["242"]);
    expect(JSON.parse(orders[0]?.sent ?? "")).toMatchObject({ total: 242 });
    faults.take();
    await sendAll({ ...DEARER, ...NEW });
    expect(faults.trips().filter(({ sql }) => writesOrders(sql))).toEqual([]);
  });

  test("of the same moment is the newer one: it came last", async () => {
    const [, told] = await sendAll({ ...HELD, ...NEW }, { ...COMPLETE, ...NEW });
    expect(told && plainly(told)).toBe("invoiced F1 1210");
    expect(told && warningsIn(told)).not.toContain("stale_payload");
  });
});

describe("without a date of change the last one wins", () => {
  test.each<[string, SentBody, SentBody, string]>([
    ["of two without", HELD, COMPLETE, "invoiced F1 1210"],
    ["where only the first has one", { ...HELD, ...NEW }, COMPLETE, "invoiced F1 1210"],
    ["where only the last has one", HELD, { ...COMPLETE, ...OLD }, "invoiced F1 1210"],
    [
      "and a changed amount after the invoice is asked about",
      {},
      DEARER,
      "held changed_after_invoice F2 121",
    ],
  ])("%s", async (_, first, last, after) => {
    const [, told] = await sendAll(first, last);
    expect(told && plainly(told)).toBe(after);
    expect(told && warningsIn(told)).not.toContain("stale_payload");
  });

  test("and the facts as sold, coming back, settle the question", async () => {
    const told = await sendAll({}, DEARER, {});
    expect(told.map(plainly)).toEqual([
      "invoiced F2 121",
      "held changed_after_invoice F2 121",
      "invoiced F2 121",
    ]);
  });
});

describe("events", () => {
  beforeEach(() => sendAll({}));

  test.each<[string, readonly SentBody[], string]>([
    ["repeated in one body", [events(R1, R1)], "partially_rectified F2 121 R5 -12.1"],
    ["repeated in the next one", [events(R1), events(R1)], "partially_rectified F2 121 R5 -12.1"],
    ["left out of the next one", [events(R1), {}], "partially_rectified F2 121 R5 -12.1"],
    ["reordered", [events(R1, R2), events(R2, R1)], "partially_rectified F2 121 R5 -12.1 R5 -24.2"],
    ["after a new one", [events(R1), events(R2, R1)], "partially_rectified F2 121 R5 -12.1 R5 -24.2"],
    [
      "changed after they acted",
      [events(R1), events(R1_CHANGED)],
      "held correction_event_changed F2 121 R5 -12.1",
    ],
    [
      "changed, and changed back",
      [events(R1), events(R1_CHANGED), events(R1)],
      "partially_rectified F2 121 R5 -12.1",
    ],
    [
      "changed, with a new one: the new one acts",
      [events(R1), events(R1_CHANGED, R2)],
      "held correction_event_changed F2 121 R5 -12.1 R5 -24.2",
    ],
    [
      "changed before they could act",
      [events(aSentRefund("r1", 200, 42, 21)), events(R1)],
      "partially_rectified F2 121 R5 -12.1",
    ],
    [
      "in their older form too",
      [events(R1), { refunds: [{ id_external: "r1", amount: 12.1, lines: [] }] }],
      "partially_rectified F2 121 R5 -12.1",
    ],
  ])("%s act once each", async (_, bodies, after) => {
    const told = await sendAll(...bodies);
    expect(told.map(plainly).at(-1)).toBe(after);
    const books = await expectOrdersConsistent(shop.connectionId);
    // In another memory, and all of them once more.
    const other = dealingWith(shop, plainLedger(shop).ledger);
    const [last = {}] = bodies.slice(-1);
    expect(plainly(await other.send(aSentOrder("1", last)))).toBe(after);
    expect(await expectOrdersConsistent(shop.connectionId)).toEqual(books);
  });

  test("of 20 bodies at once, each with another and some with several, act once each", async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `e${index}`);
    const all = ids.map((id) => aSentRefund(id, 10, 2.1, 21));
    const bodies = [
      ...all.map((event) => events(event)),
      ...all.map((_, index) => events(...all.slice(index))),
    ];
    await Promise.all(bodies.map((body) => to.send(aSentOrder("1", body))));
    const { invoices } = await expectOrdersConsistent(shop.connectionId);
    expect(invoices.map(({ origin }) => origin).toSorted()).toEqual(
      ["order:1", ...ids.map((id) => `event:1:${id}`)].toSorted(),
    );
    expect(orderIn(await to.read("1")).state).toBe("rectified");
  });
});

describe("the same body again, once the owner has changed what it waits for, issues nothing", () => {
  const again = async (body: SentBody) => {
    faults.take();
    const told = plainly(await to.send(aSentOrder("1", body)));
    expect(faults.trips().filter(({ sql }) => writesOrders(sql))).toEqual([]);
    return told;
  };

  test("after consent: the release does, in its turn, once", async () => {
    shop = await openCommerce({ consented: false });
    to = dealing(shop);
    await sendAll({});
    await consent(shop);
    expect(await again({})).toBe("deferred deferred");
    await ring(shop);
    expect(await again({})).toBe("invoiced F2 121");
  });

  test("after the cutoff has moved", async () => {
    const old = { order_date: "2025-12-15 12:00:00" };
    await sendAll(old);
    await act(shop, { verb: "move_cutoff", cutoffDate: civilDate("2025-12-01") });
    expect(await again(old)).toBe("before_cutoff before_cutoff");
    await ring(shop);
    expect(await again(old)).toBe("invoiced F2 121");
  });

  test("after sales that were invoiced elsewhere are invoiced here", async () => {
    await act(shop, { verb: "declare_sales", change: { issuingMode: "none" } });
    await sendAll({});
    await act(shop, { verb: "declare_sales", change: { issuingMode: "automatic" } });
    await ring(shop);
    expect(await again({})).toBe("stored invoiced_elsewhere");
  });
});
