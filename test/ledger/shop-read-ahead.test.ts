/** What an order of a fetched shop needs is read while other calls are served; only its batch takes a turn. */
import { beforeEach, describe, expect, test } from "vitest";
import type { ShopDocuments } from "../../src/domain/shop/documents.ts";
import { MINUTE, NOON } from "../support/builders/callbacks.ts";
import type { SentBody } from "../support/builders/sent-bodies.ts";
import { answerGate, gate } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { expectBooksConsistent } from "../support/rules/consistency.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { aNativeOrder, aNativeShop, type NativeShop } from "../support/worlds/native-shops.ts";
import { aSentOrder, aSubmission, orderConnector, orderIn } from "../support/worlds/order-calls.ts";
import { anInvoice, callerOf, openShop } from "../support/worlds/shop.ts";
import { scriptedApi } from "../support/worlds/shop-deps.ts";

const FETCHING = {
  url: "https://tienda.example",
  credentials: { consumer_key: "ck_1234567890abcdef", consumer_secret: "cs_1234567890abcdef" },
} as const;

let now: number;
let native: NativeShop;
/** Called when a call begins to wait in the queue. */
let onWaiting: () => void;
let orders: Map<string, SentBody>;

beforeEach(async () => {
  now = NOON;
  orders = new Map([["1", aNativeOrder(1)]]);
  const given = (value: ShopDocuments) => ({ answer: "given", value }) as const;
  const api = scriptedApi({
    async readOrder(id) {
      const order = orders.get(id);
      return order ? given({ order }) : { answer: "gone" };
    },
    async listOrders({ by }) {
      const listed = by === "modified" ? [] : [...orders.keys()].map((nativeId) => ({ nativeId }));
      return { answer: "given", value: { orders: listed } };
    },
  });
  onWaiting = () => undefined;
  const after = () => {
    onWaiting();
    return () => undefined;
  };
  native = await aNativeShop({ now: () => now, after }, undefined, api, await openShop());
  await native.connect(FETCHING);
  await native.ledger.wake();
  // From here on the memory of the connection is known.
  await send("warm");
});

const send = (id: string, change: SentBody = {}) =>
  native.ledger.submitOrder(callerOf(native.shop), aSubmission(aSentOrder(id, change)));
const issue = (id: string) => native.ledger.issueInvoice(callerOf(native.shop), anInvoice(id));
const view = async (id: string) => orderIn(await orderConnector(native.shop, native.ledger).read(id));
/** The read of orders with all that belongs to them. */
const readsOrders = ([first = "", ...others]: readonly string[]) =>
  !first.startsWith("insert") && others.some((text) => text.includes('cross join "shop_order"'));
const writesInvoice = (sql: readonly string[]) =>
  sql.some((text) => text.startsWith('insert into "invoice"'));
const orderReads = () => faults.trips().filter(({ sql }) => readsOrders(sql)).length;

async function hinted(): Promise<void> {
  await native.deliver({ id: 1 });
  now += MINUTE;
  faults.take();
}

describe("a fetched order", () => {
  test("is read while other calls are served, and not again in its turn", async () => {
    await hinted();
    const read = faults.when(readsOrders, gate());
    const woken = native.ledger.wake();
    await read.reached();
    expect((await issue("beside")).outcome).toBe("issued");
    read.open();
    await woken;
    expect(orderReads()).toBe(1);
    expect((await view("1")).state).toBe("invoiced");
    await expectBooksConsistent(native.shop.connectionId);
  });

  test("is read again in its turn if this object has changed an order since", async () => {
    await hinted();
    const read = faults.when(readsOrders, answerGate());
    const woken = native.ledger.wake();
    await read.answered();
    // The same order, as a connector sends it: it has its invoice by now.
    expect(await send("1")).toMatchObject({ outcome: "taken", order: { state: "invoiced" } });
    read.open();
    await woken;
    expect(orderReads()).toBe(3);
    expect((await view("1")).invoices).toHaveLength(1);
    await expectBooksConsistent(native.shop.connectionId);
  });

  test("is read once, although another one is fetched and decided at the same time", async () => {
    orders.set("2", aNativeOrder(2));
    await native.deliver({ id: 2 });
    await hinted();
    await native.ledger.wake();
    expect(orderReads()).toBe(2);
    expect([(await view("1")).state, (await view("2")).state]).toEqual(["invoiced", "invoiced"]);
    await expectBooksConsistent(native.shop.connectionId);
  });

  test("lets a caller that came after it go first", async () => {
    await hinted();
    const read = faults.when(readsOrders, gate());
    const woken = native.ledger.wake();
    await read.reached();
    const batch = faults.when(writesInvoice, gate());
    const first = issue("first");
    await batch.reached();
    faults.take();
    const joined = new Promise<void>((resolve) => {
      onWaiting = resolve;
    });
    read.open();
    await joined;
    const second = issue("second");
    batch.open();
    await Promise.all([first, second, woken]);
    const written = faults.trips().filter(({ sql }) => writesInvoice(sql));
    expect(written.map(({ sql }) => sql.some((text) => text.includes('"shop_order"')))).toEqual([
      false,
      true,
    ]);
  });

  test("is read and decided again if another instance has changed it since", async () => {
    await hinted();
    const read = faults.when(readsOrders, answerGate());
    const woken = native.ledger.wake();
    await read.answered();
    const other = plainLedger(native.shop, { now: () => now }).ledger;
    const sent = aSubmission(aSentOrder("1"));
    expect(await other.submitOrder(callerOf(native.shop), sent)).toMatchObject({ outcome: "taken" });
    read.open();
    await woken;
    expect((await view("1")).invoices).toHaveLength(1);
    await expectBooksConsistent(native.shop.connectionId);
  });

  test("is not decided if its shop was disconnected since", async () => {
    await hinted();
    const read = faults.when(readsOrders, answerGate());
    const woken = native.ledger.wake();
    await read.answered();
    expect((await native.act({ verb: "disconnect_shop" })).outcome).toBe("done");
    read.open();
    await woken;
    expect(await native.rows("SELECT 1 FROM invoice WHERE connection_id = ? AND origin = 'order:1'")).toEqual(
      [],
    );
  });
});

test("an order that a backfill looks at is read while other calls are served, and takes no trip in its turn", async () => {
  expect((await native.act({ verb: "begin_shop_backfill", from: "cutoff" })).outcome).toBe("done");
  // A verb leaves the memory cold.
  await send("warm");
  faults.take();
  const read = faults.when(readsOrders, gate());
  const woken = native.ledger.wake();
  await read.reached();
  expect((await issue("beside")).outcome).toBe("issued");
  read.open();
  await woken;
  expect(orderReads()).toBe(1);
  const select = "SELECT would FROM shop_backfill_order WHERE connection_id = ?";
  expect(await native.rows(select)).toEqual([{ would: "invoiced" }]);
});
