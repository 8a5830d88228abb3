/** 64 invoices at once: group commit against the design that a team would write first, one batch per invoice. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { markInMemory } from "../../src/ledger/core/high-water.ts";
import { type Ledger, openLedger } from "../../src/ledger/core/ledger.ts";
import { QUEUE_BOUNDS } from "../../src/ledger/core/queue.ts";
import { ledgerDeps } from "../../src/wiring.ts";
import { faults } from "../support/faults/faults.ts";
import { wrapD1 } from "../support/faults/wrapped-d1.ts";
import { beginInRuntime } from "../support/progress/progress.ts";
import { apiOver } from "../support/worlds/deployment.ts";
import { anInvoice, callerOf, openShop, type Shop } from "../support/worlds/shop.ts";
import { report } from "./report.ts";

const AT_ONCE = 64;
const samples = Number(Reflect.get(env, "BENCH_SAMPLES"));

interface Contender {
  readonly shop: Shop;
  readonly ledger: Ledger;
}

test.each([
  ["20 ms added to every D1 trip", 20],
  ["no delay added", 0],
])("64 at once, %s", async (name, latencyMs) => {
  const grouped = await contender(64);
  const naive = await contender(1);
  await issueTogether(grouped, "warm");
  await issueTogether(naive, "warm");
  faults.addLatency(latencyMs);
  const groupedMs: number[] = [];
  const naiveMs: number[] = [];
  const advance = beginInRuntime(`group commit, ${name}`, samples);
  for (let sample = 0; sample < samples; sample++) {
    groupedMs.push(await issueTogether(grouped, `s${sample}`));
    naiveMs.push(await issueTogether(naive, `s${sample}`));
    faults.take();
    advance();
  }
  const ratios = groupedMs.map((ms, index) => (naiveMs[index] ?? 0) / ms);
  report(`group commit, ${name}`, { groupedMs, naiveMs, ratios });
});

async function contender(group: number): Promise<Contender> {
  const shop = await openShop();
  const deps = ledgerDeps(apiOver(env), wrapD1("LEDGER_000", env.LEDGER_000), {
    connectionId: shop.connectionId,
    ledger: "000",
    wakeAt: async () => {},
    mark: markInMemory(),
  });
  return { shop, ledger: openLedger({ ...deps, bounds: { ...QUEUE_BOUNDS, group, waitMs: 60_000 } }) };
}

/** Milliseconds until all are answered; every one of them must be an invoice. */
async function issueTogether({ shop, ledger }: Contender, name: string): Promise<number> {
  const invoices = Array.from({ length: AT_ONCE }, (_, index) => anInvoice(`${name}-${index}`));
  const startedAt = performance.now();
  const outcomes = await Promise.all(invoices.map((invoice) => ledger.issueInvoice(callerOf(shop), invoice)));
  const tookMs = performance.now() - startedAt;
  expect(outcomes.filter((outcome) => outcome.outcome === "issued")).toHaveLength(AT_ONCE);
  return tookMs;
}
