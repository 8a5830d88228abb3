/** A step of a shop's earlier orders reads as many rows behind a long list as behind a short one. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { backfillStore } from "../../src/db/shops/backfill-store.ts";
import { NO_OUTLOOK, type RunningBackfill, UNDER_WAY } from "../../src/domain/shop/backfill.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { aNativeShop, type NativeShop } from "../support/worlds/native-shops.ts";

const FEW = 500;
const MANY = 10_000;

/** Orders at the places from ?2 on; ?3 is what their owner saw of them, ?4 whether they are confirmed. */
const ENTER = `WITH RECURSIVE numbered(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbered WHERE n < ?5)
  INSERT OR IGNORE INTO shop_backfill_order (connection_id, native_id, place, would, outlook, confirmed)
  SELECT ?1, ?2 || n, n, iif(?3 IS NULL, NULL, 'held'), ?3, ?4 FROM numbered`;

async function aSearch(native: NativeShop): Promise<RunningBackfill> {
  const { connectionId } = native.shop;
  await native.connect();
  const [shop] = await native.rows<{ access: string }>("SELECT access FROM shop WHERE connection_id = ?");
  await env.LEDGER_000.prepare(
    `INSERT INTO shop_backfill (connection_id, state, since, is_listed, has_more, begun_at, attempts)
      VALUES (?, 'confirmed', '2026-01-01', 1, 0, 1, 0)`,
  )
    .bind(connectionId)
    .run();
  return {
    ...{ access: shop?.access ?? "", state: "confirmed", since: "2026-01-01", isListed: true },
    ...{ hasMore: false, begunAt: 1, attempts: 0 },
  };
}

test(`a step behind ${MANY} listed orders reads as much as one behind ${FEW}`, async () => {
  const native = await aNativeShop();
  const search = await aSearch(native);
  const { connectionId } = native.shop;
  const backfills = backfillStore(wrapD1("LEDGER_000", env.LEDGER_000), connectionId);
  const enter = (name: string, outlook: string | null, isConfirmed: boolean, total: number) =>
    env.LEDGER_000.prepare(ENTER)
      .bind(connectionId, name, outlook, isConfirmed ? 1 : 0, total)
      .run();
  const rowsOf = async (call: () => Promise<unknown>) => {
    faults.take();
    const result = await call();
    return { result, rows: faults.take().flatMap(({ rowsRead }) => rowsRead) };
  };
  const steps = async (listed: number) => {
    await enter("confirmed", "{}", true, listed);
    await enter("unseen", null, false, listed);
    await enter("seen", "{}", false, listed);
    // The fetches of the step before were answered. No order came of them, and those given up are read each time.
    await env.LEDGER_000.batch(
      [
        "DELETE FROM shop_fetch WHERE connection_id = ?",
        "UPDATE shop_backfill_order SET given_up = 0 WHERE connection_id = ? AND given_up = 1",
      ].map((sql) => env.LEDGER_000.prepare(sql).bind(connectionId)),
    );
    const handed = await rowsOf(() => backfills.handOver(search, 1));
    expect(handed.result).toEqual({ settled: UNDER_WAY, handed: UNDER_WAY, isOpen: true });
    const seen = [{ nativeId: "unseen1", would: "held", outlook: NO_OUTLOOK } as const];
    const kept = await rowsOf(() => backfills.keepSeen(search, { seen, isWhole: true }));
    const page = { nativeIds: ["confirmed1"], isFull: false };
    const listedAgain = await rowsOf(() => backfills.keepPage(search, page, 1));
    return [handed, kept, listedAgain].map(({ rows }) => rows);
  };
  await enter("confirmed", "{}", true, FEW);
  await backfills.handOver(search, 1);
  await steps(FEW);
  const few = await steps(FEW);
  expect(await steps(MANY)).toEqual(few);
});
