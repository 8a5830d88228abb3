/** Two instances that decide the orders of one connection at once: what a deploy or a crash does. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent, expectOrdersConsistent } from "../support/rules/consistency.ts";
import { type LedgerClient, plainLedger } from "../support/worlds/ledger-client.ts";
import {
  aSentOrder,
  aSentRefund,
  openCommerce,
  orderIn,
  type SentBody,
} from "../support/worlds/order-calls.ts";
import {
  CANCELLED,
  closes,
  DEEDS,
  type Dealing,
  dealingThrough,
  dealingWith,
  FULL,
  HELD,
  NO_SALE,
  plainly,
  RECIPIENT,
  REFUNDED,
  sendThree,
  writesOrders,
} from "../support/worlds/order-changes.ts";
import { auditOf } from "../support/worlds/owners.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

let shop: Shop;

const named = (name: string): Dealing =>
  // The stub's types describe pipelining, which no test uses.
  dealingThrough(
    shop,
    env.CONNECTION_LEDGER.getByName(name) as unknown as Parameters<typeof dealingThrough>[1],
  );
const refund = (id: string, base: number, tax: number): SentBody => ({
  correction_events: [aSentRefund(id, base, tax, 21)],
});

describe.each<[string, () => [Dealing, Dealing]]>([
  [
    "two ledgers",
    () => [dealingWith(shop, plainLedger(shop).ledger), dealingWith(shop, plainLedger(shop).ledger)],
  ],
  ["two objects", () => [named("old"), named("new")]],
])("%s of one connection", (_, open) => {
  let old: Dealing;
  let young: Dealing;

  beforeEach(async () => {
    shop = await openCommerce();
    [old, young] = open();
    await sendThree(old);
    await young.send(aSentOrder("warm"));
    await old.send(aSentOrder("warm"));
  });

  afterEach(async () => {
    expect(faults.pending()).toEqual([]);
    const answers = [...old.answers, ...young.answers];
    const { orders } = await expectOrdersConsistent(shop.connectionId, { answers });
    // Every instance, with any memory, answers the same.
    for (const { idExternal } of orders) {
      const [one, other] = [await old.read(idExternal), await young.read(idExternal)];
      expect(orderIn(one)).toEqual(orderIn(other));
    }
  });

  /** The old one's batch waits while the young one acts. */
  async function overtake<T, U>(before: () => Promise<T>, meanwhile: () => Promise<U>): Promise<[T, U]> {
    const held = faults.when(writesOrders, gate());
    const waiting = before();
    await held.reached();
    const acted = await meanwhile();
    held.open();
    return [await waiting, acted];
  }

  describe.each(Object.entries(DEEDS))("%s", (_, { id, act, after }) => {
    test("done by both happens once", async () => {
      const [slow, quick] = await overtake(
        () => act(old),
        () => act(young),
      );
      expect([plainly(slow), plainly(quick)]).toEqual([after, after]);
      expect(slow).toMatchObject({ outcome: "taken", created: false });
      expect(orderIn(slow)).toEqual(orderIn(quick));
      expect(plainly(await young.read(id))).toBe(after);
      expect((await auditOf(shop)).length).toBeLessThanOrEqual(1);
    });

    test("together with another order of the other instance is decided again, and numbered after it", async () => {
      const [slow, quick] = await overtake(
        () => act(old),
        () => young.send(aSentOrder("other")),
      );
      expect([plainly(slow), plainly(quick)]).toEqual([after, "invoiced F2 121"]);
      expect(plainly(await old.send(aSentOrder("next")))).toBe("invoiced F2 121");
    });
  });

  test.each<[string, SentBody, SentBody, string]>([
    [
      "two refunds that fit act both, each once",
      refund("a", 60, 12.6),
      refund("b", 20, 4.2),
      "partially_rectified F2 121 R5 -24.2 R5 -72.6",
    ],
    [
      "two refunds that are more than there is: the late one is held",
      refund("a", 60, 12.6),
      refund("b", 60, 12.6),
      "held over_refund F2 121 R5 -72.6",
    ],
    [
      "a refund after a cancellation is held",
      REFUNDED,
      CANCELLED,
      "held reactivated over_refund F2 121 R5 -121",
    ],
    [
      "a cancellation after a refund takes the rest",
      CANCELLED,
      REFUNDED,
      "rectified F2 121 R5 -12.1 R5 -108.9",
    ],
    [
      "a refund after a full invoice rectifies the simplified one, and has its own",
      REFUNDED,
      FULL,
      "partially_rectified F2 121 F3 121 R5 -12.1 F3 -12.1",
    ],
    [
      "a full invoice after a refund is of the rest",
      FULL,
      REFUNDED,
      "partially_rectified F2 121 R5 -12.1 F3 108.9",
    ],
  ])("%s", async (_, slow, quick, after) => {
    await overtake(
      () => old.send(aSentOrder("known", slow)),
      () => young.send(aSentOrder("known", quick)),
    );
    expect(plainly(await old.read("known"))).toBe(after);
  });

  test("a refund after the annulment of the sale is of nothing", async () => {
    const [slow] = await overtake(
      () => old.send(aSentOrder("voided", REFUNDED)),
      () => young.answer("voided", NO_SALE),
    );
    expect(plainly(slow)).toBe("cancelled F2 121 annulled");
  });

  test("an annulment after a refund is decided anew, and refused", async () => {
    const [slow] = await overtake(
      () => old.answer("voided", NO_SALE),
      () => young.send(aSentOrder("voided", REFUNDED)),
    );
    expect(slow).toMatchObject({ outcome: "refused", refusal: { code: "annulment_after_correction" } });
    expect(await auditOf(shop)).toEqual([]);
  });

  test("an answer after the body that it was about is of the order's latest facts", async () => {
    const [slow] = await overtake(
      () => old.answer("held", RECIPIENT),
      () => young.send(aSentOrder("held", { ...HELD, total: 1209 })),
    );
    expect(plainly(slow)).toBe("held totals_mismatch");
    expect(plainly(await young.send(aSentOrder("held", HELD)))).toBe("invoiced F1 1210");
  });

  test("a lost batch of the old one is closed against the young one's", async () => {
    const held = faults.when(writesOrders, gate());
    const slow = old.send(aSentOrder("a"));
    await held.reached();
    await young.send(aSentOrder("b"));
    const closing = faults.when(closes, gate());
    held.open(new Error("D1_ERROR: Network connection lost."));
    await closing.reached();
    await young.send(aSentOrder("a"));
    closing.open();
    expect(await slow).toMatchObject({ outcome: "taken", created: false });
    expect(plainly(await slow)).toBe("invoiced F2 121");
  });
});

describe("an order and a direct invoice of two instances are both numbered, in one chain", () => {
  let order: Dealing;
  let direct: LedgerClient;

  beforeEach(async () => {
    shop = await openShop();
    order = dealingWith(shop, plainLedger(shop).ledger);
    direct = plainLedger(shop).client;
    await direct.issue("warm");
    await order.send(aSentOrder("warm"));
  });

  afterEach(async () => {
    const { invoices } = await expectOrdersConsistent(shop.connectionId, { answers: order.answers });
    await expectBooksConsistent(shop.connectionId, direct.answers);
    expect(invoices.map(({ origin }) => origin).toSorted()).toEqual([
      "direct:e",
      "direct:warm",
      "order:e",
      "order:warm",
    ]);
  });

  test("when the order's batch comes late", async () => {
    const held = faults.when(writesOrders, gate());
    const sent = order.send(aSentOrder("e"));
    await held.reached();
    expect((await direct.issue("e")).outcome).toBe("issued");
    held.open();
    expect(plainly(await sent)).toBe("invoiced F2 121");
  });

  test("when the invoice's batch comes late", async () => {
    const held = faults.when((sql) => sql.some((text) => text.startsWith('insert into "invoice"')), gate());
    const issued = direct.issue("e");
    await held.reached();
    expect(plainly(await order.send(aSentOrder("e")))).toBe("invoiced F2 121");
    held.open();
    expect((await issued).outcome).toBe("issued");
  });
});
