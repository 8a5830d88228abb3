/** 64 invoices at once on one ledger: of one connection, of some, and each of a connection of its own. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Ledger } from "../../src/ledger/core/ledger.ts";
import { faults } from "../support/faults/faults.ts";
import { beginInRuntime } from "../support/progress/progress.ts";
import { plainLedger } from "../support/worlds/ledger-client.ts";
import { aLine, anInvoice, callerOf, openShop, type Shop } from "../support/worlds/shop.ts";
import { report } from "./report.ts";

const AT_ONCE = 64;
const SHAPES = [1, 8, 64];
const samples = Math.ceil(Number(Reflect.get(env, "BENCH_SAMPLES")) / 3);
const LINES = [aLine("1", "100", "21"), aLine("2", "19.95", "10"), aLine("3", "7.5", "21")];

interface Issuing {
  readonly shop: Shop;
  readonly ledger: Ledger;
}

test("several objects on one ledger", async () => {
  const all: Issuing[] = [];
  const opening = beginInRuntime("open the connections of one ledger", AT_ONCE);
  for (let opened = 0; opened < AT_ONCE; opened++) {
    const shop = await openShop();
    all.push({ shop, ledger: plainLedger(shop).ledger });
    opening();
  }
  for (const [delay, latencyMs] of [
    ["20 ms added to every D1 trip", 20],
    ["no delay added", 0],
  ] as const) {
    faults.addLatency(latencyMs);
    const figures: Record<string, number[]> = Object.fromEntries(SHAPES.map((shape) => [nameOf(shape), []]));
    const advance = beginInRuntime(`64 at once on one ledger, ${delay}`, 3 + samples);
    for (let sample = -3; sample < samples; sample++) {
      advance();
      for (const shape of SHAPES) {
        const perSecond = await issueTogether(all.slice(0, shape), `${latencyMs}-${shape}-${sample}`);
        if (sample >= 0) figures[nameOf(shape)]?.push(perSecond);
        faults.take();
      }
    }
    report(`64 invoices at once on one ledger, ${delay}`, figures);
  }
});

function nameOf(shape: number): string {
  return shape === 1 ? "of1ObjectPerSecond" : `of${shape}ObjectsPerSecond`;
}

async function issueTogether(of: readonly Issuing[], name: string): Promise<number> {
  const startedAt = performance.now();
  const outcomes = await Promise.all(
    of.flatMap(({ shop, ledger }, object) =>
      Array.from({ length: AT_ONCE / of.length }, (_, index) =>
        ledger.issueInvoice(callerOf(shop), anInvoice(`${name}-${object}-${index}`, { lines: LINES })),
      ),
    ),
  );
  const tookMs = performance.now() - startedAt;
  expect(outcomes.filter(({ outcome }) => outcome === "issued")).toHaveLength(AT_ONCE);
  return (AT_ONCE * 1_000) / tookMs;
}
