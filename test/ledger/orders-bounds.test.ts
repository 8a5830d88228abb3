/** Orders that are too large, wait too long, or share their batch with others: each gets its own answer. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LedgerDeps } from "../../src/ledger/core/core.ts";
import { gate, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { manualTimers } from "../support/faults/manual-timers.ts";
import { expectOrdersConsistent } from "../support/rules/consistency.ts";
import { kindsOf, plainLedger } from "../support/worlds/ledger-client.ts";
import {
  A_SENT_COMPANY,
  aSentLine,
  aSentOrder,
  openCommerce,
  type SentBody,
} from "../support/worlds/order-calls.ts";
import {
  behindFirst,
  type Dealing,
  dealingWith,
  HELD,
  plainly,
  RECIPIENT,
  REFUNDED,
  writesOrders,
} from "../support/worlds/order-changes.ts";
import { everyRow } from "../support/worlds/rows.ts";
import type { Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let to: Dealing;

beforeEach(async () => {
  shop = await openCommerce();
  open();
});

afterEach(async () => {
  expect(faults.pending()).toEqual([]);
  await expectOrdersConsistent(shop.connectionId, { answers: to.answers });
});

function open(change: Partial<LedgerDeps> = {}): void {
  to = dealingWith(shop, plainLedger(shop, change).ledger);
}

describe("an order that no row could hold", () => {
  const name = "ñ".repeat(200);
  const lines = (count: number) => Array.from({ length: count }, () => aSentLine(1, 0.21, 21, { name }));
  const HUGE: SentBody = { total: 6050, breakdown: lines(5_000), client: A_SENT_COMPANY };

  async function rows(): Promise<object> {
    const orders = await env.LEDGER_000.prepare("SELECT * FROM shop_order").all();
    const sent = await env.LEDGER_000.prepare("SELECT * FROM shop_order_sent").all();
    return { ...(await everyRow(env.LEDGER_000)), orders: orders.results, sent: sent.results };
  }

  test("of 5,000 lines with long names is refused before anything is written", async () => {
    await to.send(aSentOrder("warm"));
    const before = await rows();
    const refused = { outcome: "refused", refusal: { code: "document_too_large" } };
    expect(await to.send(aSentOrder("huge", HUGE))).toMatchObject(refused);
    expect(await to.preview(aSentOrder("huge", HUGE))).toMatchObject(refused);
    expect(await rows()).toEqual(before);
    expect(await to.read("huge")).toMatchObject({ outcome: "unknown" });
    // No number was spent on it.
    expect(
      plainly(await to.send(aSentOrder("huge", { ...HUGE, breakdown: [aSentLine(5000, 1050, 21)] }))),
    ).toBe("invoiced F1 6050");
  });

  test("is refused, too, where nothing would be issued of it", async () => {
    const { client: _, ...anonymous } = HUGE;
    const before = await rows();
    for (const body of [anonymous, { ...HUGE, fiscal_event: "none" }]) {
      expect((await to.send(aSentOrder("huge", body))).outcome).toBe("refused");
    }
    expect(await rows()).toEqual(before);
  });

  test("that was known before stays as it was", async () => {
    await to.send(aSentOrder("known", HELD));
    const before = await rows();
    expect((await to.send(aSentOrder("known", HUGE))).outcome).toBe("refused");
    expect(await rows()).toEqual(before);
  });

  test("is refused alone: its neighbours are accepted, numbered without gap", async () => {
    const answers = await behindFirst(to, () =>
      Promise.all([
        to.send(aSentOrder("a")),
        to.send(aSentOrder("huge", HUGE)),
        to.send(aSentOrder("b")),
        to.send(aSentOrder("huge", HELD)),
      ]),
    );
    expect(kindsOf(answers)).toEqual(["taken", "refused", "taken", "taken"]);
    expect(plainly(await to.read("huge"))).toBe("held recipient_incomplete");
  });
});

describe("the queue", () => {
  test("turns away who waits too long; nothing of it is decided, and it can be sent again", async () => {
    const timers = manualTimers();
    open({ after: timers.after });
    await to.send(aSentOrder("warm"));
    const held = faults.when(writesOrders, gate());
    const first = to.send(aSentOrder("first"));
    await held.reached();
    const waiting = [to.send(aSentOrder("a")), to.answer("warm", RECIPIENT)];
    timers.elapse(60_000);
    const late = { outcome: "unavailable", cause: "queue_late", d1Trips: 0 };
    expect(await Promise.all(waiting)).toMatchObject([late, late]);
    held.open();
    expect(plainly(await first)).toBe("invoiced F2 121");
    expect(await to.read("a")).toMatchObject({ outcome: "unknown" });
    expect(await to.send(aSentOrder("a"))).toMatchObject({ outcome: "taken", created: true });
  });
});

test("a group with a lost answer: each gets its own, equal ones one new and one known", async () => {
  const answers = await behindFirst(to, () => {
    const group = Promise.all([
      to.send(aSentOrder("a")),
      to.send(aSentOrder("b", HELD)),
      to.send(aSentOrder("a")),
      to.send(aSentOrder("warm", REFUNDED)),
    ]);
    faults.when((sql) => writesOrders(sql), loseAnswer());
    return group;
  });
  expect(answers.map((one) => [plainly(one), "created" in one && one.created])).toEqual([
    ["invoiced F2 121", true],
    ["held recipient_incomplete", true],
    ["invoiced F2 121", false],
    ["partially_rectified F2 121 R5 -12.1", false],
  ]);
});
