/** The console's reads of orders do not grow with the stored ones, and no table is scanned. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { type ConsoleReads, consoleReads } from "../../src/console/reads.ts";
import { ORDER_STATES } from "../../src/domain/order/decision.ts";
import { civilDate } from "../../src/domain/shared/civil-date.ts";
import { faults, type Trip } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { fillUpOrders } from "../support/worlds/filled-books.ts";
import { aSentOrder, openCommerce, orderConnector } from "../support/worlds/order-calls.ts";
import { HELD } from "../support/worlds/order-changes.ts";
import { openShop, type Shop } from "../support/worlds/shop.ts";

const FEW = 1_200;
const MANY = 12_000;
const MIDDLE = "00000500";

async function aShop(): Promise<Shop> {
  const shop = await openCommerce();
  await openShop({ accountId: shop.accountId });
  const { send } = orderConnector(shop);
  await send(aSentOrder("invoiced", { reference: "REF-1", shop: { id: "1" } }));
  await send(aSentOrder("held", HELD));
  return shop;
}

/** Orders of every state, on many days, half of them held. */
async function fill(shop: Shop, total: number): Promise<void> {
  const days = {
    ordered_at: "1700000000000 + n * 60000",
    order_day: "date('2020-01-01', (n % 90) || ' days')",
  };
  await fillUpOrders(shop, { of: "invoiced", named: "i", total, set: days });
  await fillUpOrders(shop, { of: "held", named: "h", total, set: { ...days, due_date: days.order_day } });
  await env.LEDGER_000.prepare(REMEMBER).bind(shop.connectionId, shop.accountId, total).run();
  for (const state of ["deferred", "before_cutoff"]) {
    await fillUpOrders(shop, {
      of: "held",
      named: state,
      total,
      set: { ...days, state: `'${state}'`, question: "NULL" },
    });
  }
}

/** As many answers remembered as there are orders of a state. */
const REMEMBER = `WITH RECURSIVE numbered(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbered WHERE n < ?3)
  INSERT OR IGNORE INTO remembered_answer (connection_id, profile_id, setting, account_id, user_id, question,
    reason, value, uses, remembered_at)
  SELECT ?1, '', 'treatments ' || n, ?2, 'us0', '["untreated_total"]', NULL, '{"as":"payment"}', 1, n
  FROM numbered`;

const QUESTION = '["recipient_incomplete"]';

type Call = (reads: ConsoleReads) => Promise<unknown>;

function calls({ accountId, connectionId }: Shop): Readonly<Record<string, Call>> {
  const orderKey = { orderedAt: 1700000000000 + 500 * 60000, connectionId, idExternal: `i-${MIDDLE}` };
  const reviewKey = { dueDate: "2020-02-01", connectionId, idExternal: `h-${MIDDLE}` };
  const all = { states: ORDER_STATES };
  const from = { way: "after", key: orderKey } as const;
  const between = { from: 1700000000000, to: 1700000000000 + 300 * 60000 };
  const long = { from: 1700000000000, to: 1800000000000 };
  const reason = "recipient_incomplete";
  return {
    list: ({ orders }) => orders.list(accountId, all, { limit: 25 }),
    "list, behind": ({ orders }) => orders.list(accountId, all, { limit: 25, from }),
    "list, before": ({ orders }) =>
      orders.list(accountId, all, { limit: 25, from: { ...from, way: "before" } }),
    "list of a state": ({ orders }) => orders.list(accountId, { states: ["invoiced"] }, { limit: 25, from }),
    "list of a store": ({ orders }) => orders.list(accountId, { ...all, storeId: "1" }, { limit: 25, from }),
    "list of a connection": ({ orders }) => orders.list(accountId, { ...all, connectionId }, { limit: 25 }),
    "list of a month": ({ orders }) => orders.list(accountId, { ...all, between }, { limit: 25 }),
    "list of a long time, later pages": ({ orders }) =>
      orders.list(accountId, { ...all, between: long }, { limit: 25, from }),
    "list of a long time, before": ({ orders }) =>
      orders.list(accountId, { ...all, between: long }, { limit: 25, from: { ...from, way: "before" } }),
    search: ({ orders }) => orders.find(accountId, "i-0000", 26),
    "search by reference": ({ orders }) => orders.find(accountId, "REF", 26),
    places: ({ orders }) => orders.places(accountId),
    queue: ({ review }) => review.queue(accountId, {}, { limit: 25 }),
    "queue, behind": ({ review }) =>
      review.queue(accountId, {}, { limit: 25, from: { way: "after", key: reviewKey } }),
    "queue, before": ({ review }) =>
      review.queue(accountId, {}, { limit: 25, from: { way: "before", key: reviewKey } }),
    "queue of a reason": ({ review }) =>
      review.queue(accountId, { reason }, { limit: 25, from: { way: "after", key: reviewKey } }),
    count: ({ review }) => review.count(accountId, civilDate("2026-11-28")),
    groups: ({ review }) => review.groups(accountId, undefined),
    questions: ({ questions }) => questions.list(accountId, {}, { limit: 25 }),
    "questions of a reason": ({ questions }) => questions.list(accountId, { reason }, { limit: 25 }),
    "orders of a question": ({ questions }) => questions.orders(accountId, connectionId, QUESTION, 25),
    "count of a question": ({ questions }) => questions.countOf(accountId, connectionId, QUESTION),
    remembered: ({ remembered }) => remembered.list(accountId, 26, undefined),
    "remembered, behind": ({ remembered }) =>
      remembered.list(accountId, 26, {
        rememberedAt: 600,
        connectionId,
        profileId: "",
        setting: "treatments",
      }),
    order: ({ order }) => order.read(accountId, connectionId, "invoiced"),
    "order as sent": ({ order }) => order.sent(accountId, connectionId, "invoiced"),
    cutoff: ({ waiting }) => waiting.cutoff(accountId, connectionId),
    release: ({ waiting }) => waiting.release(accountId, connectionId),
  };
}

/** Of the waiting ones: as many as are counted or summed, and no more. */
function growing({ accountId, connectionId }: Shop): Readonly<Record<string, Call>> {
  const key = { dueDate: "2020-02-01", connectionId, idExternal: `h-${MIDDLE}` };
  const asked = { connectionId, code: "recipient_incomplete", except: "held" } as const;
  return {
    place: ({ review }) => review.placeOf(accountId, {}, key),
    alike: ({ review }) => review.similar(accountId, asked),
    days: ({ waiting }) => waiting.days(accountId, [{ connectionId, state: "deferred" }]),
    "days between": ({ waiting }) =>
      waiting.days(accountId, [
        { connectionId, state: "held", from: civilDate("2020-01-10"), until: civilDate("2020-01-20") },
      ]),
  };
}

async function measured(shop: Shop, of: Readonly<Record<string, Call>>) {
  const reads = consoleReads(wrapD1("LEDGER_000", env.LEDGER_000));
  const rows: Record<string, number> = {};
  const sent = new Set<string>();
  for (const [name, call] of Object.entries(of)) {
    faults.take();
    await call(reads);
    const trips: readonly Trip[] = faults.trips();
    expect([name, trips.length]).toEqual([name, 1]);
    rows[name] = trips.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
    for (const sql of trips.flatMap((trip) => trip.sql)) sent.add(sql);
  }
  return { rows, sent, shop };
}

test(`no read of orders looks at more rows behind ${MANY} than behind ${FEW}`, {
  timeout: 120_000,
}, async () => {
  const shop = await aShop();
  await fill(shop, FEW);
  const few = await measured(shop, calls(shop));
  await fill(shop, MANY);
  const many = await measured(shop, calls(shop));
  expect(many.rows).toEqual(few.rows);
  for (const name of [
    "questions",
    "questions of a reason",
    "orders of a question",
    "count of a question",
    "remembered",
  ]) {
    expect([name, many.rows[name]]).toEqual([name, expect.any(Number)]);
    expect(many.rows[name]).toBeLessThanOrEqual(4 * 25 + 60);
  }
  // Counts and groups stop at a limit of their own.
  const pages = Object.entries(many.rows).filter(([name]) => !["count", "groups"].includes(name));
  for (const [name, rows] of pages) {
    const isOfAllStates = name.startsWith("list") && !/of a (state|store)/.test(name);
    expect.soft(rows, name).toBeLessThanOrEqual(isOfAllStates ? 650 : 345);
  }
  const waiting = await measured(shop, growing(shop));
  // Sums read their index; counts stop at a limit.
  expect(waiting.rows.days).toBeLessThan(MANY + 500);
  expect(waiting.rows["days between"]).toBeLessThan((MANY / 90) * 10 + 500);
  expect(waiting.rows.place).toBeLessThan(2_100);
  expect(waiting.rows.alike).toBeLessThan(4_100);
});

const OF_THE_CALL =
  /^SCAN (json_each|wanted|reissued|reason|chosen|waiting|summed|\(subquery-\d+\)|CONSTANT ROW)/;

test("no statement goes through a table, and sums need no row of an order", async () => {
  const shop = await aShop();
  const { sent } = await measured(shop, { ...calls(shop), ...growing(shop) });
  const scans: string[] = [];
  for (const sql of sent) {
    const parameters = Array.from(sql.matchAll(/\?/g), () => null);
    const explained = env.LEDGER_000.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...parameters);
    const steps = (await explained.all<{ detail: string }>()).results.map(({ detail }) => detail);
    for (const step of steps)
      if (step.startsWith("SCAN") && !OF_THE_CALL.test(step)) scans.push(`${step}: ${sql}`);
    if (sql.includes("thousandths")) {
      expect(steps.filter((step) => step.includes("shop_order"))).toEqual([
        expect.stringContaining("USING COVERING INDEX shop_order_waiting"),
      ]);
    }
  }
  expect(scans).toEqual([]);
});
