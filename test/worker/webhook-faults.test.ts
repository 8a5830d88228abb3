/** After any fault, every event is made once for every endpoint, and arrives at least once. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { LedgerCalls } from "../../src/ledger/rpc.ts";
import { HOUR, MINUTE, NOON, SECOND } from "../support/builders/callbacks.ts";
import { failBefore, gate, late, loseAnswer } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { clientOf } from "../support/worlds/ledger-client.ts";
import { act, ledgerStub, openShop, ring, type Shop } from "../support/worlds/shop.ts";
import {
  BUSY,
  bodyIn,
  DELIVERED,
  deliveriesOf,
  type Exchange,
  exchangeOn,
  settleRecord,
} from "../support/worlds/webhooks.ts";

let shop: Shop;
let exchange: Exchange;

beforeEach(async () => {
  shop = await openShop();
  exchange = exchangeOn(shop);
  await exchange.register({ events: ["invoice.issued", "record.accepted"] });
  await exchange.client.issue("a");
  await exchange.client.issue("b");
  await settleRecord(shop, 1, { state: "accepted", seq: 2 });
});

const EVENTS = ["invoice.issued a", "invoice.issued b", "record.accepted a"];

/** Every event once, all of it delivered; `extra` sendings of the same messages besides. */
async function expectAllTold(extra = 0): Promise<void> {
  const made = await deliveriesOf(shop);
  expect(made).toHaveLength(EVENTS.length);
  expect(made.filter(({ due_at }) => due_at !== null)).toEqual([]);
  const heard = new Map(exchange.sent.map((message) => [message.id, bodyIn(message)]));
  const told = [...heard.values()].map(({ type, data }) => {
    const { external_id } = (data.invoice ?? data) as { external_id?: string };
    return `${type} ${external_id}`;
  });
  expect(told.toSorted()).toEqual(EVENTS);
  expect(exchange.sent).toHaveLength(EVENTS.length + extra);
}

/** Rings until nothing is left that is due within the hours of the schedule. */
async function settle(on: Exchange = exchange): Promise<void> {
  for (let runs = 0; runs < 30; runs++) {
    const next = await on.ledger.wake();
    if (next === undefined || next > NOON + 100 * HOUR) return;
    on.now = Math.max(on.now, next);
  }
  throw new Error("it never ends");
}

const writes = (table: string, verb: string) => (sql: readonly string[]) =>
  sql.some((text) => text.startsWith(`${verb} "${table}"`));
const passes = writes("webhook_delivery", "insert into");
const attempts = writes("webhook_delivery", "update");
const reads = (sql: readonly string[]) =>
  sql.every((text) => text.startsWith("select")) && sql.some((text) => text.includes("webhook"));

describe("the database", () => {
  test.each([
    ["the answer to the passage", passes, 0],
    ["the answer to the beginning of an attempt", attempts, 0],
  ])("%s is lost", async (_, matches, extra) => {
    const lost = faults.when(matches, loseAnswer());
    expect(await exchange.ledger.wake()).toBe(NOON + 30 * SECOND);
    await lost.reached();
    expect(exchange.sent).toEqual([]);
    await settle();
    await expectAllTold(extra);
  });

  test("the answer to the end of an attempt is lost: a delivered message is not sent again", async () => {
    exchange.answer = () => {
      if (exchange.sent.length === EVENTS.length) faults.when(attempts, loseAnswer());
      return DELIVERED;
    };
    await settle();
    expect(faults.pending()).toEqual([]);
    await expectAllTold();
  });

  test("the end of an attempt cannot be stored: it counts as interrupted, and the message comes twice", async () => {
    exchange.answer = () => {
      if (exchange.sent.length === EVENTS.length) faults.when(attempts, failBefore());
      return DELIVERED;
    };
    await exchange.ledger.wake();
    expect((await deliveriesOf(shop)).map(({ last_outcome }) => JSON.parse(last_outcome ?? "{}"))).toEqual(
      EVENTS.map(() => ({ outcome: "failed", cause: "interrupted" })),
    );
    exchange.answer = () => DELIVERED;
    await settle();
    await expectAllTold(EVENTS.length);
  });

  test.each([
    ["reads", reads],
    ["passages", passes],
    ["attempts", attempts],
  ])("is down for %s: it is come back for, and nothing is lost", async (_, matches) => {
    faults.when(matches, failBefore());
    expect(await exchange.ledger.wake()).toBe(NOON + 30 * SECOND);
    expect(exchange.sent).toEqual([]);
    await settle();
    await expectAllTold();
  });

  test("an abandoned page lands after the next one: it does nothing", async () => {
    const kept = faults.when(passes, late());
    await exchange.ledger.wake();
    await settle();
    await expectAllTold();
    await kept.release();
    await expectAllTold();
  });

  test("an abandoned page lands before the next one: no event is made twice", async () => {
    const kept = faults.when(passes, late());
    await exchange.ledger.wake();
    await kept.release();
    await settle();
    await expectAllTold();
  });

  test("the beginning of an attempt that was given up lands later: that attempt is lost, the next one comes", async () => {
    const kept = faults.when(attempts, late());
    await exchange.ledger.wake();
    await kept.release();
    expect(exchange.sent).toEqual([]);
    await settle();
    await expectAllTold();
  });
});

describe("twice at once", () => {
  test("two alarms", async () => {
    await Promise.all([exchange.ledger.wake(), exchange.ledger.wake()]);
    await settle();
    await expectAllTold();
  });

  test("two instances", async () => {
    const other = exchangeOn(shop, exchange.sent);
    await Promise.all([exchange.ledger.wake(), other.ledger.wake(), exchange.client.read("a")]);
    await settle();
    await settle(other);
    await expectAllTold();
  });

  test.each([
    ["its passage", passes, []],
    ["its attempt", attempts, ["https://otro.es/"]],
  ] as const)("one is held before %s while another is quicker", async (_, step, others) => {
    for (const url of others) await exchange.register({ url, events: ["order.held"] });
    const other = exchangeOn(shop, exchange.sent);
    const held = faults.when(step, gate());
    const first = exchange.ledger.wake();
    await held.reached();
    await other.ledger.wake();
    held.open();
    await first;
    await settle();
    await expectAllTold();
  });

  test("the owner changes the events while a passage is on its way: it is decided anew", async () => {
    const [{ id }] = await webhooksOf(exchange);
    const held = faults.when(passes, gate());
    const run = exchange.ledger.wake();
    await held.reached();
    await exchange.act({ verb: "choose_webhook_events", id, events: ["record.accepted"] });
    held.open();
    await run;
    await settle();
    expect(exchange.sent.map((message) => bodyIn(message).type)).toEqual(["record.accepted"]);
  });

  test("a failure that comes late changes nothing of the attempt after it", async () => {
    const other = exchangeOn(shop, exchange.sent);
    let first = true;
    exchange.answer = async () => {
      if (!first) return DELIVERED;
      first = false;
      other.now = NOON + MINUTE;
      await other.ledger.wake();
      return BUSY;
    };
    await exchange.ledger.wake();
    expect((await deliveriesOf(shop)).every(({ due_at }) => due_at === null)).toBe(true);
    const outcomes = (await deliveriesOf(shop)).map(
      ({ last_outcome }) => JSON.parse(last_outcome ?? "{}").outcome,
    );
    expect(outcomes).toEqual(["delivered", "delivered", "delivered"]);
  });

  test("issuing continues while a receiver is slow", async () => {
    const answers: string[] = [];
    exchange.answer = async ({ id }) => {
      answers.push((await exchange.client.issue(`during-${id}`)).outcome);
      return DELIVERED;
    };
    await exchange.ledger.wake();
    expect(answers.slice(0, 3)).toEqual(["issued", "issued", "issued"]);
  });
});

async function webhooksOf({ ledger }: Exchange) {
  const log = await ledger.listWebhooks(shop.connectionId);
  const [first] = log.outcome === "found" ? log.webhooks : [];
  if (!first) throw new Error("no webhook");
  return [first] as const;
}

test("a frozen account calls no address and logs no failure; thawed, it does", async () => {
  const freeze = (frozen: number) =>
    env.LEDGER_000.prepare("UPDATE account SET frozen = ? WHERE id = ?").bind(frozen, shop.accountId).run();
  await freeze(1);
  expect(await exchange.ledger.wake()).toBeUndefined();
  expect([...exchange.sent, ...exchange.alarms]).toEqual([]);
  await freeze(0);
  await settle();
  await expectAllTold();
});

describe("the object", () => {
  /** Its own sender reaches the end of the network, which answers every call with a failure. */
  const attemptsOf = async () => (await deliveriesOf(shop)).map((row) => row.attempts);

  test("its alarm makes and delivers; evicted and woken again it makes nothing twice", async () => {
    await ledgerStub(shop).wakeUp(shop.connectionId);
    expect(await ring(shop)).toBe(true);
    expect(await attemptsOf()).toEqual([1, 1, 1]);
    await evictDurableObject(ledgerStub(shop));
    await ledgerStub(shop).wakeUp(shop.connectionId);
    await ring(shop);
    expect(await attemptsOf()).toEqual([1, 1, 1]);
  });

  test("killed between passage and attempt: the next one takes it up", async () => {
    const held = faults.when(attempts, gate());
    await ledgerStub(shop).wakeUp(shop.connectionId);
    const rung = ring(shop).catch(() => false);
    await held.reached();
    await runInDurableObject(ledgerStub(shop), (_, state) => state.abort()).catch(() => undefined);
    faults.reset();
    await rung;
    expect(await attemptsOf()).toEqual([0, 0, 0]);
    await ledgerStub(shop).wakeUp(shop.connectionId);
    await ring(shop);
    expect(await attemptsOf()).toEqual([1, 1, 1]);
  });

  test("killed during the call: the attempt counts, and the next one is due by the schedule", async () => {
    await exchange.ledger.wake();
    await clientOf(shop).issue("c");
    exchange.sent.length = 0;
    const interrupted = faults.when(attempts, loseAnswer());
    await ledgerStub(shop).wakeUp(shop.connectionId);
    await ring(shop);
    await interrupted.reached();
    const [last] = (await deliveriesOf(shop)).slice(-1);
    expect(last).toMatchObject({ attempts: 1, last_outcome: '{"outcome":"failed","cause":"interrupted"}' });
    expect(last?.due_at).not.toBeNull();
  });

  test("the owner reads endpoints and log through it", async () => {
    await exchange.ledger.wake();
    const stub = ledgerStub(shop) as unknown as Pick<LedgerCalls, "listWebhooks" | "listWebhookDeliveries">;
    const listed = await stub.listWebhooks(shop.connectionId);
    if (listed.outcome !== "found") throw new Error(listed.outcome);
    const endpointId = listed.webhooks[0]?.id ?? "";
    const log = await stub.listWebhookDeliveries(shop.connectionId, { endpointId, limit: 2 });
    expect(log).toMatchObject({ outcome: "found", page: { entries: [{}, {}], next: {} } });
    expect((await act(shop, { verb: "test_webhook", id: endpointId })).outcome).toBe("done");
    // It has armed its alarm for it.
    expect(await ring(shop)).toBe(true);
    faults.next(failBefore(), { times: 2 });
    expect((await stub.listWebhooks(shop.connectionId)).outcome).toBe("unavailable");
    faults.reset();
  });
});
