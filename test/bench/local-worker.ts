/** Workers beside the product, which it is measured against. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { root, toolEnvironment } from "../../src/dev/setup.mjs";

const WRANGLER = join(root, "node_modules/wrangler/bin/wrangler.js");

export interface RunningWorker {
  readonly url: string;
  stop(): Promise<void>;
  /** SIGKILL to all of it. */
  kill(): Promise<void>;
}

/** BENCH_PORT moves all of them. */
export function benchPort(offset: number): number {
  return Number(process.env.BENCH_PORT || "8790") + offset;
}

/** Groups of processes that still run: none of them outlives the bench. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) signalGroup(child, "SIGTERM");
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));

export interface WorkerPlace {
  readonly config: string;
  /** Another entry than that of the configuration. */
  readonly entry?: string;
  readonly flags?: readonly string[];
  readonly port: number;
  /** Where its databases and objects are kept. */
  readonly state: string;
  /** Complaints that a bench causes on purpose. */
  readonly hush?: RegExp;
}

/** Bundled once: whoever watched the sources would begin again in the middle of a run. */
export async function startWorker(place: WorkerPlace): Promise<RunningWorker> {
  const { config, entry, flags = [], port, state, hush = /^$/ } = place;
  const env = toolEnvironment(process.execPath);
  const bundle = mkdtempSync(join(tmpdir(), "cuadre-bundle-"));
  const dry = ["deploy", ...(entry ? [entry] : []), "--config", config, "--dry-run", "--outdir", bundle];
  execFileSync(process.execPath, [WRANGLER, ...dry], { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  const local = ["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0", "--persist-to", state];
  const dev = ["dev", join(bundle, "worker.js"), "--no-bundle", "--config", config, ...flags, ...local];
  const child = spawn(process.execPath, [WRANGLER, ...dev, "--log-level", "error"], {
    ...{ cwd: root, env, detached: true },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complain = (text: string) => hush.test(text) || process.stderr.write(text);
  child.stderr.setEncoding("utf8").on("data", complain);
  running.add(child);
  const ended = once(child, "exit").then(() => {
    running.delete(child);
    rmSync(bundle, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(url);
  const end = (signal: NodeJS.Signals) => {
    signalGroup(child, signal);
    return ended;
  };
  return { url, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) process.kill(-child.pid, signal);
}

export async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    try {
      if ((await fetch(url, { redirect: "manual" })).status < 500) return;
    } catch {
      // Nobody listens yet.
    }
    await delay(200);
  }
  throw new Error("the Worker did not start");
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The time of a request that had to be sent again says nothing. */
  readonly isAgain: boolean;
}

/** How often the local proxy may lose one request. */
const LOSSES = 3;

/**
 * Wrangler's proxy keeps connections to the Worker that the Worker closes after five idle seconds; what it sends
 * over one of these does not arrive, and is sent again.
 */
export async function reach(url: string, init: RequestInit): Promise<Reply> {
  for (let losses = 0; ; losses += 1) {
    const response = await fetch(url, init);
    const text = await response.text();
    const isLost = response.status === 500 && text.startsWith("Error: Network connection lost");
    if (!isLost || losses === LOSSES) {
      return { status: response.status, headers: response.headers, text, isAgain: losses > 0 };
    }
  }
}
