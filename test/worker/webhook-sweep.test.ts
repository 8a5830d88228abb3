/** The objects woken for webhooks, at the same cost with any amount of stored data. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { dueStore } from "../../src/db/due/due-store.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { WEBHOOK_EVENTS } from "../../src/domain/webhook/event.ts";
import { sweepDeps } from "../../src/wiring.ts";
import { sweep } from "../../src/work/sweep.ts";
import { HOUR, NOON } from "../support/builders/callbacks.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { fillUp } from "../support/worlds/filled-books.ts";
import { SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { aSentOrder, openCommerce } from "../support/worlds/order-calls.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";
import { BUSY, type Exchange, exchangeOn, settleRecord } from "../support/worlds/webhooks.ts";

let shop: Shop;
let exchange: Exchange;

beforeEach(async () => {
  shop = await openCommerce();
  exchange = exchangeOn(shop);
});

async function woken(now = NOON): Promise<readonly string[]> {
  const ids: string[] = [];
  const wake = async (connectionId: string) => {
    ids.push(connectionId);
  };
  await sweep({ ...sweepDeps(apiOver(env)), now: () => now, wake });
  return ids;
}

describe("woken", () => {
  test.each([
    ["an invoice was issued", "invoice.issued", () => exchange.connector.send(aSentOrder("1"))],
    ["an order is held", "order.held", () => exchange.connector.send(aSentOrder("1", { total: 1 }))],
    [
      "a record was accepted",
      "record.accepted",
      async () => {
        await exchange.connector.send(aSentOrder("1"));
        await settleRecord(shop, 1, { state: "accepted", seq: 2 });
      },
    ],
  ] as const)("%s, and has no event yet", async (_, event, happen) => {
    await exchange.connector.send(aSentOrder("before"));
    await exchange.register({ events: [event] });
    expect(await woken()).toEqual([]);
    await happen();
    expect(await woken()).toEqual([shop.connectionId]);
    await exchange.ledger.wake();
    expect(await woken()).toEqual([]);
  });

  test("not for events without a subscriber, nor for an ended endpoint", async () => {
    await exchange.register({ events: ["record.rejected"] });
    const { id } = await exchange.register({ url: "https://otro.es/", events: ["invoice.issued"] });
    await exchange.act({ verb: "remove_webhook", id });
    await exchange.connector.send(aSentOrder("1"));
    expect(await woken()).toEqual([]);
  });

  test("an attempt that is overdue by two minutes; of a frozen account only once it is thawed", async () => {
    await exchange.register();
    exchange.answer = () => BUSY;
    await exchange.connector.send(aSentOrder("1"));
    await exchange.ledger.wake();
    expect(await woken(NOON + 2 * 60_000)).toEqual([]);
    expect(await woken(NOON + HOUR)).toEqual([shop.connectionId]);
    const freeze = (frozen: number) =>
      env.LEDGER_000.prepare("UPDATE account SET frozen = ? WHERE id = ?").bind(frozen, shop.accountId).run();
    await freeze(1);
    expect(await woken(NOON + HOUR)).toEqual([]);
    await freeze(0);
    expect(await woken(NOON + HOUR)).toEqual([shop.connectionId]);
  });

  test("deliveries of an endpoint that has ended, until they are stopped", async () => {
    const { id } = await exchange.register();
    exchange.answer = () => BUSY;
    await exchange.connector.send(aSentOrder("1"));
    await exchange.ledger.wake();
    await exchange.act({ verb: "remove_webhook", id });
    expect(await woken(NOON + HOUR)).toEqual([shop.connectionId]);
    await exchange.ledger.wake();
    expect(await woken(NOON + HOUR)).toEqual([]);
  });
});

/** Finished deliveries of the log, as they gather in time. */
async function fillLog(endpointId: string, count: number): Promise<void> {
  await env.LEDGER_000.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO webhook_delivery SELECT 'x' || ? || i, ?, ?, 'invoice.issued', 'x' || ? || i, '{}', ?, 1, NULL, 0,
        '{"outcome":"delivered","status":200}' FROM n`,
  )
    .bind(count, count, endpointId, shop.connectionId, count, NOON - HOUR)
    .run();
}

test("a run and the sweep read as many rows with many as with few, and scan nothing that grows", async () => {
  shop = await openShop();
  exchange = exchangeOn(shop);
  const { id } = await exchange.register();
  let issued = 0;
  let seq = 0;
  const statements = new Set<string>();
  const measure = async () => {
    await exchange.client.issue(`m${issued}`);
    await settleLast(++seq);
    issued += 1;
    faults.take();
    await exchange.ledger.wake();
    await exchange.ledger.listWebhookDeliveries(shop.connectionId, { endpointId: id, limit: 3 });
    const store = dueStore(wrapD1("LEDGER_000", env.LEDGER_000), {
      isOn: false,
      wantsRepresentation: false,
      mayCallOut: true,
    });
    await store.connectionsWithDueWork({ overdueSince: NOON, today: civilDate("2026-11-28"), limit: 10 });
    const trips = faults.take();
    for (const { sql } of trips) for (const text of sql) if (text.includes("webhook")) statements.add(text);
    return trips.map(({ rowsRead }) => rowsRead);
  };
  await exchange.client.issue("ticket", SIMPLIFIED);
  await measure();
  await measure();
  await fillUp(shop, 200);
  await fillLog(id, 200);
  await headUp(id);
  const few = await measure();
  await fillUp(shop, 3_000);
  await fillLog(id, 3_000);
  await headUp(id);
  expect(await measure()).toEqual(few);
  const plans: string[] = [];
  for (const text of statements) plans.push(...(await scansIn(text)));
  expect(plans).toEqual([]);
});

/** The last record of the chain is accepted. */
async function settleLast(seq: number): Promise<void> {
  await env.LEDGER_000.prepare(
    `UPDATE record SET state = 'accepted', standing = '{}', changed_seq = ? WHERE connection_id = ? AND position =
      (SELECT max(position) FROM record WHERE connection_id = ?)`,
  )
    .bind(seq, shop.connectionId, shop.connectionId)
    .run();
}

/** As if all events so far were made, and all records entered. */
async function headUp(id: string): Promise<void> {
  await exchange.act({ verb: "choose_webhook_events", id, events: ["order.held"] });
  await exchange.ledger.wake();
  await exchange.act({ verb: "choose_webhook_events", id, events: WEBHOOK_EVENTS });
}

const GROWING = /\bSCAN (record|invoice|invoice_document|shop_order|webhook_delivery|webhook_cursor)\b/;

async function scansIn(sql: string): Promise<string[]> {
  const places = sql.match(/\?/g)?.length ?? 0;
  const { results } = await env.LEDGER_000.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...Array<string>(places).fill("[]"))
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail).filter((detail) => GROWING.test(detail));
}
