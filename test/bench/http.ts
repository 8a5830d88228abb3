/** The product and the floor through HTTP, one request at a time, alternating. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { root, toolEnvironment } from "../../src/dev/setup.mjs";
import { startLocalServer } from "../support/local-server.ts";
import { bodyOf } from "./cpu.ts";
import { type Report, spreadOf } from "./report.ts";

const FLOOR_PORT = 8799;
const TOGETHER = 64;

export async function httpReports(samples: number): Promise<Report[]> {
  const product = await startLocalServer();
  const floor = await startFloor();
  try {
    const { key } = product.demo.connections.api;
    const issue = (externalId: string) =>
      timedPost(`${product.demo.api_url}/api/v1/invoice`, bodyOf(3, externalId), { "X-API-KEY": key });
    const insert = () => timedPost(floor.url, bodyOf(3), {});
    for (let warm = 0; warm < 50; warm++) {
      await issue(`warm-${warm}`);
      await insert();
    }
    const productMs: number[] = [];
    const floorMs: number[] = [];
    for (let sample = 0; sample < samples; sample++) {
      productMs.push(await issue(`alone-${sample}`));
      floorMs.push(await insert());
    }
    const ratio = spreadOf(productMs).median / spreadOf(floorMs).median;
    const together = await issuedTogether(issue, Math.ceil(samples / TOGETHER));
    return [
      {
        name: "alone through HTTP against the floor",
        spreads: { productMs: spreadOf(productMs), floorMs: spreadOf(floorMs), ratio: spreadOf([ratio]) },
      },
      { name: "64 at once through HTTP, invoices per second", spreads: { perSecond: spreadOf(together) } },
    ];
  } finally {
    await product.close();
    await floor.stop();
  }
}

async function issuedTogether(
  issue: (externalId: string) => Promise<number>,
  rounds: number,
): Promise<number[]> {
  const perSecond: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: TOGETHER }, (_, index) => issue(`together-${round}-${index}`)));
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

interface Floor {
  readonly url: string;
  stop(): Promise<void>;
}

async function startFloor(): Promise<Floor> {
  const state = mkdtempSync(join(tmpdir(), "cuadre-floor-"));
  const args = [join(root, "node_modules/wrangler/bin/wrangler.js"), "dev"];
  args.push("--config", join(root, "test/bench/floor/wrangler.toml"), "--ip", "127.0.0.1");
  args.push(
    "--port",
    String(FLOOR_PORT),
    "--inspector-port",
    "0",
    "--persist-to",
    state,
    "--log-level",
    "error",
  );
  const env = toolEnvironment(process.execPath);
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
  const url = `http://127.0.0.1:${FLOOR_PORT}`;
  await answers(url);
  return {
    url,
    stop: async () => {
      endGroup(child);
      await new Promise((ended) => child.once("exit", ended));
      rmSync(state, { recursive: true, force: true });
    },
  };
}

function endGroup(child: ChildProcess): void {
  if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Nobody listens yet.
    }
    await delay(200);
  }
  throw new Error("the floor did not start");
}
