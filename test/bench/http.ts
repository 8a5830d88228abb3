/** The product and the floor through HTTP, one request at a time, alternating. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalServer } from "../support/local-server.ts";
import { bodyOf } from "./cpu.ts";
import { benchPort, startWorker } from "./local-worker.ts";
import { type Report, spreadOf } from "./report.ts";

const FLOOR_PORT = benchPort(9);
const NAIVE_PORT = benchPort(8);
const TOGETHER = 64;

export async function httpReports(samples: number): Promise<Report[]> {
  const product = await startLocalServer();
  try {
    const { key } = product.demo.connections.api;
    const issueAt = (url: string) => (externalId: string) =>
      timedPost(`${url}/api/v1/invoice`, bodyOf(3, externalId), { "X-API-KEY": key });
    const alone = await aloneAgainstFloor(issueAt(product.demo.api_url), samples);
    const rounds = Math.max(10, Math.ceil(samples / TOGETHER));
    const grouped = await issuedTogether(issueAt(product.demo.api_url), "grouped", rounds);
    await product.kill();
    const naive = await naivePerSecond(product.stateDir, issueAt, rounds);
    const ratio = spreadOf(grouped).median / spreadOf(naive).median;
    const spreads = {
      perSecond: spreadOf(grouped),
      naivePerSecond: spreadOf(naive),
      ratio: spreadOf([ratio]),
    };
    return [alone, { name: "64 at once through HTTP, no delay added", spreads }];
  } finally {
    await product.close();
  }
}

type Issue = (externalId: string) => Promise<number>;

async function aloneAgainstFloor(issue: Issue, samples: number): Promise<Report> {
  const state = mkdtempSync(join(tmpdir(), "cuadre-floor-"));
  const floor = await startWorker({ config: "test/bench/floor/wrangler.toml", port: FLOOR_PORT, state });
  try {
    const insert = () => timedPost(floor.url, bodyOf(3), {});
    const productMs: number[] = [];
    const floorMs: number[] = [];
    for (let warm = 0; warm < 50; warm++) await Promise.all([issue(`warm-${warm}`), insert()]);
    for (let sample = 0; sample < samples; sample++) {
      productMs.push(await issue(`alone-${sample}`));
      floorMs.push(await insert());
    }
    const ratio = spreadOf(productMs).median / spreadOf(floorMs).median;
    const spreads = { productMs: spreadOf(productMs), floorMs: spreadOf(floorMs), ratio: spreadOf([ratio]) };
    return { name: "alone through HTTP against the floor", spreads };
  } finally {
    await floor.stop();
    rmSync(state, { recursive: true, force: true });
  }
}

/** The same product and database, with groups of one. */
async function naivePerSecond(
  stateDir: string,
  issueAt: (url: string) => Issue,
  rounds: number,
): Promise<number[]> {
  const naive = await startWorker({
    ...{ config: "wrangler.toml", entry: "test/bench/naive/worker.ts", port: NAIVE_PORT },
    state: join(stateDir, "wrangler"),
    flags: ["--env-file", join(stateDir, "secrets.env"), "--var", "DEFAULT_RATE_LIMIT:0"],
  });
  try {
    return await issuedTogether(issueAt(naive.url), "naive", rounds);
  } finally {
    await naive.stop();
  }
}

async function issuedTogether(issue: Issue, name: string, rounds: number): Promise<number[]> {
  await issue(`${name}-warm`);
  const perSecond: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: TOGETHER }, (_, index) => issue(`${name}-${round}-${index}`)));
    perSecond.push((TOGETHER * 1_000) / (performance.now() - startedAt));
  }
  return perSecond;
}

async function timedPost(url: string, body: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body,
  });
  const text = await response.text();
  const tookMs = performance.now() - startedAt;
  if (response.status !== 201) throw new Error(`${response.status} ${text}`);
  return tookMs;
}
