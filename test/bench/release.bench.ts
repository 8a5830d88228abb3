/** 10,000 deferred orders are released while direct invoices are issued on the same connection. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Ledger } from "../../src/ledger/core/ledger.ts";
import { faults } from "../support/faults/faults.ts";
import { beginInRuntime } from "../support/progress/progress.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { aSentOrder, aSubmission } from "../support/worlds/order-calls.ts";
import { aConsent, anInvoice, callerOf, openShop, type Shop } from "../support/worlds/shop.ts";
import { report, spreadOf } from "./report.ts";

const ORDERS = 10_000;
const AT_ONCE = 64;
const LATENCY_MS = 20;
const samples = Number(Reflect.get(env, "BENCH_SAMPLES"));

test("release of 10,000 deferred orders, with direct issuance at the same time", async () => {
  const shop = await openShop({ consented: false });
  const { ledger } = plainLedger(shop);
  await submitAll(shop, ledger);
  expect((await ledger.act(shop.connectionId, "owner", aConsent("co000bench"))).outcome).toBe("done");
  const issue = issuerOf(shop, ledger);
  await issue("warm");
  faults.addLatency(LATENCY_MS);
  const idleMs: number[] = [];
  const advance = beginInRuntime("direct invoices before the release", samples);
  for (let sample = 0; sample < samples; sample++) {
    idleMs.push(await issue(`idle-${sample}`));
    advance();
  }
  const { tookMs, besideMs } = await release(shop, ledger, issue);
  report("release of 10,000 deferred orders, 20 ms added to every D1 trip", {
    ordersPerSecond: [(ORDERS * 1_000) / tookMs],
    idleMs,
    besideMs,
    p95Ratio: [spreadOf(besideMs).p95 / spreadOf(idleMs).p95],
  });
});

async function submitAll(shop: Shop, ledger: Ledger): Promise<void> {
  const advance = beginInRuntime("groups of orders", Math.ceil(ORDERS / AT_ONCE));
  for (let first = 0; first < ORDERS; first += AT_ONCE) {
    const ids = Array.from({ length: Math.min(AT_ONCE, ORDERS - first) }, (_, index) => `o${first + index}`);
    await Promise.all(ids.map((id) => ledger.submitOrder(callerOf(shop), aSubmission(aSentOrder(id)))));
    faults.take();
    advance();
  }
  expect(await countOf(shop, "deferred")).toBe(ORDERS);
}

type Issue = (externalId: string) => Promise<number>;

function issuerOf(shop: Shop, ledger: Ledger): Issue {
  return async (externalId) => {
    const startedAt = performance.now();
    const { outcome } = await ledger.issueInvoice(callerOf(shop), anInvoice(externalId));
    expect(outcome).toBe("issued");
    return performance.now() - startedAt;
  };
}

/** One invoice after the other, without a pause, during the release. */
async function release(shop: Shop, ledger: Ledger, issue: Issue) {
  let isOver = false;
  const besideMs: number[] = [];
  const advance = beginInRuntime("direct invoices during the release", 0);
  const issueBeside = async () => {
    while (!isOver) {
      besideMs.push(await issue(`beside-${besideMs.length}`));
      faults.take();
      advance();
    }
  };
  const startedAt = performance.now();
  const beside = issueBeside();
  for (let next = await ledger.wake(); next !== undefined; next = await ledger.wake()) faults.take();
  const tookMs = performance.now() - startedAt;
  isOver = true;
  await beside;
  expect(await countOf(shop, "invoiced")).toBe(ORDERS);
  return { tookMs, besideMs };
}

async function countOf({ connectionId }: Shop, state: string): Promise<number> {
  const count = await env.LEDGER_000.prepare(
    "SELECT count(*) AS v FROM shop_order WHERE connection_id = ? AND state = ?",
  )
    .bind(connectionId, state)
    .first<number>("v");
  return count ?? 0;
}
