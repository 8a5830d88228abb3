/** The console's reads of settings are bounded, with any stored data: no table is scanned. */

import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { monthOf } from "../../src/console/issuer-day.ts";
import { consoleReads } from "../../src/console/reads.ts";
import { verbsOf } from "../../src/domain/connection/activity-areas.ts";
import { VERBS } from "../../src/ledger/verbs/table.ts";
import { faults, type Trip } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { fillUp, fillUpOrders } from "../support/worlds/filled-books.ts";
import { clientOf, SIMPLIFIED } from "../support/worlds/ledger-client.ts";
import { aSentOrder, orderConnector } from "../support/worlds/order-calls.ts";
import { act, openShop, type Shop } from "../support/worlds/shop.ts";

const FEW = 1_500;
const MANY = 60_000;
/** The place of a month in a series is found by halving: more invoices are a few steps more. */
const STEPS = 60;

interface Read {
  readonly rows: number;
  readonly trips: readonly Trip[];
}

async function everyRead({ accountId, connectionId }: Shop): Promise<Readonly<Record<string, Read>>> {
  const { connections, selling, company, activity, drafts } = consoleReads(
    wrapD1("LEDGER_000", env.LEDGER_000),
  );
  const month = monthOf(Date.now(), "Europe/Madrid");
  const page = { limit: 25 };
  const place = { side: "older", than: { at: Date.now(), row: 1_000_000 } } as const;
  const reads: Readonly<Record<string, () => Promise<unknown>>> = {
    list: () => connections.list(accountId, month),
    read: () => connections.read(accountId, connectionId, month),
    keys: () => connections.keysOf(accountId, connectionId),
    selling: () => selling.list(accountId),
    stems: () => selling.read(accountId, connectionId),
    order: () => selling.readOrder(accountId, connectionId, "o-1"),
    company: () => company.read(accountId),
    activity: () => activity.page(accountId, { ...page, place }),
    area: () => activity.page(accountId, { ...page, place, verbs: verbsOf("profiles", VERBS), from: 1 }),
    person: () => activity.page(accountId, { ...page, userId: "marta" }),
    personAndArea: () =>
      activity.page(accountId, { ...page, userId: "marta", verbs: verbsOf("access", VERBS) }),
    people: () => activity.people(accountId),
    drafts: () => drafts.list(accountId, page.limit + 1, { savedAt: Date.now(), id: "dr" }),
    draft: () => drafts.read(accountId, "dr"),
    draftIssued: () => drafts.findIssued(accountId, "dr"),
    byHand: () => drafts.findConnection(accountId, "production"),
  };
  const measured: Record<string, Read> = {};
  for (const [name, read] of Object.entries(reads)) {
    faults.take();
    await read();
    const trips = faults.trips();
    expect([name, trips.length]).toEqual([name, 1]);
    measured[name] = { trips, rows: trips.reduce((sum, { rowsRead }) => sum + rowsRead, 0) };
  }
  return measured;
}

async function fillUpLog({ accountId, connectionId }: Shop, from: number, to: number): Promise<void> {
  const counted = `WITH RECURSIVE counted(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM counted WHERE n < ${to})`;
  await env.LEDGER_000.prepare(
    `${counted} INSERT INTO audit_log (id, account_id, connection_id, user_id, at, verb, facts)
      SELECT 'n' || n, ?, ?, iif(n % 2, 'marta', 'luis'), n, iif(n % 3, 'set_tag_rule', 'add_origin'), '{}' FROM counted`,
  )
    .bind(accountId, connectionId)
    .run();
}

async function aShop(): Promise<Shop> {
  const shop = await openShop();
  const { issue } = clientOf(shop);
  await issue("first", SIMPLIFIED);
  await orderConnector(shop).send(aSentOrder("o-1", { order_date: new Date().toISOString() }));
  await act(shop, { verb: "set_tag_rule", rule: { tag: "a", action: "hold" } }, "marta");
  await act(shop, { verb: "switch_customer_access", enabled: false }, "marta");
  return shop;
}

test("no read grows with the stored data", async () => {
  const shop = await aShop();
  const fillUpAll = async (from: number, to: number) => {
    await fillUp(shop, to);
    await fillUpOrders(shop, { of: "o-1", named: "copy", total: to });
    await fillUpLog(shop, from, to);
  };
  await fillUpAll(1, FEW);
  const few = await everyRead(shop);
  await fillUpAll(FEW + 1, MANY);
  const many = await everyRead(shop);
  for (const [name, { rows }] of Object.entries(many)) {
    expect([name, rows - (few[name]?.rows ?? 0) <= STEPS]).toEqual([name, true]);
  }
});

const OF_THE_CALL =
  /^SCAN (json_each|states|sought|line|person|people|halves|found|CONSTANT|\(subquery-\d+\))/;

test("no statement scans a table", async () => {
  const shop = await aShop();
  const sent = new Set(
    Object.values(await everyRead(shop)).flatMap(({ trips }) => trips.flatMap(({ sql }) => sql)),
  );
  expect(sent.size).toBeGreaterThan(15);
  const scans: string[] = [];
  for (const sql of sent) {
    const parameters = Array.from(sql.matchAll(/\?/g), () => null);
    const explained = env.LEDGER_000.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...parameters);
    for (const { detail } of (await explained.all<{ detail: string }>()).results)
      if (detail.startsWith("SCAN") && !OF_THE_CALL.test(detail)) scans.push(`${detail}: ${sql}`);
  }
  expect(scans).toEqual([]);
});
