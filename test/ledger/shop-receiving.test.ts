/** What deliveries leave behind, what forged ones cost, and what a restore brings back of erased orders. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { DELIVERIES } from "../../src/domain/limits.ts";
import { freezing } from "../../src/ops/restore/ledger-changes.ts";
import { eraseAgain } from "../../src/ops/restore/put-back-erasures.ts";
import { BEGIN_TEXTS, END_TEXTS } from "../../src/ops/restore/sql-text.ts";
import { HOUR, NOON } from "../support/builders/callbacks.ts";
import { failBefore } from "../support/faults/fault-kinds.ts";
import { faults } from "../support/faults/faults.ts";
import { aNativeOrder, aNativeShop, type NativeShop } from "../support/worlds/native-shops.ts";
import { goBackTo, momentOf } from "../support/worlds/time-travel.ts";

const LARGE = "x".repeat(70_000);
const FETCHING = {
  url: "https://tienda.example",
  credentials: { consumer_key: "ck_1234567890abcdef", consumer_secret: "cs_1234567890abcdef" },
} as const;

let now: number;
let native: NativeShop;

beforeEach(async () => {
  now = NOON;
  native = await aNativeShop({ now: () => now });
  await native.connect();
});

async function keysOf(sql: string): Promise<readonly string[]> {
  return (await native.rows<{ readonly key: string }>(sql)).map(({ key }) => key);
}

const named = async () => [
  ...(await keysOf(
    "SELECT body_key AS key FROM shop_document WHERE connection_id = ? AND body_key IS NOT NULL",
  )),
  ...(await keysOf(
    "SELECT body_key AS key FROM shop_delivery WHERE connection_id = ? AND body_key IS NOT NULL",
  )),
];
const noted = (at: number) =>
  keysOf(`SELECT key FROM shop_dropped_body WHERE due_at <= ${at} AND instr(key, ?) > 0 ORDER BY 1`);

describe("a body outside its row", () => {
  test("has a key of its own, so that equal documents that come again outlive the erasure of the first", async () => {
    await native.deliver(aNativeOrder(1, { note: LARGE, modified: 1 }));
    await native.deliver(aNativeOrder(1, { note: "short", modified: 2 }));
    await native.deliver(aNativeOrder(1, { note: LARGE, modified: 1 }), { id: "again" });
    await native.deliver(aNativeOrder(1, { note: LARGE, modified: 3 }));
    const dropped = await noted(now);
    const kept = await named();
    expect(dropped.length).toBeGreaterThan(0);
    expect(kept.filter((key) => dropped.includes(key))).toEqual([]);
    expect(kept.every((key) => native.bodies.has(key))).toBe(true);
    expect(new Set(kept).size).toBe(kept.length);
  });

  test("is noted before it exists, and its note goes with the batch of its row", async () => {
    await native.deliver(aNativeOrder(1, { note: LARGE }));
    expect(await noted(now + 30 * 24 * HOUR)).toEqual([]);
    faults.when((sql) => sql.some((one) => one.startsWith('insert into "shop_document"')), failBefore());
    await native.deliver(aNativeOrder(2, { note: LARGE }));
    faults.reset();
    const orphans = [...native.bodies.keys()];
    const unnamed = await noted(now + 24 * HOUR);
    const kept = await named();
    expect(orphans.toSorted()).toEqual([...kept, ...unnamed].toSorted());
    expect(await noted(now + 24 * HOUR - 1)).toEqual([]);
  });
});

describe("a day of deliveries", () => {
  const counted = (columns: string) =>
    env.LEDGER_000.prepare(`UPDATE shop SET ${columns} WHERE connection_id = ?`)
      .bind(native.shop.connectionId)
      .run();
  const today = Math.floor(NOON / 86_400_000);

  test("has an end, with which nothing is stored; the next day begins anew", async () => {
    await counted(`counted_day = ${today}, day_deliveries = ${DELIVERIES.perDay}`);
    expect(await native.deliver(aNativeOrder(1))).toEqual({
      outcome: "rate_limited",
      retryAfterSeconds: 3_600,
    });
    expect(await native.rows("SELECT 1 FROM shop_delivery WHERE connection_id = ?")).toEqual([]);
    now += 24 * HOUR;
    expect(await native.deliver(aNativeOrder(1))).toMatchObject({ as: "decided" });
    expect(await native.rows("SELECT day_deliveries AS many FROM shop WHERE connection_id = ?")).toEqual([
      { many: 1 },
    ]);
  });

  test("keeps only so many bytes that decide no order; what decides is kept whole", async () => {
    await counted(`counted_day = ${today}, day_bytes = ${DELIVERIES.keptBytesPerDay}`);
    expect(await native.deliver("garbage", { id: "g" })).toMatchObject({ as: "unreadable" });
    expect(await native.deliver(aNativeOrder(1), { id: "o" })).toMatchObject({ as: "decided" });
    expect(
      await native.rows(
        "SELECT delivery_id, body IS NULL AS bare FROM shop_delivery WHERE connection_id = ? ORDER BY 1",
      ),
    ).toEqual([
      { delivery_id: "g", bare: 1 },
      { delivery_id: "o", bare: 0 },
    ]);
  });

  test("leaves only so many orders to be fetched: the next search finds the others", async () => {
    await native.connect(FETCHING);
    const { connectionId } = native.shop;
    await env.LEDGER_000.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${DELIVERIES.waiting})
        INSERT INTO shop_fetch SELECT ?, i, 'delivery', ${NOON + HOUR}, 1, 0, NULL, NULL FROM n`,
    )
      .bind(connectionId)
      .run();
    await counted("due_at = NULL");
    expect(await native.deliver(aNativeOrder(777_777))).toMatchObject({ as: "accepted" });
    const known = "SELECT 1 FROM shop_fetch WHERE connection_id = ? AND native_id = '777777'";
    expect(await native.rows(known)).toEqual([]);
    expect(await native.rows("SELECT due_at FROM shop WHERE connection_id = ?")).toEqual([
      { due_at: NOON + 5_000 },
    ]);
  });
});

describe("forged deliveries", () => {
  const reads = async (act: () => Promise<unknown>) => {
    let count = 0;
    faults.when((sql) => {
      if (sql.some((one) => one.includes('from "shop_delivery"'))) count += 1;
      return false;
    }, failBefore());
    await act();
    faults.reset();
    return count;
  };

  test("cost a read each up to the limit, then one in five seconds; a genuine one is taken all the time", async () => {
    const forge = async (times: number) => {
      for (let count = 0; count < times; count += 1) await native.deliver("x", { secret: "another" });
    };
    await forge(DELIVERIES.forgedPerMinute + 1);
    expect(await reads(() => forge(50))).toBe(0);
    expect(await native.deliver(aNativeOrder(1))).toMatchObject({ as: "decided" });
    now += DELIVERIES.rememberedMs;
    expect(await reads(() => forge(50))).toBe(1);
    now += 60_000;
    await native.deliver(aNativeOrder(2));
    const forged = DELIVERIES.forgedPerMinute + 1 + 100;
    expect(await native.rows("SELECT forged FROM shop WHERE connection_id = ?")).toEqual([{ forged }]);
  });
});

test.each([90, 101, 5_000, 500_000])(
  "a document nested %i deep is kept, and asks for no repeat",
  async (depth) => {
    const body = `{"id":1,"deep":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect(await native.deliver(body)).toMatchObject({ outcome: "received", as: "unreadable" });
  },
);

test.each(["..", "1/../2", "a", "1?x=2"])("%s is no id of an order", async (id) => {
  await native.connect(FETCHING);
  expect(await native.deliver({ ...aNativeOrder(1), id })).toMatchObject({ as: "unreadable" });
  expect(await native.rows("SELECT 1 FROM shop_fetch WHERE connection_id = ?")).toEqual([]);
});

test("a restore erases the shop's documents of erased orders again, and leaves those of others", async () => {
  const { accountId, connectionId } = native.shop;
  for (const id of [1, 2]) await native.deliver(aNativeOrder(id, { status: "on-hold", note: LARGE }));
  const moment = await momentOf(env.LEDGER_000);
  await native.act({ verb: "erase_order", orderId: "1" });
  const of = { accountId, connectionId, since: NOON - HOUR, now };
  const statements: string[] = [];
  for await (const sql of eraseAgain(env.LEDGER_000, of)) statements.push(sql);
  await goBackTo(env.LEDGER_000, moment);
  expect(await named()).toHaveLength(4);
  const frozen = freezing([{ id: accountId, frozen: 0 }], 1);
  for (const sql of [...frozen, ...BEGIN_TEXTS, ...statements, ...END_TEXTS])
    await env.LEDGER_000.prepare(sql).run();
  expect(await native.rows("SELECT id_external FROM shop_document WHERE connection_id = ?")).toEqual([
    { id_external: "2" },
  ]);
  expect(
    await native.rows(
      "SELECT order_id, body_key IS NULL AS bare FROM shop_delivery WHERE connection_id = ? ORDER BY 1",
    ),
  ).toEqual([
    { order_id: "1", bare: 1 },
    { order_id: "2", bare: 0 },
  ]);
  expect(await noted(now)).toHaveLength(2);
});
