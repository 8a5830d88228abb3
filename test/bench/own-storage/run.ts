/** `npm run bench -- own-storage`: issuing over D1 against issuing from the object's own storage. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { advance, begin, ownFolder } from "../../support/progress/progress.ts";
import { benchPort, type RunningWorker, send, startWorker } from "../local-worker.ts";
import { peerBody } from "../peers/peer-body.ts";
import { type Report, spreadOf } from "../report.ts";

const WAYS = ["over-d1", "own"] as const;
type Way = (typeof WAYS)[number];
const TENANTS = 8;
const AT_ONCE = 64;
const WARM = 20;
const CONFIG = "test/bench/own-storage/wrangler.toml";

interface Counted {
  /** Rows, and the highest number, in D1. */
  readonly n: number;
  readonly last: number | null;
  /** Issued in the object's own storage. */
  readonly own: number;
}

export async function ownStorageReports(samples: number): Promise<Report[]> {
  const reports: Report[] = [];
  for (const [index, delayMs] of [0, 20].entries()) {
    const folder = ownFolder(mkdtempSync(join(tmpdir(), "cuadre-own-storage-")));
    try {
      reports.push(...(await measure(folder, benchPort(30 + index), delayMs, samples)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return reports;
}

async function measure(state: string, port: number, delayMs: number, samples: number): Promise<Report[]> {
  const place = { config: CONFIG, port, state, vars: { DELAY_MS: String(delayMs) } };
  const worker = await startWorker(place);
  const acknowledged = new Map<string, number>();
  const issue = async (way: Way, tenant: number, index: number) => {
    const key = `${way}/${tenant}`;
    const body = peerBody(`${key}-${crypto.randomUUID()}`, index);
    const response = await send(`${worker.url}/${key}`, { method: "POST", body: JSON.stringify(body) });
    const { number }: { readonly number: number } = JSON.parse(await response.text());
    acknowledged.set(key, Math.max(number, acknowledged.get(key) ?? 0));
  };
  const added = delayMs > 0 ? `, ${delayMs} ms added to every D1 trip` : ", no delay added";
  const reports = [
    { name: `alone${added}`, spreads: await alone(issue, samples) },
    { name: `64 at once, one tenant${added}`, spreads: await together(issue, samples, () => 0) },
    { name: `64 at once, 8 tenants${added}`, spreads: await together(issue, samples, (at) => at % TENANTS) },
    { name: `copy of 64 behind the answers${added}`, spreads: await copying(issue, worker, samples) },
  ];
  begin("kill it, and count what was acknowledged");
  await worker.kill();
  await checkAfterKill(await startWorker(place), acknowledged);
  return reports;
}

type Issue = (way: Way, tenant: number, index: number) => Promise<void>;

async function alone(issue: Issue, samples: number): Promise<Report["spreads"]> {
  const taken = { "over-d1": [] as number[], own: [] as number[] };
  begin("alone", { total: samples + WARM });
  for (let sample = -WARM; sample < samples; sample++) {
    advance();
    for (const way of WAYS) {
      const startedAt = performance.now();
      await issue(way, 0, sample + WARM);
      if (sample >= 0) taken[way].push(performance.now() - startedAt);
    }
  }
  const [over, own] = [spreadOf(taken["over-d1"]), spreadOf(taken.own)];
  return { overD1Ms: over, ownMs: own, overToOwn: spreadOf([over.median / own.median]) };
}

async function together(
  issue: Issue,
  samples: number,
  tenantOf: (at: number) => number,
): Promise<Report["spreads"]> {
  const perSecond = { "over-d1": [] as number[], own: [] as number[] };
  const rounds = Math.max(10, Math.ceil(samples / 10));
  begin("64 at once", { total: rounds + 2 });
  for (let round = -2; round < rounds; round++) {
    advance();
    for (const way of WAYS) {
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => issue(way, tenantOf(at), at)));
      if (round >= 0) perSecond[way].push((AT_ONCE * 1_000) / (performance.now() - startedAt));
    }
  }
  const [over, own] = [spreadOf(perSecond["over-d1"]), spreadOf(perSecond.own)];
  return { overD1PerSecond: over, ownPerSecond: own, ownToOver: spreadOf([own.median / over.median]) };
}

/** From the last answer until D1 has all of them. */
async function copying(issue: Issue, { url }: RunningWorker, samples: number): Promise<Report["spreads"]> {
  const taken: number[] = [];
  const rounds = Math.max(5, Math.ceil(samples / 30));
  begin("copy", { total: rounds });
  for (let round = 0; round < rounds; round++) {
    advance();
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => issue("own", 0, at)));
    const startedAt = performance.now();
    for (;;) {
      const { n, own } = await counted(url, "own/0");
      if (n === own) break;
      await delay(5);
    }
    taken.push(performance.now() - startedAt);
  }
  return { untilCopiedMs: spreadOf(taken) };
}

async function counted(url: string, key: string): Promise<Counted> {
  return JSON.parse(await (await send(`${url}/${key}`)).text());
}

/** Every acknowledged number is there, and none is missing before it. */
async function checkAfterKill(worker: RunningWorker, acknowledged: ReadonlyMap<string, number>) {
  for (const [key, number] of acknowledged) {
    const { n, last, own } = await counted(worker.url, key);
    const kept = key.startsWith("own") ? own : n;
    if (kept < number) throw new Error(`${key}: ${number} acknowledged, ${kept} after SIGKILL`);
    if ((last ?? 0) !== n) throw new Error(`${key}: a gap below ${last}`);
  }
  await worker.stop();
}
