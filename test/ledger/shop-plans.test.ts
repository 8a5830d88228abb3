/** Reads and writes for a shop are bounded, with any number of orders: no statement scans a table. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { consoleReads } from "../../src/console/reads.ts";
import { backfillStore } from "../../src/db/shops/backfill-store.ts";
import { webhookTaskStore } from "../../src/db/shops/webhook-store.ts";
import { NO_OUTLOOK, type RunningBackfill } from "../../src/domain/shop/backfill.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { aNativeShop } from "../support/worlds/native-shops.ts";

const SEARCH: RunningBackfill = {
  access: "a",
  ...{ state: "listing", since: "2026-01-01", isListed: false, hasMore: false, begunAt: 1, attempts: 0 },
};
const TASK = { nonce: "", requests: 1, attempts: 0, begunAt: 1 };

/** Lists of the call itself, and one row for the figures of a step. */
const OF_THE_CALL = /^SCAN (json_each|CONSTANT|\(subquery-\d+\))/;

test("no read of the console and no step of the alarm scans a table", async () => {
  const { shop, connect } = await aNativeShop();
  await connect();
  const { accountId, connectionId } = shop;
  const binding = wrapD1("LEDGER_000", env.LEDGER_000);
  const reads = consoleReads(binding);
  const backfills = backfillStore(binding, connectionId);
  const tasks = webhookTaskStore(binding, connectionId);
  faults.take();
  await reads.shop.read(accountId, connectionId);
  await reads.shop.deliveries(accountId, connectionId, {
    limit: 25,
    after: { receivedAt: 1, deliveryId: "d" },
  });
  await reads.backfill.list(accountId, connectionId, { limit: 50, after: 50, would: "held" });
  await reads.backfill.list(accountId, connectionId, { limit: 50 });
  await reads.document.read(accountId, connectionId, "1");
  await reads.seen.newest(accountId, connectionId);
  await backfills.countListed();
  await backfills.keepPage(SEARCH, { nativeIds: ["1", "2"], next: "2", isFull: false }, 1);
  await backfills.unseen(10);
  const seen = [{ nativeId: "1", would: "held", outlook: NO_OUTLOOK } as const];
  await backfills.keepSeen(SEARCH, { seen, isWhole: true });
  await backfills.handOver(SEARCH, 1);
  await backfills.countSelected({ orders: ["1"] });
  await backfills.countSelected({ all: true });
  await tasks.readWork(1);
  await tasks.settle(TASK, 1);
  const sent = new Set(faults.trips().flatMap(({ sql }) => sql));
  expect(sent.size).toBeGreaterThan(25);
  const scans: string[] = [];
  for (const sql of sent) {
    const parameters = Array.from(sql.matchAll(/\?/g), () => null);
    const explained = env.LEDGER_000.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...parameters);
    for (const { detail } of (await explained.all<{ detail: string }>()).results)
      if (detail.startsWith("SCAN") && !OF_THE_CALL.test(detail)) scans.push(`${detail}: ${sql}`);
  }
  expect(scans).toEqual([]);
});
