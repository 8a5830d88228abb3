/** Orders that no batch, row or decision survives: only the orders at fault get an error. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CommitResult, IssueBatch } from "../../src/db/ledger-state.ts";
import { type LedgerStore, ledgerStore } from "../../src/db/ledger-store.ts";
import type { RandomBytes } from "../../src/domain/connection/ids.ts";
import type { LedgerDeps } from "../../src/ledger/core/core.ts";
import { failBefore } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { expectOrdersConsistent } from "../support/rules/consistency.ts";
import { kindsOf, type PlainLedger, plainLedger } from "../support/worlds/ledger-client.ts";
import { aSentOrder, aSentRefund, openCommerce } from "../support/worlds/order-calls.ts";
import {
  behindFirst,
  type Dealing,
  dealingWith,
  HELD,
  plainly,
  RECIPIENT,
  REFUNDED,
  sendThree,
  writesOrders,
} from "../support/worlds/order-changes.ts";
import { auditOf, consent } from "../support/worlds/owners.ts";
import type { Shop } from "../support/worlds/shop.ts";

let shop: Shop;
let plain: PlainLedger;
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
  plain = plainLedger(shop, change);
  to = dealingWith(shop, plain.ledger);
}

/** A ledger that passes its commits to the test first. */
function openWith(commit: (batch: IssueBatch, real: LedgerStore) => Promise<CommitResult>): void {
  const real = ledgerStore(wrapD1("LEDGER_000", env.LEDGER_000), shop.connectionId);
  open({ store: { ...real, commit: (batch) => commit(batch, real) } });
}

const sendAll = (ids: readonly string[]) => Promise.all(ids.map((id) => to.send(aSentOrder(id))));
const carries = ({ orders }: IssueBatch, id: string) => orders.some(({ order }) => order.idExternal === id);

describe("an order that no batch survives", () => {
  beforeEach(() =>
    openWith(async (batch, real) => {
      if (carries(batch, "poison")) throw new Error("D1_ERROR: internal error");
      return real.commit(batch);
    }),
  );

  test("fails alone; its neighbours are accepted, without gap, each with its own answer", async () => {
    const answers = await behindFirst(to, () => sendAll(["a", "b", "poison", "c", "a"]));
    expect(kindsOf(answers)).toEqual(["taken", "taken", "failed", "taken", "taken"]);
    expect(answers.map((one) => "created" in one && one.created)).toEqual([true, true, false, true, false]);
    expect(plain.alarms.filter((alarm) => alarm === "poisonous_batch")).toHaveLength(1);
    const { orders } = await expectOrdersConsistent(shop.connectionId);
    expect(orders.map(({ idExternal }) => idExternal)).toEqual(["a", "b", "c", "first", "warm"]);
    expect(plainly(await to.send(aSentOrder("next")))).toBe("invoiced F2 121");
  });

  test("fails when it comes alone, and leaves nothing", async () => {
    expect(await to.send(aSentOrder("poison"))).toMatchObject({
      outcome: "failed",
      cause: "poisonous_batch",
    });
    expect(await to.read("poison")).toMatchObject({ outcome: "unknown" });
    expect(await expectOrdersConsistent(shop.connectionId)).toMatchObject({ orders: [], invoices: [] });
  });

  test("keeps the orders accepted before D1 went down in the middle", async () => {
    const answers = await behindFirst(to, () => {
      // The group and its closing twice, then a alone; from then on nothing arrives.
      let left = 2;
      const group = sendAll(["a", "b", "poison"]);
      faults.when((sql) => writesOrders(sql) && --left === 0, failBefore());
      faults.when(
        (sql) => left <= 0 && sql[0]?.startsWith('insert into "ledger_head"') === true,
        failBefore(),
      );
      return group;
    });
    expect(kindsOf(answers)).toEqual(["taken", "unavailable", "failed"]);
    expect(plainly(await to.send(aSentOrder("b")))).toBe("invoiced F2 121");
  });
});

describe("an order that throws in its decision", () => {
  let left: number;

  beforeEach(() => {
    left = Number.POSITIVE_INFINITY;
    openBreakable();
  });

  function openBreakable(): void {
    const random: RandomBytes = (sizeBytes) => {
      left -= 1;
      if (left === 0) throw new TypeError("a fault of ours");
      return crypto.getRandomValues(new Uint8Array(sizeBytes));
    };
    open({ random });
  }

  /** The nth id that is made from now on is never made: one invoice takes one. */
  const breakAt = (nth: number) => {
    left = nth;
  };

  test("fails alone, with an alert, and can be sent again; its neighbours are numbered on", async () => {
    const answers = await behindFirst(to, async () => {
      const group = sendAll(["a", "b", "c", "d"]);
      breakAt(2);
      return group;
    });
    expect(kindsOf(answers)).toEqual(["taken", "failed", "taken", "taken"]);
    expect(plain.alarms).toEqual(["order_broken"]);
    expect(await to.read("b")).toMatchObject({ outcome: "unknown" });
    expect(await to.send(aSentOrder("b"))).toMatchObject({ outcome: "taken", created: true });
  });

  test("in the middle of its documents: none of them is there", async () => {
    await to.send(aSentOrder("1"));
    breakAt(2);
    const two = [aSentRefund("a", 10, 2.1, 21), aSentRefund("b", 20, 4.2, 21)];
    const sent = aSentOrder("1", { correction_events: two });
    expect((await to.send(sent)).outcome).toBe("failed");
    expect(plainly(await to.read("1"))).toBe("invoiced F2 121");
    expect(plainly(await to.send(sent))).toBe("partially_rectified F2 121 R5 -12.1 R5 -24.2");
  });

  test("in the middle of its documents, with others: theirs are numbered as if it had not come", async () => {
    const two = [aSentRefund("a", 10, 2.1, 21), aSentRefund("b", 20, 4.2, 21)];
    await sendAll(["1", "2"]);
    const [broken, whole] = await behindFirst(to, async () => {
      const group = [
        to.send(aSentOrder("1", { correction_events: two })),
        to.send(aSentOrder("2", REFUNDED)),
      ] as const;
      breakAt(2);
      return Promise.all(group);
    });
    expect(broken?.outcome).toBe("failed");
    expect(whole && plainly(whole)).toBe("partially_rectified F2 121 R5 -12.1");
    expect(plainly(await to.read("1"))).toBe("invoiced F2 121");
  });

  test("on an owner's answer: no line says that it was given", async () => {
    await to.send(aSentOrder("held", HELD));
    breakAt(1);
    expect((await to.answer("held", RECIPIENT)).outcome).toBe("failed");
    expect(await auditOf(shop)).toEqual([]);
    expect(plainly(await to.answer("held", RECIPIENT))).toBe("invoiced F1 1210");
  });

  test("when it is released: the others are, and it stays due for the next run", async () => {
    shop = await openCommerce({ consented: false });
    await sendThree(dealingWith(shop, plainLedger(shop).ledger));
    await consent(shop);
    openBreakable();
    breakAt(1);
    await plain.ledger.wake();
    expect(plain.alarms).toContain("order_broken");
    await plain.ledger.wake();
    const told = await Promise.all(["known", "held", "voided"].map((id) => to.read(id)));
    expect(told.map(plainly)).toEqual([
      "invoiced F2 121",
      "held recipient_incomplete",
      "cancelled cancelled_before_invoice",
    ]);
  });
});

describe("a batch that D1 refuses for what exists", () => {
  const existing = (times: number) => {
    let left = times;
    openWith(async (batch, real) => (left-- > 0 ? "exists" : real.commit(batch)));
  };

  test("is read and decided again, with any content", async () => {
    await to.send(aSentOrder("1"));
    existing(1);
    expect(plainly(await to.send(aSentOrder("1", REFUNDED)))).toBe("partially_rectified F2 121 R5 -12.1");
    expect(plain.alarms).toEqual([]);
  });

  test("for ever is an outage, and nothing is stored", async () => {
    existing(9);
    expect(await to.send(aSentOrder("1"))).toMatchObject({ outcome: "unavailable", cause: "contended" });
    expect(await to.read("1")).toMatchObject({ outcome: "unknown" });
  });
});

describe("a broken link", () => {
  const linkless = (times: number) => {
    let left = times;
    openWith(async (batch, real) => (left-- > 0 ? "link" : real.commit(batch)));
  };

  test("once is a stale head: read again, invoiced", async () => {
    linkless(1);
    expect(plainly(await to.send(aSentOrder("1")))).toBe("invoiced F2 121");
    expect(plain.alarms).toEqual([]);
  });

  test("twice running is a fault: failed, and an alarm rings", async () => {
    linkless(2);
    expect(await to.send(aSentOrder("1"))).toMatchObject({ outcome: "failed", cause: "broken_link" });
    expect(plain.alarms).toEqual(["broken_link"]);
  });
});
