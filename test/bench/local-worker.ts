/** Workers to compare the product with. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { unstable_readConfig } from "wrangler";
import { root, toolEnvironment } from "../../src/ops/setup.mjs";
import { freePorts } from "../support/browser/free-ports.ts";
import { begin, ownFolder, ownGroup, PATIENCE_OF_A_START_MS } from "../support/progress/progress.ts";

const WRANGLER = join(root, "node_modules/wrangler/bin/wrangler.js");
const OWNER_CONFIG = join(root, "src/console/wrangler.toml");
const SERVE = join(root, "test/bench/serve.ts");

export interface RunningWorker {
  readonly url: string;
  /** The process group of the Worker. */
  readonly group: number;
  stop(): Promise<void>;
  /** SIGKILL to all of it. */
  kill(): Promise<void>;
}

/** BENCH_PORT moves all of them. */
export function benchPort(offset: number): number {
  return Number(process.env.BENCH_PORT || "8800") + offset;
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return Number(port);
}

export interface WorkerPlace {
  readonly config: string;
  /** Another entry than that of the configuration. */
  readonly entry?: string;
  /** The entry serves the owner Worker too, which needs more of the runtime. */
  readonly withOwner?: boolean;
  /** Over those of the configuration. */
  readonly vars?: Readonly<Record<string, string>>;
  readonly port: number;
  /** For a profiler of its isolates. */
  readonly inspectorPort?: number;
  /** Where its databases and objects are kept. */
  readonly state: string;
  /** Complaints that a bench causes on purpose. */
  readonly hush?: RegExp;
}

/** On the local runtime, bundled as for a deployment, without wrangler's proxy and its watch over the sources. */
export async function startWorker(place: WorkerPlace): Promise<RunningWorker> {
  const { config, entry, withOwner = false, vars = {}, port, state, hush = /^$/ } = place;
  const flags = withOwner ? unstable_readConfig({ config: OWNER_CONFIG }).compatibility_flags : [];
  const env = toolEnvironment(process.execPath);
  begin(`bundle ${entry ?? config}`, { patienceMs: PATIENCE_OF_A_START_MS });
  const folder = ownFolder(mkdtempSync(join(tmpdir(), "cuadre-bundle-")));
  const bundling = [
    "deploy",
    ...(entry ? [entry] : []),
    "--config",
    config,
    "--env",
    "",
    "--dry-run",
    "--outdir",
    folder,
    ...flags.flatMap((flag: string) => ["--compatibility-flags", flag]),
  ];
  execFileSync(process.execPath, [WRANGLER, ...bundling], {
    ...{ cwd: root, env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const serving = [SERVE, join(folder, "worker.js"), config, String(port), state];
  const given = [JSON.stringify(vars), JSON.stringify(flags), String(place.inspectorPort ?? "")];
  const child = spawn(process.execPath, [...serving, ...given], {
    ...{ cwd: root, env, detached: true },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complain = (text: string) => hush.test(text) || process.stderr.write(text);
  child.stderr.setEncoding("utf8").on("data", complain);
  ownGroup(child.pid);
  const ended = once(child, "exit").then(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  begin(`start ${entry ?? config}`, { patienceMs: PATIENCE_OF_A_START_MS });
  await answers(url);
  const { pid: group = 0 } = child;
  const end = (signal: NodeJS.Signals) => {
    signalGroup(child, signal);
    return ended;
  };
  return { url, group, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

/** The variables that `npm start` gives both Workers: the secrets of a state, and no rate limit. */
export function localVars(stateDir: string): Readonly<Record<string, string>> {
  const secrets = JSON.parse(readFileSync(join(stateDir, "secrets.json"), "utf8"));
  return { ...secrets, CERTIFICATE_PROOFS: "off", DEFAULT_RATE_LIMIT: "0" };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) process.kill(-child.pid, signal);
}

const SENDS = 6;
const BETWEEN_SENDS_MS = 20;

/** A connection that the runtime closed is tried again, as a connector does; it is in the time. */
export async function send(url: string, asked?: RequestInit): Promise<Response> {
  for (let sends = 1; ; sends++) {
    try {
      return await fetch(url, asked);
    } catch (error) {
      if (sends === SENDS) throw error;
      await delay(BETWEEN_SENDS_MS);
    }
  }
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
