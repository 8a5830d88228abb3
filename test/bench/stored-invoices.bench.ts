/** A million stored invoices against a thousand: what the rows read already say, in milliseconds. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { faults } from "../support/faults.ts";
import { clientOf, plainLedger } from "../support/ledger-client.ts";
import { fillUp } from "../support/many-invoices.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { report } from "./report.ts";

const samples = Number(Reflect.get(env, "BENCH_SAMPLES"));

test("1,000,000 stored invoices against 1,000", async () => {
  const shop = await openShop();
  await clientOf(shop).issue("first");
  await clientOf(shop).issue("ticket", { invoiceType: "F2", regime: "art7_simplified", recipient: {} });
  await fillUp(shop, 1_000);
  const few = await measure(shop, "few");
  await fillUp(shop, 1_000_000);
  const many = await measure(shop, "many");
  expect(many.rowsRead).toEqual(few.rowsRead);
  report("behind 1,000 stored invoices", few.figures);
  report("behind 1,000,000 stored invoices", many.figures);
});

async function measure(shop: Shop, round: string) {
  const figures = { issueMs: [] as number[], coldIssueMs: [] as number[], readMs: [] as number[] };
  const warm = plainLedger(shop).client;
  await warm.issue(`${round}-warm`);
  faults.take();
  for (let sample = 0; sample < samples; sample++) {
    figures.issueMs.push(await timed(() => warm.issue(`${round}-${sample}`)));
    figures.readMs.push(await timed(() => warm.read(`${round}-${sample}`)));
  }
  const rowsRead = [...new Set(faults.take().map((trip) => trip.rowsRead))].sort((a, b) => a - b);
  for (let sample = 0; sample < samples; sample++) {
    const { client } = plainLedger(shop);
    figures.coldIssueMs.push(await timed(() => client.issue(`${round}-cold-${sample}`)));
  }
  return { figures, rowsRead };
}

async function timed(call: () => Promise<{ readonly outcome: string }>): Promise<number> {
  const startedAt = performance.now();
  const { outcome } = await call();
  expect(["issued", "found"]).toContain(outcome);
  return performance.now() - startedAt;
}
